//! The listening socket, and a task for everybody who connects to it.
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};

use super::connection::{attend, scratch};
use super::engine::Shared;
use super::{Failure, Options};

/// Connections that may wait to be accepted (`tcp-backlog`).
const BACKLOG: u32 = 511;

/// How long to wait when the system has no more sockets for us.
const BREATH: Duration = Duration::from_millis(100);

/// Listens where the options say.
///
/// # Errors
/// When the address is taken or is none of this machine.
pub fn bind(options: &Options) -> Result<TcpListener, Failure> {
    let addr = options.addr();
    let listen = || {
        let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        socket.set_reuseaddr(true)?;
        socket.bind(addr)?;
        socket.listen(BACKLOG)
    };
    listen().map_err(|error: std::io::Error| format!("cannot listen on {addr}: {error}").into())
}

/// Accepts for ever.
pub async fn accept(listener: TcpListener, engine: Shared) {
    let scratch = scratch();
    let mut has_complained = false;
    loop {
        match listener.accept().await {
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
