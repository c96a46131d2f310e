//! How does an answer leave that is still being written?
//!
//! Whoever writes it works on a thread that may block; a few pieces wait between the two, so that neither a large answer
//! fills the memory nor a slow client keeps the writer for longer than the request may take. An answer that ends in an
//! error is cut off: the client sees that its end is missing.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, SizeHint};
use reverie_core::Result;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::answer::Answer;

/// Bytes of one piece. What is smaller as a whole is sent as a whole.
const PIECE: usize = 64 << 10;
/// Pieces that wait for the client.
pub(crate) const WAITING: usize = 4;

pub(crate) type Piece = io::Result<Bytes>;

/// How long a client is waited for: whoever writes may hold a snapshot of the data meanwhile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    pub(crate) deadline: Instant,
    pub(crate) a_piece: Duration,
}

/// The body of an answer.
#[derive(Debug)]
pub(crate) enum Outgoing {
    Whole(Bytes),
    Pieces(mpsc::Receiver<Piece>),
    /// All pieces are handed over, and then it broke off.
    Broken(Option<io::Error>),
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match &mut *self {
            Self::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Self::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Self::Pieces(pieces) => match pieces.poll_recv(cx) {
                // A connection that hears of an error drops what it has not sent yet: it is told a turn later, when it has.
                Poll::Ready(Some(Err(error))) => {
                    *self = Self::Broken(Some(error));
                    cx.waker().wake_by_ref();
                    Poll::Pending
                }
                polled => polled.map(|piece| piece.map(|bytes| bytes.map(Frame::data))),
            },
            Self::Broken(error) => Poll::Ready(error.take().map(Err)),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Self::Pieces(_) | Self::Broken(_) => SizeHint::default(),
        }
    }
}

/// Finds out what the answer is, on a thread that may block. `early` takes it if it is still being written.
pub(crate) fn write_out(
    response: reverie_api::Response,
    early: oneshot::Sender<Answer>,
    patience: Patience,
) -> Option<Answer> {
    let Some(stream) = response.stream.clone() else { return Some(response.into()) };
    let mut pipe = Pipe { piece: Vec::new(), to: To::Nobody(response, early), patience };
    let written = stream.write_to(&mut pipe);
    pipe.end(written)
}

/// Cuts what is written into pieces and hands them on.
struct Pipe {
    piece: Vec<u8>,
    to: To,
    patience: Patience,
}

enum To {
    /// Nothing was sent yet.
    Nobody(reverie_api::Response, oneshot::Sender<Answer>),
    Client(mpsc::Sender<Piece>),
    Gone,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE + PIECE / 8));
            self.send(Ok(piece.into()))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Pipe {
    fn send(&mut self, piece: Piece) -> io::Result<()> {
        let sender = match std::mem::replace(&mut self.to, To::Gone) {
            To::Nobody(response, early) => {
                let (sender, receiver) = mpsc::channel(WAITING);
                let mut answer = Answer::from(response);
                answer.body = Outgoing::Pieces(receiver);
                early.send(answer).map_err(|_| went_away())?;
                sender
            }
            To::Client(sender) => sender,
            To::Gone => return Err(went_away()),
        };
        let Patience { deadline, a_piece } = self.patience;
        let until = deadline.min(Instant::now() + a_piece);
        // Inside: there is no timer but the runtime's.
        let sent = Handle::current().block_on(async { timeout_at(until, sender.send(piece)).await });
        match sent {
            Ok(Ok(())) => {
                self.to = To::Client(sender);
                Ok(())
            }
            Ok(Err(_)) => Err(went_away()),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly")),
        }
    }

    fn end(mut self, written: Result<()>) -> Option<Answer> {
        if let To::Nobody(response, _) = self.to {
            let mut answer = Answer::from(response);
            match written {
                Ok(()) => answer.body = Outgoing::Whole(self.piece.into()),
                Err(error) => answer = Answer { operation: answer.operation, ..Answer::error(&error) },
            }
            return Some(answer);
        }
        let last = std::mem::take(&mut self.piece);
        let ended = match written {
            Ok(()) => self.send(Ok(last.into())).map_err(|error| error.to_string()),
            Err(error) => {
                // If the client is gone, nobody has to be told.
                let _ = self.send(Err(io::Error::other("the answer could not be written to its end")));
                Err(error.to_string())
            }
        };
        if let Err(error) = ended {
            tracing::warn!(error, "an answer was cut off");
        }
        None
    }
}

fn went_away() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the client went away")
}
