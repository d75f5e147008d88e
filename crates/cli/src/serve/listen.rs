//! The listening socket, and a task for everybody who connects to it.
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use resp::Value;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::connection::{attend, scratch};
use super::engine::Shared;
use super::{Failure, Options};

/// Connections that may wait to be accepted (`tcp-backlog`).
const BACKLOG: u32 = 511;

/// How long to wait when the system has no more sockets for us.
const BREATH: Duration = Duration::from_millis(100);

/// The socket that listens, as far as `CONFIG SET port` can move it.
#[derive(Debug, Default)]
pub struct Listening {
    /// Where it is bound, and how the accepting task is told of another one; nothing before there is one.
    to: Option<(IpAddr, UnboundedSender<TcpListener>)>,
}

impl Listening {
    /// One at this address, and what the accepting task hears of.
    pub fn at(ip: IpAddr) -> (Listening, UnboundedReceiver<TcpListener>) {
        let (sender, receiver) = unbounded_channel();
        (Listening { to: Some((ip, sender)) }, receiver)
    }

    /// Listens on another port of the same address too.
    ///
    /// # Errors
    /// What Redis answers when the port is taken.
    pub fn try_port(&self, port: u16) -> Result<Option<TcpListener>, Value> {
        let Some((ip, _)) = &self.to else { return Ok(None) };
        let taken = "ERR CONFIG SET failed (possibly related to argument 'port') - Unable to listen on this port. Check server logs.";
        listen(SocketAddr::new(*ip, port)).map(Some).map_err(|_| Value::error(taken))
    }

    /// Listens there from now on, and no longer where it was.
    pub fn move_to(&self, listener: Option<TcpListener>) {
        if let (Some((_, sender)), Some(listener)) = (&self.to, listener) {
            // The accepting task ends only with the program.
            let _ = sender.send(listener);
        }
    }
}

/// Listens where the options say.
///
/// # Errors
/// When the address is taken or is none of this machine.
pub fn bind(options: &Options) -> Result<TcpListener, Failure> {
    let addr = options.addr();
    listen(addr).map_err(|error| format!("cannot listen on {addr}: {error}").into())
}

fn listen(addr: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

/// Accepts for ever.
pub async fn accept(mut listener: TcpListener, mut moved: UnboundedReceiver<TcpListener>, engine: Shared) {
    let scratch = scratch();
    let mut has_complained = false;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(other) = moved.recv() => {
                listener = other;
                continue;
            }
        };
        match accepted {
            Ok((stream, peer)) => {
                tokio::task::spawn_local(attend(engine.clone(), stream, peer, scratch.clone()));
            }
            Err(error) => {
                if !has_complained {
                    eprintln!("lockstep: cannot accept a connection: {error}");
                    has_complained = true;
                }
                tokio::time::sleep(BREATH).await;
            }
        }
    }
}
