//! The connection of one client: a task that reads commands, passes them to the engine, and writes the replies of the engine.
use std::cell::RefCell;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use resp::Protocol;
use resp::decode::{RequestDecoder, RequestError};
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::engine::Shared;
use super::outbox::{Fate, Outbox};

/// Maximum bytes per read: about a thousand small commands of a pipeline.
const READ_BYTES: usize = 64 * 1024;

/// The read buffer that all connections share; incomplete input moves into the decoder of the connection.
pub type Scratch = Rc<RefCell<Box<[u8]>>>;

/// Creates the shared read buffer.
pub fn scratch() -> Scratch {
    Rc::new(RefCell::new(vec![0; READ_BYTES].into_boxed_slice()))
}

/// Serves a client until it disconnects.
pub async fn attend(engine: Shared, stream: TcpStream, peer: SocketAddr, scratch: Scratch) {
    let admitted = engine.borrow_mut().connect(peer);
    let Some(outbox) = admitted else { return turn_away(&stream) };
    prepare(&stream, engine.borrow().limits().keepalive_s);
    let mut connection =
        Connection { engine, stream, outbox, decoder: RequestDecoder::default(), scratch, has_made_way: false };
    poll_fn(|cx| connection.poll(cx)).await;
    connection.engine.borrow_mut().disconnect(connection.outbox.client);
}

/// Rejects a client with the error of Redis; the caller closes the connection.
fn turn_away(stream: &TcpStream) {
    // The socket of a new connection has room for one line; whether the client reads it does not matter.
    let _ = stream.try_write(b"-ERR max number of clients reached\r\n");
}

/// Sets `TCP_NODELAY` and keepalive probes. Errors are ignored: the connection works without them.
fn prepare(stream: &TcpStream, keepalive_s: u64) {
    let _ = stream.set_nodelay(true);
    if keepalive_s > 0 {
        let (idle, interval) = (Duration::from_secs(keepalive_s), Duration::from_secs((keepalive_s / 3).max(1)));
        let probes = TcpKeepalive::new().with_time(idle).with_interval(interval).with_retries(3);
        let _ = SockRef::from(stream).set_tcp_keepalive(&probes);
    }
}

struct Connection {
    engine: Shared,
    stream: TcpStream,
    outbox: Rc<Outbox>,
    decoder: RequestDecoder,
    scratch: Scratch,
    /// Other connections have had their turn since this one ran its commands: now it writes.
    has_made_way: bool,
}

impl Connection {
    /// Runs received commands, writes replies, reads more; ready when the connection is closed.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.outbox.set_waker(cx.waker());
        loop {
            let is_exhausted = self.run_commands();
            // As in Redis: first the commands of all clients, then all replies. A client that receives several replies at once wakes less
            // often.
            if !self.has_made_way && self.outbox.len() > 0 {
                self.has_made_way = true;
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            self.has_made_way = false;
            let written = self.poll_write(cx);
            match (self.outbox.fate(), &written) {
                (_, Poll::Ready(Err(_))) | (Fate::Close, _) | (Fate::CloseWhenWritten, Poll::Ready(Ok(()))) => {
                    return Poll::Ready(());
                }
                (Fate::CloseWhenWritten, Poll::Pending) => return Poll::Pending,
                (Fate::Open, _) => {}
            }
            if is_exhausted && ready!(self.poll_read(cx)).is_err() {
                return Poll::Ready(());
            }
        }
    }

    /// Passes the received commands to the engine until none is left, the client blocks or the replies grow large; true if no command is
    /// left that could run now.
    fn run_commands(&mut self) -> bool {
        if self.outbox.is_blocked() || self.outbox.fate() != Fate::Open {
            return true;
        }
        let mut engine = self.engine.borrow_mut();
        let now_ms = engine.now_ms();
        let is_exhausted = loop {
            match self.decoder.next_command() {
                Ok(Some(argv)) => engine.command(now_ms, &self.outbox, argv),
                Ok(None) => break true,
                Err(error) => {
                    self.fail(&error);
                    break true;
                }
            }
            if self.outbox.is_blocked() || self.outbox.fate() != Fate::Open {
                break true;
            }
            if self.outbox.is_full() {
                break false;
            }
        };
        self.decoder.set_limits(engine.request_limits(self.outbox.client));
        engine.settle();
        is_exhausted
    }

    /// Invalid RESP closes the connection, with the error of Redis, except if the client has sent too much.
    fn fail(&self, error: &RequestError) {
        match error.reply() {
            Some(reply) => {
                self.outbox.write(&reply, Protocol::Resp2);
                self.outbox.close(Fate::CloseWhenWritten);
            }
            None => self.outbox.close(Fate::Close),
        }
    }

    fn poll_write(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let stream = &mut self.stream;
        let outcome = self.outbox.drain(|bytes| match Pin::new(&mut *stream).poll_write(cx, bytes) {
            Poll::Ready(Ok(0)) => Err(Some(io::ErrorKind::WriteZero.into())),
            Poll::Ready(Ok(count)) => Ok(count),
            Poll::Ready(Err(error)) => Err(Some(error)),
            Poll::Pending => Err(None),
        });
        match outcome {
            Ok(()) => Poll::Ready(Ok(())),
            Err(Some(error)) => Poll::Ready(Err(error)),
            Err(None) => Poll::Pending,
        }
    }

    /// Reads once; returns an error also if the client has disconnected.
    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut scratch = self.scratch.borrow_mut();
        let mut buffer = ReadBuf::new(&mut scratch);
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut buffer))?;
        if buffer.filled().is_empty() {
            return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
        }
        self.decoder.feed(buffer.filled());
        Poll::Ready(Ok(()))
    }
}
