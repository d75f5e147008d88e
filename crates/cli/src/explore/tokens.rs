//! Readable names for texts that clients drew with `uuid()`: `<c1's token>` for `3f0a61c2-…`.
use script::program::Reply;
use world::{Input, World};

use super::schedule::name;

/// The texts drawn in a schedule, each with its name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tokens(Vec<(String, String)>);

impl Tokens {
    /// The texts drawn before this schedule and in it. A second text with the same name gets a number, so names are unique.
    pub fn of(start: &World, schedule: &[Input]) -> Tokens {
        let mut tokens = Tokens::default();
        let mut world = start.clone();
        tokens.note(&world);
        for input in schedule {
            let _ = world.step(input);
            tokens.note(&world);
        }
        tokens
    }

    /// Collects the answers of programs so far; a program that is loaded again loses them.
    fn note(&mut self, world: &World) {
        for (client, found) in world.clients() {
            let Some(process) = found.program.as_ref() else { continue };
            let mut drawn: Vec<String> = process.history().newest_first().filter_map(drawn).collect();
            drawn.reverse();
            for token in drawn {
                if self.0.iter().all(|(known, _)| *known != token) {
                    let owner = name(world, client);
                    self.add(token, &owner);
                }
            }
        }
    }

    fn add(&mut self, token: String, owner: &str) {
        let first = format!("<{owner}'s token>");
        let more = (2_u32..).map(|number| format!("<{owner}'s token {number}>"));
        let is_free = |name: &String| self.0.iter().all(|(_, known)| known != name);
        if let Some(name) = std::iter::once(first).chain(more).find(is_free) {
            self.0.push((token, name));
        }
    }

    /// Replaces drawn texts by their names.
    pub fn named(&self, text: String) -> String {
        self.0.iter().fold(
            text,
            |text, (token, name)| {
                if text.contains(token.as_str()) { text.replace(token.as_str(), name) } else { text }
            },
        )
    }

    /// The meaning of the names in this text, on one line; empty if there are none.
    pub fn meaning(&self, text: &str) -> Option<String> {
        let (_, name) = self.0.iter().find(|(_, name)| text.contains(name.as_str()))?;
        Some(format!("{name} is what uuid() gave to that client; --json has it whole"))
    }
}

/// The texts that `uuid()` has returned.
fn drawn(answer: &script::program::Answer) -> Option<String> {
    match &answer.reply {
        Reply::Text(text) => String::from_utf8(text.to_vec()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_names_are_unique() {
        let mut tokens = Tokens::default();
        for (token, owner) in [("aa-1", "c1"), ("bb-2", "c2"), ("cc-3", "c1"), ("dd-4", "c1")] {
            tokens.add(token.to_owned(), owner);
        }
        let named = tokens.named("SET lock aa-1; SET lock bb-2; GET key:cc-3; → \"dd-4\"; GET ee-5".to_owned());
        let expected =
            "SET lock <c1's token>; SET lock <c2's token>; GET key:<c1's token 2>; → \"<c1's token 3>\"; GET ee-5";
        assert_eq!(named, expected);
        assert!(tokens.meaning(&named).is_some_and(|meaning| meaning.starts_with("<c1's token> is what uuid() gave")));
        assert_eq!(tokens.meaning("PING"), None);
        // Two clients with the same name.
        tokens.add("ff-6".to_owned(), "c2");
        assert_eq!(tokens.named("ff-6".to_owned()), "<c2's token 2>");
    }
}
