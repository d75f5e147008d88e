//! The text form of claims, for compiled lessons.
use std::iter;

use bytes::Bytes;
use resp::split;

use super::{Claim, Prints, Reason};
use crate::traffic::bound::Bound;

/// An open bound.
const OPEN: &str = "*";

impl Claim {
    /// The claim's text: words that redis-cli can split.
    pub fn to_text(&self) -> String {
        split::quote_command(&self.to_words())
    }

    /// Parses a claim; `None` if the text is not one.
    ///
    /// ```
    /// use world::claim::{Claim, Prints};
    /// let claim = Claim::from_text("ask 'TTL lock' in 1 10").ok_or("no claim")?;
    /// let Claim::Ask { command, prints } = &claim else { return Err("it asks") };
    /// assert_eq!((command.len(), prints), (2, &Prints::Within(Some(1), Some(10))));
    /// assert_eq!(Claim::from_text(&claim.to_text()), Some(claim));
    /// # Ok::<(), &str>(())
    /// ```
    pub fn from_text(text: &str) -> Option<Claim> {
        let words = split::split(text.as_bytes()).ok()?;
        let words: Vec<&str> = words.iter().map(|word| std::str::from_utf8(word)).collect::<Result<_, _>>().ok()?;
        Claim::from_words(&words)
    }

    fn to_words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        if let Claim::Count { by: Some(by), .. }
        | Claim::Without { by: Some(by), .. }
        | Claim::Sent { by: Some(by), .. } = self
        {
            words.extend(["by".to_owned(), by.clone()]);
        }
        let line = |command: &Vec<Bytes>| split::quote_command(command);
        match self {
            Claim::Ask { command, prints } => {
                words.extend(["ask".to_owned(), line(command)]);
                words.extend(prints.to_words());
            }
            Claim::Reply { client, prints } => {
                words.extend(["reply".to_owned(), client.clone()]);
                words.extend(prints.to_words());
            }
            Claim::Count { is_most, commands, .. } => {
                words.extend([if *is_most { "at-most" } else { "at-least" }.to_owned(), commands.to_string()]);
            }
            Claim::Without { commands, .. } => {
                words.extend(iter::once("without".to_owned()).chain(commands.iter().map(line)));
            }
            Claim::Sent { commands, lacks, .. } => {
                words.extend(iter::once("sent".to_owned()).chain(commands.iter().map(line)));
                if !lacks.is_empty() {
                    words.push("lacks".to_owned());
                    words.extend(lacks.iter().map(|word| String::from_utf8_lossy(word).into_owned()));
                }
            }
            Claim::Closed { client, is_closed, reasons } => {
                words.extend([if *is_closed { "closed" } else { "not-closed" }.to_owned(), client.clone()]);
                let word = |reason: &Reason| Reason::WORDS.iter().find(|(_, other)| other == reason);
                words.extend(reasons.iter().filter_map(word).map(|(word, _)| (*word).to_owned()));
            }
            Claim::Traffic(bound) => {
                words.push("traffic".to_owned());
                words.extend(bound.to_words());
            }
            Claim::Handler(text) => words.extend(["handler".to_owned(), text.clone()]),
        }
        words
    }

    fn from_words(words: &[&str]) -> Option<Claim> {
        let (by, words) = match words {
            ["by", by, rest @ ..] => (Some((*by).to_owned()), rest),
            _ => (None, words),
        };
        let claim = match words {
            ["ask", command, prints @ ..] => Claim::Ask { command: command_of(command)?, prints: Prints::of(prints)? },
            ["reply", client, prints @ ..] => {
                Claim::Reply { client: (*client).to_owned(), prints: Prints::of(prints)? }
            }
            [word @ ("closed" | "not-closed"), client, reasons @ ..] if !reasons.is_empty() => Claim::Closed {
                client: (*client).to_owned(),
                is_closed: *word == "closed",
                reasons: reasons.iter().map(|word| reason_of(word)).collect::<Option<_>>()?,
            },
            [word @ ("at-most" | "at-least"), n] => {
                return Some(Claim::Count { by, is_most: *word == "at-most", commands: n.parse().ok()? });
            }
            ["traffic", bound @ ..] => Claim::Traffic(Bound::from_words(bound)?),
            ["handler", text] => Claim::Handler((*text).to_owned()),
            ["without", commands @ ..] => return Some(Claim::Without { by, commands: commands_of(commands)? }),
            ["sent", rest @ ..] => {
                let at = rest.iter().position(|word| *word == "lacks");
                let (commands, lacks) = rest.split_at_checked(at.unwrap_or(rest.len()))?;
                let lacks: Vec<Bytes> = lacks.iter().skip(1).map(|word| Bytes::from((*word).to_owned())).collect();
                if at.is_some() && lacks.is_empty() {
                    return None;
                }
                return Some(Claim::Sent { by, commands: commands_of(commands)?, lacks });
            }
            _ => return None,
        };
        // `ask` takes no client; `reply` and `closed` name their own.
        by.is_none().then_some(claim)
    }
}

fn reason_of(word: &str) -> Option<Reason> {
    Reason::WORDS.iter().find(|(other, _)| *other == word).map(|(_, reason)| *reason)
}

fn command_of(line: &str) -> Option<Vec<Bytes>> {
    split::split(line.as_bytes()).ok().filter(|words| !words.is_empty())
}

fn commands_of(lines: &[&str]) -> Option<Vec<Vec<Bytes>>> {
    let commands = lines.iter().map(|line| command_of(line)).collect::<Option<Vec<_>>>()?;
    Some(commands).filter(|commands| !commands.is_empty())
}

impl Prints {
    fn to_words(&self) -> Vec<String> {
        let texts = |word: &str, texts: &[String]| iter::once(word.to_owned()).chain(texts.iter().cloned()).collect();
        let bound = |bound: &Option<i64>| bound.map_or_else(|| OPEN.to_owned(), |n| n.to_string());
        match self {
            Prints::Any(all) => texts("is", all),
            Prints::Not(all) => texts("not", all),
            Prints::Within(from, to) => vec!["in".to_owned(), bound(from), bound(to)],
        }
    }

    fn of(words: &[&str]) -> Option<Prints> {
        let bound = |word: &str| if word == OPEN { Some(None) } else { word.parse().ok().map(Some) };
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        match words {
            ["is", all @ ..] if !all.is_empty() => Some(Prints::Any(texts(all))),
            ["not", all @ ..] if !all.is_empty() => Some(Prints::Not(texts(all))),
            ["in", from, to] => Some(Prints::Within(bound(from)?, bound(to)?)),
            _ => None,
        }
    }
}
