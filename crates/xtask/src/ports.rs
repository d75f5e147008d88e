//! Free ports on this machine's loopback address.
use std::net::{Ipv4Addr, TcpListener};

/// The first free port at or after `first` (a hundred are tried), or any free one.
pub fn free_port_from(first: u16) -> Option<u16> {
    let near = (0..100).filter_map(|step| first.checked_add(step));
    near.chain([0]).find_map(|port| {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok()?;
        listener.local_addr().ok().map(|address| address.port())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_skipped() {
        let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let taken = holder.local_addr().unwrap().port();
        let found = free_port_from(taken).unwrap();
        assert_ne!(found, taken);
        assert!(TcpListener::bind((Ipv4Addr::LOCALHOST, found)).is_ok());
    }
}
