//! The options of `lockstep serve`, and the configuration of the model that results from them.
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use redis_model::Config;

use super::Failure;

/// Options of `lockstep serve`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Options {
    /// Port to listen on; 0 selects a free port and prints it
    #[arg(long, default_value_t = 6380)]
    port: u16,
    /// Address to listen on; 0.0.0.0 accepts other machines
    #[arg(long, default_value = "127.0.0.1")]
    bind: IpAddr,
    /// Seed of all randomness: the same seed and the same inputs at the same times give the same replies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of databases that SELECT can choose from
    #[arg(long, default_value_t = DATABASES, value_parser = clap::value_parser!(u16).range(1..=16_384))]
    databases: u16,
    /// Memory limit of all keys, as in redis.conf (64mb, 1gb …); 0: no limit
    #[arg(long, default_value = "0", value_name = "BYTES")]
    maxmemory: String,
    /// Password that clients must give first
    #[arg(long, value_name = "PASSWORD")]
    requirepass: Option<String>,
    /// Any other parameter that CONFIG SET knows, for instance --set timeout=30 --set maxclients=100
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    set: Vec<(String, String)>,
    /// Record everything that clients do in this file, in a form that the page can open
    /// The recording contains connections, commands and times. It ends with a message when it reaches the size limit of a session; the
    /// server continues. Clients get made-up addresses, as in the page, so that a replay gives the same replies.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["set", "requirepass"])]
    pub record: Option<PathBuf>,
}

/// The default of Redis, and the only number that a recording supports.
const DATABASES: u16 = 16;

const EXAMPLES: &str = "\
Examples:
  lockstep serve                                    then: redis-cli -p 6380
  lockstep serve --port 7000 --maxmemory 64mb --set maxmemory-policy=allkeys-lru
  lockstep serve --record today.lockstep            what your application does, to be stepped through in the page

Time is the wall clock: TTLs, blocking timeouts and INFO behave as on a server. What the model does not cover answers an
error that says so; nothing is saved on disk.";

fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, for instance timeout=30")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl Options {
    /// The address to listen on.
    pub fn addr(&self) -> std::net::SocketAddr {
        (self.bind, self.port).into()
    }

    /// Can any client that reaches the port connect without a password?
    pub fn is_open(&self) -> bool {
        self.requirepass.as_deref().unwrap_or_default().is_empty()
    }

    /// The model's configuration.
    ///
    /// # Errors
    /// Which option is invalid, and why.
    pub fn config(&self) -> Result<Config, Failure> {
        let mut config = Config { seed: self.seed, databases: self.databases.into(), ..Config::default() };
        let refused = |what: &str, why: String| Failure::from(format!("{what}: {why}"));
        config.set_parameter("maxmemory", &self.maxmemory).map_err(|why| refused("--maxmemory", why))?;
        if self.record.is_some() {
            if self.databases != DATABASES {
                return Err(format!("--record: the page's servers have {DATABASES} databases").into());
            }
            // Servers in the page report port 6379, and a replay must give the same replies.
            return Ok(config);
        }
        config.port = self.port;
        let requirepass = self.requirepass.iter().map(|password| ("requirepass", password.as_str()));
        let others = self.set.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in requirepass.chain(others) {
            config.set_parameter(name, value).map_err(|why| refused(name, why))?;
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        options: Options,
    }

    fn config(words: &[&str]) -> Result<Config, String> {
        let alone = Alone::try_parse_from(std::iter::once(&"serve").chain(words)).map_err(|error| error.to_string())?;
        alone.options.config().map_err(|error| error.to_string())
    }

    #[test]
    fn parameters_are_read_as_redis_reads_them() {
        let config = config(&["--maxmemory", "64mb", "--databases", "3", "--set", "timeout=30"]).unwrap();
        assert_eq!((config.maxmemory, config.databases), (64 << 20, 3));
        assert_eq!(config.parameter("timeout").unwrap(), "30");
    }

    #[test]
    fn invalid_options_are_reported_before_the_server_starts() {
        for (words, complaint) in [
            (&["--maxmemory", "lots"][..], "--maxmemory: argument must be a memory value"),
            (&["--set", "timeout=-1"], "timeout: argument must be between 0 and 2147483647 inclusive"),
            (&["--set", "nonsense=1"], "nonsense: Unknown option or number of arguments"),
            (&["--set", "timeout"], "expected NAME=VALUE"),
            (&["--record", "x", "--databases", "4"], "--record: the page's servers have 16 databases"),
            (&["--record", "x", "--requirepass", "y"], "cannot be used with"),
        ] {
            let error = config(words).unwrap_err();
            assert!(error.contains(complaint), "{words:?}: {error}");
        }
    }
}
