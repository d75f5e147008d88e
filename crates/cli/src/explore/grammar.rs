//! The grammar of properties, and error messages that name the wrong word. `docs/properties.md` describes properties in full.
use bytes::Bytes;
use world::Property;

/// The syntax of each property, and its meaning.
const GRAMMAR: [(&str, &str); 21] = [
    ("mutual-exclusion", "at most one thread is inside a section"),
    ("at-most NUMBER inside SECTION", "at most so many threads are inside that section"),
    ("only-owner-releases KEY", "a lock is deleted only by the client that set it, or when it expires"),
    (
        "everyone-gets-in SECTION [CLIENT…]",
        "at the end every client that has not crashed has been inside; or each of these clients",
    ),
    ("nobody-gives-up SECTION", "no program ends without having been inside"),
    ("no-deadlock", "some client can always go on"),
    ("everyone-gets-on", "every client that has not crashed can itself always go on"),
    ("checks", "every check() of a program is true"),
    ("no-errors", "no program fails with an error"),
    ("nothing-lost", "at the end every message that was produced() has been processed()"),
    ("processed-once", "no message is processed() twice"),
    ("in-order", "messages are processed() in the order in which they were produced()"),
    ("in-order-by-key", "the same among messages of one key"),
    ("sum always|end =|<=|>= NUMBER TERM…", "the sum of the terms is that number, after every step or at the end"),
    (
        "always|end [if CLAIM then] CLAIM",
        "the claim holds after every step or at the end, wherever the claim after `if` holds",
    ),
    (
        "TERM: key KEY, field KEY FIELD, length KEY, tally NAME, cell TABLE ROW COLUMN",
        "what is added up, with an optional factor: -2 key KEY",
    ),
    ("CLAIM: COMPARISON [and COMPARISON…] [or COMPARISON…]", "all joined by and, or all by or"),
    ("COMPARISON: exists PLACE, missing PLACE", "the value exists, or not"),
    ("COMPARISON: same PLACE PLACE, different PLACE PLACE", "both have the same value, or not"),
    ("COMPARISON: sum =|<=|>= NUMBER TERM…", "the sum of the terms is that number"),
    ("PLACE: key KEY, field KEY FIELD, text TEXT", "a value; a literal text comes second"),
];

/// Parses a property.
///
/// # Errors
/// Names the wrong word and lists the syntax of properties.
pub fn property(words: &[Bytes]) -> Result<Property, String> {
    Property::from_words(words).ok_or_else(|| format!("{}\n\n{}", wrong(words), grammar()))
}

/// The syntax of all properties, one per line.
fn grammar() -> String {
    let line = |(form, says): &(&str, &str)| format!("  {form:<57} {says}\n");
    format!("A property is one of these:\n{}", GRAMMAR.iter().map(line).collect::<String>())
}

/// The wrong part of a property.
fn wrong(words: &[Bytes]) -> String {
    let Some((name, rest)) = words.split_first() else { return "there are no words".to_owned() };
    let first = |form: &str| form.split(' ').next().unwrap_or_default().as_bytes().to_vec();
    let why = match name.as_ref() {
        b"sum" => wrong_sum(rest),
        b"always" | b"end" => wrong_claim(name, rest),
        b"at-most" => wrong_count(rest),
        b"everyone-gets-in" if !rest.is_empty() => {
            let clients = rest.get(1..).unwrap_or_default();
            let twice =
                clients.iter().enumerate().find(|(nth, name)| clients.iter().take(*nth).any(|other| other == *name));
            Err(match twice {
                Some((_, name)) => format!("the client {} is named twice", shown(name)),
                None => "more clients are named than there can be".to_owned(),
            })
        }
        _ => match GRAMMAR.iter().find(|(form, _)| first(form) == name.as_ref() && !form.contains(':')) {
            None => Err(format!("no property begins with {}", shown(name))),
            Some((form, _)) => Err(match rest.get(form.split(' ').count().saturating_sub(1)) {
                Some(more) => format!("{} is one word too many: {form}", shown(more)),
                None => format!("a word is missing: {form}"),
            }),
        },
    };
    why.err().unwrap_or_else(|| "this is no property".to_owned())
}

