//! A hash as the card on which an application shows a record: which hashes fit on one, which field is its title, and what the last step did
//! to each field.
use bytes::Bytes;
use redis_model::value::hash::Hash;

use super::Mark;

/// A record has at least two fields; more than twelve do not fit on a card.
const FIELDS_MIN: usize = 2;
const FIELDS_MAX: usize = 12;
/// Maximum number of characters of a field's name and of its value.
const NAME_CHARS_MAX: usize = 24;
const VALUE_CHARS_MAX: usize = 40;
/// An older version with more fields than this is not searched for removed ones.
const COMPARED_MAX: usize = 5_000;

/// Names of fields whose value is the title of a record, the best first.
const TITLES: [&str; 12] =
    ["name", "title", "nickname", "username", "label", "名称", "姓名", "标题", "名字", "昵称", "商品名", "书名"];

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardField {
    /// The name.
    pub name: Bytes,
    /// The value; of a removed field, the last one.
    pub value: Bytes,
    /// The value before the last step, if that step changed it.
    pub was: Option<Bytes>,
    /// What the last step did to the field.
    pub mark: Mark,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The fields in the order of the hash, and then the removed ones.
    pub fields: Vec<CardField>,
    /// The position of the field that is the title.
    pub title: Option<usize>,
}

impl Card {
    /// The record that a hash describes; `None` if its fields do not fit on a card: too few or too many, or one that is not short text.
    #[inline(never)]
    pub fn of(before: Option<&Hash>, now: &Hash, is_changed: bool) -> Option<Card> {
        if now.len() > FIELDS_MAX {
            return None;
        }
        let before = before.filter(|_| is_changed);
        let field = |(name, value): (&Bytes, &Bytes)| {
            let was = before.and_then(|before| before.get(name));
            let mark = Mark::of(is_changed, was, value);
            let was = was.filter(|_| mark == Mark::Changed).cloned();
            CardField { name: name.clone(), value: value.clone(), was, mark }
        };
        let mut fields: Vec<CardField> = now.iter().map(field).collect();
        if !fields.iter().all(|field| is_name(&field.name) && is_text(&field.value, VALUE_CHARS_MAX)) {
            return None;
        }
        if let Some(before) = before.filter(|before| before.len() <= COMPARED_MAX) {
            let gone = before.iter().filter(|(name, _)| !now.contains(name)).take(FIELDS_MAX);
            fields.extend(gone.map(|(name, value)| CardField {
                name: name.clone(),
                value: value.clone(),
                was: None,
                mark: Mark::Gone,
            }));
        }
        let title = TITLES.iter().find_map(|title| {
            let is_title = |field: &CardField| {
                field.mark != Mark::Gone && !field.value.is_empty() && field.name.eq_ignore_ascii_case(title.as_bytes())
            };
            fields.iter().position(is_title)
        });
        (fields.len() >= FIELDS_MIN).then_some(Card { fields, title })
    }
}

fn is_name(bytes: &[u8]) -> bool {
    !bytes.is_empty() && is_text(bytes, NAME_CHARS_MAX)
}

/// Whether these bytes are one short line of text. Characters that change the direction of what follows would rearrange the card.
fn is_text(bytes: &[u8], chars_max: usize) -> bool {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    std::str::from_utf8(bytes)
        .is_ok_and(|text| text.chars().count() <= chars_max && text.chars().all(|c| !c.is_control() && !turns(c)))
}

#[cfg(test)]
mod tests {
    use redis_model::value::Value;

    use super::super::tests::look_after;
    use super::{Card, Mark};

    fn card_after(lines: &[&str]) -> Option<Card> {
        let look = look_after(lines);
        let before = if let Some(Value::Hash(before)) = look.value_before() { Some(&**before) } else { None };
        let Some(Value::Hash(now)) = look.value() else { panic!("no hash") };
        Card::of(before, now, look.is_changed())
    }

