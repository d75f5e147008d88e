//! Starting other programs: in the foreground, or quietly with a line of progress while they work.
use anyhow::{Context, Result, bail};
use std::io::{IsTerminal, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The result of a program that ran quietly.
pub struct Finished {
    /// Its exit status.
    pub status: ExitStatus,
    /// Standard output and standard error, interleaved in the order of arrival.
    pub text: String,
}

/// Runs in the foreground with our own standard streams.
///
/// # Errors
/// If the program cannot be started or fails.
pub fn interactive(command: &mut Command) -> Result<()> {
    let status = economical(command).status().with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", shown(command));
    }
    Ok(())
}

/// Disables incremental builds in CI, where no second build follows: that saves a third of what cargo writes to disk.
fn economical(command: &mut Command) -> &mut Command {
    if std::env::var_os("CI").is_some() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// First line of a program's output, or `None` if it cannot be started.
pub fn first_line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(str::to_owned).filter(|_| output.status.success())
}

/// Runs quietly, collects the output of the program, and shows progress: a line that is rewritten in place at a terminal, a line every half
/// minute elsewhere.
///
/// # Errors
/// If the program cannot be started, or was stopped because it was still running after `limit`.
pub fn quiet(label: &str, command: &mut Command, limit: Duration) -> Result<Finished> {
    let started = Instant::now();
    let mut child = economical(command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    let pieces = pieces_of(&mut child);
    let mut ticker = Ticker::new(label, started);
    let mut text = String::new();
    loop {
        match pieces.recv_timeout(Duration::from_millis(200)) {
            Ok(piece) => text.push_str(&String::from_utf8_lossy(&piece)),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                // A daemon started by the program may hold the pipes open; only the end of the program counts.
                if child.try_wait()?.is_some() {
                    break;
                }
            }
        }
        if started.elapsed() > limit {
            end(&mut child);
            ticker.clear();
            bail!("{} was ended after {}, its limit\n{}", shown(command), seconds(limit), tail(&text, 40));
        }
        ticker.tick(&text);
    }
    let status = child.wait()?;
    ticker.clear();
    Ok(Finished { status, text })
}

/// Like [`quiet`], for a step that must succeed.
///
/// # Errors
/// Also if the program fails; the error then shows the end of its output.
pub fn step(label: &str, command: &mut Command, limit: Duration) -> Result<String> {
    let finished = quiet(label, command, limit)?;
    if !finished.status.success() {
        bail!("{} failed ({})\n{}", shown(command), finished.status, tail(&finished.text, 40));
    }
    Ok(finished.text)
}

/// The last `count` lines.
pub fn tail(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines.get(lines.len().saturating_sub(count)..).unwrap_or_default().join("\n")
}

/// A duration for display: `7.3 s`, `2 min 05 s`.
pub fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    match whole {
        0..60 => format!("{:.1} s", duration.as_secs_f64()),
        _ => format!("{} min {:02} s", whole / 60, whole % 60),
    }
}

/// The command as typed in a shell.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Stops a program and all its descendants. They stay in our own process group, so that Ctrl-C reaches all of them; that is why the
/// descendants must be looked up here.
fn end(child: &mut Child) {
    let listing = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output();
    let listing = listing.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    for pid in descendants(child.id(), &listing) {
        let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).stderr(Stdio::null()).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Children, their children and so on, from lines of `process parent`.
fn descendants(ancestor: u32, listing: &str) -> Vec<u32> {
    let pair = |line: &str| {
        let mut words = line.split_whitespace().map(str::parse);
        Some((words.next()?.ok()?, words.next()?.ok()?))
    };
    let pairs: Vec<(u32, u32)> = listing.lines().filter_map(pair).collect();
    let mut family = vec![ancestor];
    let mut next = 0;
    while let Some(parent) = family.get(next).copied() {
        family.extend(pairs.iter().filter(|(pid, of)| *of == parent && *pid != ancestor).map(|(pid, _)| *pid));
        next += 1;
    }
    family.split_off(1)
}

/// Chunks of output in the order of arrival, from both streams.
fn pieces_of(child: &mut Child) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
        child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
    ];
    for mut stream in streams.into_iter().flatten() {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut buffer = vec![0; 8192];
            while let Ok(count) = stream.read(&mut buffer) {
                let piece = buffer.get(..count).unwrap_or_default().to_vec();
                if count == 0 || sender.send(piece).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}

/// The line that shows progress.
struct Ticker<'a> {
    label: &'a str,
    started: Instant,
    next: Duration,
    terminal: bool,
}

impl<'a> Ticker<'a> {
    fn new(label: &'a str, started: Instant) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let next = if terminal { Duration::from_millis(400) } else { Duration::from_secs(30) };
        Ticker { label, started, next, terminal }
    }

    fn tick(&mut self, text: &str) {
        let elapsed = self.started.elapsed();
        if elapsed < self.next {
            return;
        }
        let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let line: String = format!("  … {} ({}) {last}", self.label, seconds(elapsed)).chars().take(110).collect();
        if self.terminal {
            self.next = elapsed + Duration::from_millis(400);
            print!("\r\x1b[2K{line}");
        } else {
            self.next = elapsed + Duration::from_secs(30);
            println!("{line}");
        }
        let _ = std::io::stdout().flush();
    }

    fn clear(&self) {
        if self.terminal {
            print!("\r\x1b[2K");
            let _ = std::io::stdout().flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_streams_and_the_status_are_kept() {
        let finished = quiet("test", &mut sh("echo out; echo err >&2; exit 3"), Duration::from_secs(10)).unwrap();
        assert_eq!(finished.status.code(), Some(3));
        assert!(finished.text.contains("out\n") && finished.text.contains("err\n"));
    }

    #[test]
    fn a_program_past_its_limit_is_stopped_and_reported() {
        let started = Instant::now();
        let error = quiet("test", &mut sh("echo before; sleep 30"), Duration::from_millis(300)).err().unwrap();
        assert!(error.to_string().contains("its limit") && error.to_string().contains("before"), "{error}");
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn all_descendants_are_found() {
        assert_eq!(descendants(2, "1 0\n2 1\n3 2\n4 1\n5 3\n"), [3, 5]);
    }

    #[test]
    fn a_failed_step_shows_the_end_of_its_output() {
        let error = step("test", &mut sh("seq 100; exit 1"), Duration::from_secs(10)).unwrap_err().to_string();
        assert!(error.ends_with("\n100") && !error.contains("\n50\n"), "{error}");
    }

    #[test]
    fn durations_read_naturally() {
        assert_eq!(seconds(Duration::from_millis(7300)), "7.3 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
    }
}