/// The error, or the remaining words after a correct part.
type Checked<'a> = Result<&'a [Bytes], String>;

fn shown(word: &Bytes) -> String {
    format!("'{}'", word.escape_ascii())
}

fn is_one(word: &Bytes, known: &[&str]) -> bool {
    known.iter().any(|known| word.as_ref() == known.as_bytes())
}

/// Requires that no words are left.
fn over(rest: &[Bytes]) -> Checked<'_> {
    rest.first().map_or(Ok(rest), |more| Err(format!("{} is one word too many", shown(more))))
}

/// An integer in its decimal form.
fn number(word: &Bytes) -> Result<i64, String> {
    let text = String::from_utf8_lossy(word);
    let number: i64 = text.parse().map_err(|_| format!("{} is no whole number", shown(word)))?;
    if number.to_string() == text {
        Ok(number)
    } else {
        Err(format!("{} is a whole number, but not as it is written: without a plus and zeros before it", shown(word)))
    }
}

fn wrong_count(words: &[Bytes]) -> Checked<'_> {
    let [most, inside, section, rest @ ..] = words else {
        return Err("a word is missing: at-most NUMBER inside SECTION".to_owned());
    };
    if u32::try_from(number(most)?).is_ok_and(|most| most > 0) {
        let is_inside = is_one(inside, &["inside"]);
        return if is_inside {
            over(rest)
        } else {
            Err(format!("{} is not inside, before {}", shown(inside), shown(section)))
        };
    }
    Err(format!("{} is no number of threads: 1 or more", shown(most)))
}

fn wrong_sum(words: &[Bytes]) -> Checked<'_> {
    match words {
        [] => Err("after sum comes when it is looked at: always or end".to_owned()),
        [when, ..] if !is_one(when, &["always", "end"]) => Err(format!("{} is neither always nor end", shown(when))),
        [_, rest @ ..] => {
            let rest = bounded(rest)?;
            rest.first().map_or(Ok(rest), |kind| Err(no_term(kind)))
        }
    }
}

fn no_term(word: &Bytes) -> String {
    format!("{} is none of key, field, length, tally, cell", shown(word))
}

/// Parses a sum, from its comparison sign to the last of its terms.
fn bounded(words: &[Bytes]) -> Checked<'_> {
    let (bound, mut rest) = match words {
        [] => return Err("after that comes =, <= or >=".to_owned()),
        [sign, ..] if !is_one(sign, &["=", "<=", ">="]) => return Err(format!("{} is none of =, <=, >=", shown(sign))),
        [_] => return Err("after that comes a whole number".to_owned()),
        [_, bound, rest @ ..] => (bound, rest),
    };
    number(bound)?;
    if rest.is_empty() {
        return Err(format!("after {} come the terms that are added up", shown(bound)));
    }
    let mut is_first = true;
    while let Some((kind, after)) = rest.split_first() {
        let is_number = std::str::from_utf8(kind).is_ok_and(|text| text.parse::<i64>().is_ok());
        let (kind, after) = if is_number {
            match number(kind)? {
                0 | 1 => return Err(format!("{} is no factor: without one a term counts once", shown(kind))),
                factor if i32::try_from(factor).is_err() => {
                    return Err(format!("{} is too large a factor: it has 32 bits", shown(kind)));
                }
                _ => {
                    after.split_first().ok_or_else(|| format!("after the factor {} a term is missing", shown(kind)))?
                }
            }
        } else {
            (kind, after)
        };
        let names = match kind.as_ref() {
            b"key" | b"length" | b"tally" => 1,
            b"field" => 2,
            b"cell" => 3,
            _ if is_number || is_first => return Err(no_term(kind)),
            _ => break,
        };
        rest = after.get(names..).ok_or_else(|| format!("after {} a name is missing", shown(kind)))?;
        is_first = false;
    }
    Ok(rest)
}

