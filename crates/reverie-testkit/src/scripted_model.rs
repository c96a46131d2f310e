//! How does a model behave that is slow, broken, rude or perfect? A real HTTP server on loopback that plays a script.
//!
//! It speaks OpenAI's shape and Gemini's, by the path that it is asked at, and keeps what it was asked. Behaviours are data:
//!
//! ```text
//! ScriptedModel::playing([Behaviour::too_many("1"), Behaviour::Perfect])    429 first, then fine for ever
//! ScriptedModel::answering(|seen| Behaviour::says(if seen.prompt().contains("喵") { "猫" } else { "人" }))
//! ```

mod behaviour;
mod shape;
mod wire;

use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

pub use self::behaviour::{Behaviour, End};
pub use self::shape::vector;
pub use self::wire::Seen;

/// Decides what to do with a request, and knows how many came before it.
type Script = Box<dyn Fn(&Seen) -> Behaviour + Send + Sync>;

/// Listens on a free port until it is dropped.
pub struct ScriptedModel {
    stage: Arc<Stage>,
    accepting: Option<JoinHandle<()>>,
}

struct Stage {
    address: SocketAddr,
    script: Script,
    seen: Mutex<Vec<Seen>>,
    connections: AtomicUsize,
    being_served: AtomicUsize,
    /// To be closed at the end: a hanging behaviour waits for its client.
    open: Mutex<Vec<TcpStream>>,
    is_over: AtomicBool,
}

impl ScriptedModel {
    /// One behaviour for each request; the last one stays.
    pub fn playing(behaviours: impl IntoIterator<Item = Behaviour>) -> Self {
        let behaviours: Vec<Behaviour> = behaviours.into_iter().collect();
        Self::answering(move |seen| {
            let last = behaviours.last().cloned().unwrap_or(Behaviour::Perfect);
            behaviours.get(seen.number).cloned().unwrap_or(last)
        })
    }

    /// The same for every request.
    pub fn always(behaviour: Behaviour) -> Self {
        Self::playing([behaviour])
    }

    /// Decides by the request.
    pub fn answering(script: impl Fn(&Seen) -> Behaviour + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port on loopback");
        let address = listener.local_addr().expect("the port that was bound");
        let stage = Arc::new(Stage {
            address,
            script: Box::new(script),
            seen: Mutex::default(),
            connections: AtomicUsize::new(0),
            being_served: AtomicUsize::new(0),
            open: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let for_thread = stage.clone();
        let accepting = std::thread::spawn(move || accept(&listener, &for_thread));
        Self { stage, accepting: Some(accepting) }
    }

    /// `127.0.0.1:…`
    pub fn authority(&self) -> String {
        self.stage.address.to_string()
    }

    /// `http://127.0.0.1:…`
    pub fn origin(&self) -> String {
        format!("http://{}", self.stage.address)
    }

    /// The base URL of its OpenAI-compatible side.
    pub fn openai(&self) -> String {
        format!("{}/v1", self.origin())
    }

    /// The base URL of its Gemini side.
    pub fn gemini(&self) -> String {
        format!("{}/v1beta", self.origin())
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        locked(&self.stage.seen).clone()
    }

    /// How many connections are being served.
    pub fn being_served(&self) -> usize {
        self.stage.being_served.load(Ordering::SeqCst)
    }

    pub fn connections(&self) -> usize {
        self.stage.connections.load(Ordering::SeqCst)
    }

    /// Closes every connection from this side, as servers do with idle ones.
    pub fn close_connections(&self) {
        for stream in locked(&self.stage.open).drain(..) {
            // It may be closed already.
            let _closed: io::Result<()> = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.stage.is_over.store(true, Ordering::SeqCst);
        self.close_connections();
        // Wakes the accepting thread, which then sees that it is over.
        let _woken: io::Result<TcpStream> = TcpStream::connect(self.stage.address);
        if let Some(accepting) = self.accepting.take() {
            let _ended: std::thread::Result<()> = accepting.join();
        }
        self.close_connections();
    }
}

fn accept(listener: &TcpListener, stage: &Arc<Stage>) {
    for stream in listener.incoming() {
        if stage.is_over.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        stage.connections.fetch_add(1, Ordering::SeqCst);
        if let Ok(handle) = stream.try_clone() {
            locked(&stage.open).push(handle);
        }
        let stage = stage.clone();
        // A connection that fails has lost its client; there is nobody to tell.
        stage.being_served.fetch_add(1, Ordering::SeqCst);
        std::thread::spawn(move || {
            drop(serve(stream, &stage));
            stage.being_served.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// Requests one after the other, until one of the two sides has enough.
fn serve(mut stream: TcpStream, stage: &Stage) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut read_ahead = Vec::new();
    while let Some(mut seen) = wire::read_request(&mut stream, &mut read_ahead)? {
        {
            let mut all = locked(&stage.seen);
            seen.number = all.len();
            all.push(seen.clone());
        }
        let behaviour = (stage.script)(&seen);
        if !behaviour.perform(&seen, &mut stream)? {
            return stream.shutdown(Shutdown::Both);
        }
    }
    Ok(())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
