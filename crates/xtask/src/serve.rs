//! `cargo xtask serve`: from a fresh clone to a page in the browser.
use crate::{paths, ports, run, setup};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Options of `serve`.
#[derive(Args)]
pub struct Options {
    /// Port on the loopback address; if it is in use, the next free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Build without optimisation: rebuilds are faster, but the page runs slower
    #[arg(long)]
    dev: bool,
    /// Open the page in the browser once it is built
    #[arg(long)]
    open: bool,
}

/// Installs what is missing, then builds, serves, and rebuilds on every change until it is interrupted.
pub fn serve(options: &Options) -> Result<()> {
    let path = setup::for_building()?;
    let port = ports::free_port_from(options.port).context("no free port on the loopback address")?;
    if port != options.port {
        println!("Port {} is in use; taking {port}.", options.port);
    }
    let address = format!("http://127.0.0.1:{port}/");
    println!("Building the page (the first time takes some minutes). It will be at {address}");
    let mut trunk = Command::new("trunk");
    trunk.arg("serve").args(["--address", "127.0.0.1", "--port", &port.to_string()]);
    // Not in `dist/`, which holds releases: the served page contains a script that reloads it after a change.
    trunk.arg("--dist").arg(paths::target().join("xtask-serve"));
    trunk.args((!options.dev).then_some("--release")).args(options.open.then_some("--open"));
    trunk.current_dir(paths::root()).env("PATH", path.value()).env_remove("NO_COLOR");
    let ended = Arc::new(AtomicBool::new(false));
    let announcer = announce_when_open(port, address, Arc::clone(&ended));
    let outcome = run::interactive(&mut trunk);
    ended.store(true, Ordering::Relaxed);
    if announcer.join().is_err() {
        bail!("the thread that waits for the page has failed");
    }
    outcome
}

/// Prints the address again, as the last line, when the page can be opened:
/// trunk opens the port only after its first build.
fn announce_when_open(port: u16, address: String, ended: Arc<AtomicBool>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let socket = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        while !ended.load(Ordering::Relaxed) {
            if TcpStream::connect_timeout(&socket, Duration::from_millis(200)).is_ok() {
                println!("\n  Lockstep is at {address}   (Ctrl-C ends it)\n");
                return;
            }
            thread::sleep(Duration::from_millis(300));
        }
    })
}