fn wrong_claim<'a>(when: &Bytes, words: &'a [Bytes]) -> Checked<'a> {
    let (before, words) = match words {
        [word, rest @ ..] if is_one(word, &["if"]) => {
            let rest = formula("if", rest)?;
            match rest.split_first() {
                Some((then, rest)) if is_one(then, &["then"]) => ("then".to_owned(), rest),
                Some((word, _)) => return Err(format!("{} is none of and, or, then", shown(word))),
                None => return Err("behind if comes then, and what is true in that case".to_owned()),
            }
        }
        _ => (String::from_utf8_lossy(when).into_owned(), words),
    };
    let rest = formula(&before, words)?;
    rest.first().map_or(Ok(rest), |word| Err(format!("{} is neither and nor or", shown(word))))
}

fn formula<'a>(before: &str, words: &'a [Bytes]) -> Checked<'a> {
    let (mut rest, mut joint): (_, Option<&Bytes>) = (comparison(before, words)?, None);
    while let Some((word, after)) = rest.split_first().filter(|(word, _)| is_one(word, &["and", "or"])) {
        if *joint.get_or_insert(word) != word {
            return Err(format!("{} behind another joint: all are joined by and, or all by or", shown(word)));
        }
        rest = comparison(&String::from_utf8_lossy(word), after)?;
    }
    Ok(rest)
}

