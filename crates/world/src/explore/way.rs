//! The way in which a schedule breaks a property: its faults, and what its clients send. Differently written programs with the same mistake
//! break in the same way.
use crate::{ClientIndex, EventKind, Fault, Input, ProgramEvent, World};

/// The way of a schedule from this world, in words: its faults, then each client's commands, with the clients in the order of their first
/// step. Repeats of one command in a row count once.
///
/// ```text
/// pause: SET GET | SET          c1 sent SET and GET, c2 SET; a client was paused
/// ```
pub fn way(start: &World, schedule: &[Input]) -> String {
    let mut world = start.clone();
    let mut faults: Vec<&str> = Vec::new();
    let mut sent: Vec<(ClientIndex, Vec<String>)> = Vec::new();
    for input in schedule {
        let fault = Fault::of(input).map(Fault::word);
        faults.extend(fault.filter(|fault| !faults.contains(fault)));
        let Ok(events) = world.step(input) else { break };
        for event in events {
            let EventKind::Program { client, what: ProgramEvent::Sent { argv }, .. } = event.kind else { continue };
            // For a statement to a database, its first word.
            let is_space = |byte: &u8| byte.is_ascii_whitespace();
            let name = argv.first().and_then(|name| name.split(is_space).find(|word| !word.is_empty()));
            let name = name.map(<[u8]>::to_ascii_uppercase).unwrap_or_default();
            let name = String::from_utf8_lossy(&name).into_owned();
            match sent.iter_mut().find(|(other, _)| *other == client) {
                Some((_, names)) if names.last() == Some(&name) => {}
                Some((_, names)) => names.push(name),
                None => sent.push((client, vec![name])),
            }
        }
    }
    faults.sort_unstable();
    let sent: Vec<String> = sent.into_iter().map(|(_, names)| names.join(" ")).collect();
    let sent = sent.join(" | ");
    if faults.is_empty() { sent } else { format!("{}: {sent}", faults.join(" ")) }
}