    /// The fields as `name=value`, with the mark and the old value; the title is in brackets.
    fn shown(card: &Card) -> Vec<String> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        card.fields
            .iter()
            .enumerate()
            .map(|(nth, field)| {
                let sign = match field.mark {
                    Mark::Same => "",
                    Mark::New => "+",
                    Mark::Changed => "*",
                    Mark::Gone => "-",
                };
                let was = field.was.as_ref().map(|was| format!("{}>", text(was))).unwrap_or_default();
                let one = format!("{sign}{}={was}{}", text(&field.name), text(&field.value));
                if card.title == Some(nth) { format!("[{one}]") } else { one }
            })
            .collect()
    }

    const TEA: &str = "HSET product:7 name Longjing price 58 stock 2";

    #[test]
    fn fields_stand_in_the_order_of_the_hash_with_what_the_step_did() {
        for (lines, wanted) in [
            (&[TEA][..], &["[+name=Longjing]", "+price=58", "+stock=2"][..]),
            (&[TEA, "HGET product:7 price"], &["[name=Longjing]", "price=58", "stock=2"]),
            (&[TEA, "HSET product:7 price 60"], &["[name=Longjing]", "*price=58>60", "stock=2"]),
            // The same value is no change.
            (&[TEA, "HSET product:7 price 58"], &["[name=Longjing]", "price=58", "stock=2"]),
            (
                &[TEA, "HSET product:7 price 60 origin Hangzhou"],
                &["[name=Longjing]", "*price=58>60", "stock=2", "+origin=Hangzhou"],
            ),
            (&[TEA, "HDEL product:7 price stock"], &["[name=Longjing]", "-price=58", "-stock=2"]),
            (&[TEA, "HDEL product:7 name"], &["price=58", "stock=2", "-name=Longjing"]),
            (&[TEA, "EXPIRE product:7 60"], &["[name=Longjing]", "price=58", "stock=2"]),
            (&["SET k x", "DEL k", "HSET k TITLE a 价格 5"], &["[+TITLE=a]", "+价格=5"]),
            // Of several titles the best one, and an empty one is none.
            (&["HSET k title a name b"], &["+title=a", "[+name=b]"]),
            (&["HSET k title a name \"\""], &["[+title=a]", "+name="]),
            (&["HSET cart:bob tea 1 cup 1"], &["+tea=1", "+cup=1"]),
        ] {
            assert_eq!(card_after(lines).as_ref().map(shown).unwrap_or_default(), wanted, "{lines:?}");
        }
    }

    #[test]
    fn value_of_another_type_before_the_step_makes_every_field_new() {
        let card = card_after(&["SET k x", "MULTI", "DEL k", "HSET k a 1 b 2", "EXEC"]).unwrap();
        assert_eq!(shown(&card), ["+a=1", "+b=2"]);
    }

    #[test]
    fn only_a_few_fields_of_short_text_fit() {
        let wide = |fields: usize| {
            let fields: Vec<String> = (0..fields).map(|nth| format!("f{nth} {nth}")).collect();
            format!("HSET k {}", fields.join(" "))
        };
        let with = |value: &str| format!("HSET k a 1 b {value}");
        for (line, fits) in [
            (wide(1), false),
            (wide(2), true),
            (wide(12), true),
            (wide(13), false),
            (with(&"x".repeat(40)), true),
            (with(&"茶".repeat(40)), true),
            (with(&"x".repeat(41)), false),
            (with("\"\\xff\""), false),
            (with("\"a\\nb\""), false),
            (with("\u{202e}x"), false),
            ("HSET k \"\" 1 b 2".to_owned(), false),
            (format!("HSET k a 1 {} 2", "x".repeat(25)), false),
        ] {
            assert_eq!(card_after(&[&line]).is_some(), fits, "{line}");
        }
        // A removed field is still a field of the record, and it may have held anything.
        assert!(card_after(&["HSET k a 1 b 2", "HDEL k b"]).is_some());
        assert!(card_after(&["HSET k a 1 b 2", "HDEL k b", "HGETALL k"]).is_none());
        assert!(card_after(&[&with(&"x".repeat(500)), "HDEL k b"]).is_some());
        let long = card_after(&[&with(&"x".repeat(500)), "HSET k b 2"]).unwrap();
        let was = long.fields.iter().find_map(|field| field.was.as_ref());
        assert_eq!(was.map(|was| was.len()), Some(500));
    }
}
