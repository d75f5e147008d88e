//! Differential runs: the same random commands on the model and on a real server.
//!
//! A run consists of *rounds*. Each round starts from an empty server with three clients and ends with a comparison of all keys. A round is
//! a function of the seed and its number, so every difference is reproducible; it is shrunk and printed as a golden script.
mod generate;
mod grammar;
mod picks;
mod play;
mod pools;
pub mod rules;
#[cfg(test)]
mod rules_tests;
mod scripts;
mod shrink;
mod streams;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use resp::Protocol;
use resp::split::quote_command;

use crate::golden::{Script, Side, run as run_script};
use crate::target::{RealTarget, ServerProcess, TargetError};
use generate::{Action, CLIENTS, Generator, Round};
use play::{Difference, Player};

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Total number of commands, including those that compare keys.
    pub commands: usize,
    /// Seed of all randomness.
    pub seed: u64,
    /// Families (`string`, `sorted-set` …); all if empty.
    pub families: Vec<String>,
    /// Commands per round.
    pub round: usize,
    /// Number of kinds of differences after which to stop.
    pub differences_max: usize,
    /// Run only this round.
    pub only_round: Option<u64>,
    /// The program to start as the real server; the default is redis-server.
    pub server: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            commands: 10_000,
            seed: 1,
            families: Vec::new(),
            round: 400,
            differences_max: 10,
            only_round: None,
            server: None,
        }
    }
}

/// The result of a run. Its text shows each difference and ends with a summary line.
#[derive(Clone, Debug)]
pub struct Report {
    /// Commands that ran on each side.
    pub commands: usize,
    /// Messages of the model that were compared with one of the real server.
    pub compared: usize,
    /// Rounds.
    pub rounds: u64,
    /// Commands of the table that can be generated.
    pub kinds: usize,
    /// The seed.
    pub seed: u64,
    /// One shrunk difference per kind, with its count.
    pub differences: Vec<(Shrunk, usize)>,
    /// Per command: the number of replies, and the number of errors among them.
    pub answers: BTreeMap<String, (usize, usize)>,
    /// Wall time.
    pub took: Duration,
}

impl Report {
    /// Did the run show that both sides are the same?
    ///
    /// # Errors
    /// The differences, or that too few messages were compared to prove anything.
    pub fn verdict(&self, wanted: usize) -> Result<(), String> {
        if !self.differences.is_empty() {
            return Err(self.to_string());
        }
        if self.commands == 0 || self.commands < wanted {
            return Err(format!("only {} of {wanted} commands were run on both sides", self.commands));
        }
        // Nearly every command gets a reply; a blocked command gets it later.
        if self.compared < self.commands / 2 {
            return Err(format!("only {} replies to {} commands were compared", self.compared, self.commands));
        }
        Ok(())
    }

    /// Per command, the number of replies and the share of errors: shows how useful the random commands are.
    pub fn coverage(&self) -> String {
        let line = |(name, (answers, errors)): (&String, &(usize, usize))| {
            format!("{name:24} {answers:8} {:4} % errors\n", errors.saturating_mul(100) / (*answers).max(1))
        };
        self.answers.iter().map(line).collect()
    }
}

/// A shrunk difference.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The number of its round.
    pub round: u64,
    /// A golden script with the replies of the real server.
    pub script: String,
    /// The first command whose replies differ.
    pub command: String,
    /// The output of the model.
    pub model: String,
    /// The output of the real server.
    pub real: String,
}