fn comparison<'a>(before: &str, words: &'a [Bytes]) -> Checked<'a> {
    let known = "exists, missing, same, different, sum";
    let Some((kind, rest)) = words.split_first() else { return Err(format!("after {before} comes one of {known}")) };
    let places = match kind.as_ref() {
        b"sum" => return bounded(rest),
        b"exists" | b"missing" => 1,
        b"same" | b"different" => 2,
        _ => return Err(format!("{} is none of {known}", shown(kind))),
    };
    let mut rest = rest;
    let mut seen: Vec<&[Bytes]> = Vec::new();
    for nth in 0..places {
        let Some((kind, names)) = rest.split_first() else {
            return Err(format!("after {} a place is missing: key, field or text", shown(kind)));
        };
        let count = match kind.as_ref() {
            b"text" if nth == 0 => {
                return Err("a text that is written out is there always, and comes second".to_owned());
            }
            b"key" | b"text" => 2,
            b"field" => 3,
            _ => return Err(format!("{} is none of key, field, text", shown(kind))),
        };
        let Some((place, after)) = rest.split_at_checked(count) else {
            return Err(format!(
                "after {} {} missing",
                shown(kind),
                if names.is_empty() { "a name is" } else { "the field is" }
            ));
        };
        if seen.contains(&place) {
            return Err(format!("{} is compared with itself", place.iter().map(shown).collect::<Vec<_>>().join(" ")));
        }
        seen.push(place);
        rest = after;
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Bytes> {
        text.split(' ').filter(|word| !word.is_empty()).map(|word| Bytes::copy_from_slice(word.as_bytes())).collect()
    }

    #[test]
    fn every_listed_form_parses_as_a_property() {
        for (form, _) in GRAMMAR.iter().filter(|(form, _)| !form.contains(':')) {
            let text = form
                .replace(
                    "always|end =|<=|>= NUMBER TERM…",
                    "end >= -5 key KEY field KEY FIELD -2 length KEY tally NAME cell TABLE ROW COLUMN",
                )
                .replace("always|end [if CLAIM then] CLAIM", "always if exists key A then same key A field B C")
                .replace("NUMBER", "3")
                .replace(" [CLIENT…]", "");
            assert!(property(&words(&text)).is_ok(), "{text}");
            let (less, _) = text.rsplit_once(' ').unwrap_or_default();
            assert!(property(&words(less)).is_err(), "{text}");
            let takes_more = text.starts_with("everyone-gets-in");
            assert_eq!(property(&words(&format!("{text} more"))).is_ok(), takes_more, "{text}");
        }
    }

    #[test]
    fn the_wrong_part_is_named() {
        for (text, part) in [
            ("", "there are no words"),
            ("mutual exclusion", "no property begins with 'mutual'"),
            ("TERM: key", "no property begins with 'TERM:'"),
            ("checks all", "'all' is one word too many: checks"),
            ("only-owner-releases", "a word is missing: only-owner-releases KEY"),
            ("sum", "after sum comes when"),
            ("sum never = 5", "'never' is neither always nor end"),
            ("sum end", "after that comes =, <= or >="),
            ("sum end == 5 key a", "'==' is none of =, <=, >="),
            ("sum end =", "after that comes a whole number"),
            ("sum end = five key a", "'five' is no whole number"),
            ("sum end = 05 key a", "'05' is a whole number, but not as it is written"),
            ("sum end = 9223372036854775808 key a", "'9223372036854775808' is no whole number"),
            ("sum end = 5", "after '5' come the terms"),
            ("sum end = 5 stock", "'stock' is none of key, field, length, tally, cell"),
            ("sum end = 5 key a stock", "'stock' is none of key, field, length, tally, cell"),
            ("sum end = 5 key a field b", "after 'field' a name is missing"),
            ("sum end = 5 0 key a", "'0' is no factor"),
            ("sum end = 5 key a 1 key b", "'1' is no factor"),
            ("sum end = 5 +2 key b", "'+2' is a whole number, but not as it is written"),
            ("sum end = 5 2147483648 key b", "'2147483648' is too large a factor"),
            ("sum end = 5 -2", "after the factor '-2' a term is missing"),
            ("sum end = 5 -2 -2 key a", "'-2' is none of key, field, length, tally, cell"),
            ("everyone-gets-in", "a word is missing: everyone-gets-in SECTION [CLIENT…]"),
            ("everyone-gets-in s c1 c2 c1", "the client 'c1' is named twice"),
            ("nobody-gives-up", "a word is missing: nobody-gives-up SECTION"),
            ("everyone-gets-on s", "'s' is one word too many: everyone-gets-on"),
            ("at-most 3 pool", "a word is missing: at-most NUMBER inside SECTION"),
            ("at-most 3 in pool", "'in' is not inside, before 'pool'"),
            ("at-most 0 inside pool", "'0' is no number of threads"),
            ("at-most -1 inside pool", "'-1' is no number of threads"),
            ("at-most 03 inside pool", "'03' is a whole number, but not as it is written"),
            ("at-most 3 inside pool now", "'now' is one word too many"),
            ("always", "after always comes one of exists"),
            ("end exist key a", "'exist' is none of exists, missing, same, different, sum"),
            ("end exists a", "'a' is none of key, field, text"),
            ("end exists key", "after 'key' a name is missing"),
            ("end exists field a", "after 'field' the field is missing"),
            ("end exists text a", "a text that is written out is there always"),
            ("end same key a", "after 'same' a place is missing"),
            ("end same text a key a", "a text that is written out is there always, and comes second"),
            ("end same key a key a", "'key' 'a' is compared with itself"),
            ("always if exists key a", "behind if comes then"),
            ("always if exists key a same key a key b", "'same' is none of and, or, then"),
            ("always if exists key a then", "after then comes one of exists"),
            ("always if then exists key a", "'then' is none of exists, missing"),
            ("always exists key a then exists key b", "'then' is neither and nor or"),
            ("always exists key a and exists key b or exists key c", "'or' behind another joint"),
            ("always exists key a and", "after and comes one of exists"),
            ("always if sum = 5 key a stock then exists key b", "'stock' is none of and, or, then"),
            ("always sum = five key a", "'five' is no whole number"),
        ] {
            let why = property(&words(text)).expect_err(text);
            assert!(why.starts_with(part) && why.contains("  only-owner-releases KEY "), "{text}: {why}");
        }
    }

    #[test]
    fn truncated_and_foreign_words_are_named_in_errors() {
        let right = "always if exists key then and sum <= 5 -2 key a field b c 3 tally or then different field x y text if or missing key z";
        let right = words(right);
        assert!(property(&right).is_ok());
        for cut in 0..right.len() {
            let foreign: Vec<Bytes> = right
                .iter()
                .enumerate()
                .map(|(nth, word)| if nth == cut { "\u{7f}".into() } else { word.clone() })
                .collect();
            for part in [&right[..cut], &right[cut..], &foreign] {
                let why =
                    property(part).err().filter(|why| why.starts_with("this is no property") || why.starts_with('\n'));
                assert_eq!(why, None, "{part:?}");
            }
        }
    }
}
