//! The listening socket, and a task for each connection.
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

/// Pause after the system has run out of sockets.
const BREATH: Duration = Duration::from_millis(100);

/// The listening socket, which `CONFIG SET port` can move.
#[derive(Debug, Default)]
pub struct Listening {
    /// The bound address, and the channel that gives the accepting task a new listener; `None` before the socket exists.
    to: Option<(IpAddr, UnboundedSender<TcpListener>)>,
}

impl Listening {
    /// A socket at this address, and the receiver for the accepting task.
    pub fn at(ip: IpAddr) -> (Listening, UnboundedReceiver<TcpListener>) {
        let (sender, receiver) = unbounded_channel();
        (Listening { to: Some((ip, sender)) }, receiver)
    }

    /// Also listens on another port of the same address.
    ///
    /// # Errors
    /// The error of Redis if the port is taken.
    pub fn try_port(&self, port: u16) -> Result<Option<TcpListener>, Value> {
        let Some((ip, _)) = &self.to else { return Ok(None) };
        let taken = "ERR CONFIG SET failed (possibly related to argument 'port') - Unable to listen on this port. Check server logs.";
        listen(SocketAddr::new(*ip, port)).map(Some).map_err(|_| Value::error(taken))
    }

    /// Replaces the old listener by this one.
    pub fn move_to(&self, listener: Option<TcpListener>) {
        if let (Some((_, sender)), Some(listener)) = (&self.to, listener) {
            // The accepting task ends only with the program.
            let _ = sender.send(listener);
        }
    }
}

/// Listens at the address of the options.
///
/// # Errors
/// If the address is taken or does not belong to this machine.
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

/// Accepts connections for ever.
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