/// Runs both sides and compares them.
///
/// # Errors
/// If no real server can be started, or it fails.
pub fn run(options: &Options) -> Result<Report, TargetError> {
    let started = Instant::now();
    let generator = Generator::new(&options.families);
    let program = options.server.clone().unwrap_or_else(ServerProcess::program);
    let mut player = Player::new(RealTarget::start_program(&program)?);
    let mut found: BTreeMap<(String, String, String), (Shrunk, usize)> = BTreeMap::new();
    let mut rounds = 0;
    let (mut commands, mut compared) = (0, 0_usize);
    let mut answers = BTreeMap::new();
    while commands < options.commands && found.len() < options.differences_max && generator.commands() > 0 {
        let number = options.only_round.unwrap_or(rounds);
        let round = generator.round(options.seed, number, options.round);
        (player.commands, player.compared) = (0, 0);
        player.answers = std::mem::take(&mut answers);
        let difference = player.play(&round)?;
        answers = std::mem::take(&mut player.answers);
        commands = commands.saturating_add(player.commands);
        compared = compared.saturating_add(player.compared);
        rounds = rounds.saturating_add(1);
        if let Some(difference) = difference {
            let kind = shrink::kind(&difference);
            if let Some((_, times)) = found.get_mut(&kind) {
                *times = times.saturating_add(1);
            } else {
                let (small, difference) = shrink::shrink(&mut player, &round, difference)?;
                let (shrunk, again) = explain(player, number, &small, &difference)?;
                player = again;
                found.insert(kind, (shrunk, 1));
            }
        }
        if options.only_round.is_some() {
            break;
        }
    }
    let differences = found.into_values().collect();
    let (kinds, seed) = (generator.commands(), options.seed);
    Ok(Report { commands, compared, rounds, kinds, seed, differences, answers, took: started.elapsed() })
}

/// Lines of a golden script with random commands (`a> GET k`), at most `length` of them; the same seed makes the same lines. Fuzz
/// targets put them into their inputs.
pub fn random_commands(seed: u64, length: usize) -> Vec<String> {
    static GENERATOR: LazyLock<Generator> = LazyLock::new(|| Generator::new(&[]));
    let round = GENERATOR.round(seed, 0, length);
    let lines: String = round.actions.iter().map(script_lines).collect();
    lines.lines().take(length).map(str::to_owned).collect()
}

/// Writes a shrunk round as a golden script with the real server's replies.
fn explain(
    player: Player,
    number: u64,
    round: &Round,
    difference: &Difference,
) -> Result<(Shrunk, Player), TargetError> {
    let mut text = String::new();
    for (name, value) in &round.config {
        text.push_str(&format!("! config {name} {}\n", quote_command(&[value])));
    }
    for (client, protocol) in CLIENTS.iter().zip(round.protocols) {
        if protocol == Protocol::Resp3 {
            text.push_str(&format!("! resp {client} 3\n"));
        }
    }
    for action in &round.actions {
        text.push_str(&script_lines(action));
    }
    let mut real = player.into_real();
    let script = match Script::parse(&text) {
        Ok(mut script) => {
            run_script(&mut script, &mut real, Side::Real, true)?;
            script.to_string()
        }
        Err(error) => format!("{text}({error})\n"),
    };
    let shrunk = Shrunk {
        round: number,
        script,
        command: format!("{}> {}", difference.client, quote_command(&difference.argv)),
        model: difference.model.clone(),
        real: difference.real.clone(),
    };
    Ok((shrunk, Player::new(real)))
}

fn script_lines(action: &Action) -> String {
    let name = |client: &usize| CLIENTS.get(*client).copied().unwrap_or_default();
    match action {
        Action::Send { client, commands } => {
            commands.iter().map(|argv| format!("{}> {}\n", name(client), quote_command(argv))).collect()
        }
        Action::Expire { client, key } => format!("{}> PEXPIRE {} 5\n@+10ms\n", name(client), quote_command(&[key])),
        Action::Reconnect { client } => format!("! disconnect {}\n", name(client)),
        Action::Check => String::new(),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (shrunk, times) in &self.differences {
            writeln!(f, "# round {} of seed {}, seen {times} times", shrunk.round, self.seed)?;
            write!(f, "{}", shrunk.script)?;
            writeln!(f, "# differs at: {}", shrunk.command)?;
            for (side, text) in [("model", &shrunk.model), ("real ", &shrunk.real)] {
                for line in text.lines().take(40) {
                    writeln!(f, "#   {side}  {line}")?;
                }
            }
            writeln!(f)?;
        }
        write!(
            f,
            "{} commands ({} kinds) in {} rounds on both sides, seed {}: {} kinds of differences, {:.1} s",
            self.commands,
            self.kinds,
            self.rounds,
            self.seed,
            self.differences.len(),
            self.took.as_secs_f64()
        )
    }
}
