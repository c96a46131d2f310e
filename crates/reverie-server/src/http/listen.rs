//! How are connections accepted, and how do they end when the server is told to stop?

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::stall::Stall;
use super::{App, handle};

/// Serves until `stop`, then lets requests under way finish until the drain timeout or `hurry`.
/// Answers with the number of connections that had to be cut.
pub(crate) async fn serve(
    app: Arc<App>,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
    hurry: impl Future<Output = ()>,
) -> usize {
    let (drain, draining) = watch::channel(false);
    let places = Arc::new(Semaphore::new(app.limits.connections));
    let mut connections = JoinSet::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            // Without a place, the next connection waits in the system's queue.
            let place = places.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        tokio::select! {
            () = &mut stop => break,
            Some(_ended) = connections.join_next() => {}
            (place, accepted) = next => match accepted {
                Ok((stream, _)) => {
                    let connection = serve_connection(app.clone(), stream, draining.clone());
                    connections.spawn(async move {
                        connection.await;
                        drop(place);
                    });
                }
                Err(error) => {
                    // Out of file descriptors, mostly. Asking again at once would only burn the processor.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
        }
    }
    drop(listener);
    // Nobody listens only if there are no connections.
    let _ = drain.send(true);
    let all_ended = async { while connections.join_next().await.is_some() {} };
    tokio::select! {
        () = all_ended => {}
        () = tokio::time::sleep(app.limits.drain_timeout) => {}
        () = hurry => {}
    }
    connections.len()
}

async fn serve_connection(app: Arc<App>, stream: TcpStream, mut draining: watch::Receiver<bool>) {
    let Ok(local) = stream.local_addr() else { return };
    // Small answers must not wait for the peer's acknowledgement; failing that, they are only slower.
    let _ = stream.set_nodelay(true);
    let limits = &app.limits;
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle_timeout)
        // Beyond our own limit, so that we can explain the refusal; beyond this, hyper answers 431 by itself.
        .max_buf_size(limits.header_bytes.saturating_mul(2).max(64 << 10));
    let io = TokioIo::new(Stall::new(stream, limits.idle_timeout));
    let service = service_fn(move |request| handle(app.clone(), local.ip(), request));
    let mut connection = std::pin::pin!(builder.serve_connection(io, service));
    let mut told = false;
    loop {
        tokio::select! {
            result = connection.as_mut() => {
                if let Err(error) = result {
                    tracing::debug!(%error, "a connection ended early");
                }
                return;
            }
            _ = draining.wait_for(|draining| *draining), if !told => {
                told = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
