//! Explains the errors of Lua: those of a script, of a function and of a client's program.
//!
//! ```text
//! user_script:1: attempt to index local 'x' (a nil value)     the value of a name
//! user_script:1: attempt to call a nil value                  the value of an expression
//! user_script:2: '=' expected near 'y'                        not valid Lua
//! ```
use crate::i18n::messages::{
    ExplainLuaArgument, ExplainLuaClose, ExplainLuaCompare, ExplainLuaExpected, ExplainLuaOther,
};
use crate::i18n::{Lang, code};

/// Longest name or word of an error that is repeated, in characters.
const WORD_CHARS_MAX: usize = 40;

/// What an error of Lua means; `None` for any other error, and for one that explains itself.
// Not inlined, so that it can be in a deferred chunk.
#[inline(never)]
pub fn explain(t: Lang, error: &str) -> Option<String> {
    if let Some(doing) = after(error, "attempt to ") {
        return attempt(t, doing);
    }
    if let Some(name) = after(error, "access nonexistent global variable ") {
        return Some(t.explain_lua_global(&code(quoted(name)?)));
    }
    if let Some(argument) = after(error, "bad argument #") {
        return bad_argument(t, argument);
    }
    if let Some(near) = after(error, " near ") {
        return malformed(t, error, near);
    }
    Some(
        if error.contains("Attempt to modify a readonly table") {
            t.explain_lua_readonly()
        } else if error.contains("command arguments must be strings or integers") {
            t.explain_lua_arguments()
        } else if error.contains("Wrong number of args calling Redis command") {
            t.explain_lua_arity()
        } else if error.contains("Unknown Redis command called") {
            t.explain_lua_command()
        } else if error.contains("stack overflow") {
            t.explain_lua_stack()
        } else if error.contains("table index is nil") {
            t.explain_lua_key()
        } else {
            return None;
        }
        .to_owned(),
    )
}

/// An operation on a value of the wrong type: `index local 'x' (a nil value)`, `compare number with nil`.
fn attempt(t: Lang, doing: &str) -> Option<String> {
    if let Some(types) = doing.strip_prefix("compare ") {
        let mut words = types.split_whitespace();
        return match (words.next()?, words.next()?, words.next()?) {
            ("two", both, _) => Some(t.explain_lua_compare_two(&code(both))),
            (one, "with", other) => Some(t.say(ExplainLuaCompare { one: &code(one), other: &code(other) })),
            _ => None,
        };
    }
    let operations = ["index", "call", "perform arithmetic on", "concatenate", "get length of"];
    let (operation, operand) = operations.into_iter().find_map(|operation| {
        let operand = doing.strip_prefix(operation)?.strip_prefix(' ')?;
        Some((operation, operand))
    })?;
    let kind = type_of(operand)?;
    let what = match quoted(operand).filter(|_| !operand.starts_with("a ")) {
        Some(name) => code(name),
        None => t.explain_lua_value().to_owned(),
    };
    Some(match (operation, kind) {
        ("index", "nil") => t.explain_lua_index(&what),
        ("call", "nil") => t.explain_lua_call(&what),
        ("call", _) => t.explain_lua_no_function(&what),
        ("concatenate", "nil") => t.explain_lua_concatenate(&what),
        ("get length of", "nil") => t.explain_lua_length(&what),
        (_, "nil") => t.explain_lua_arithmetic(&what),
        (_, "boolean") => t.explain_lua_boolean(&what),
        ("perform arithmetic on", "string") => t.explain_lua_string(&what),
        ("concatenate" | "perform arithmetic on", "table") => t.explain_lua_table(&what),
        (_, kind) => t.say(ExplainLuaOther { what: &what, kind: &code(kind) }),
    })
}

/// `1 to 'floor' (number expected, got nil)`
fn bad_argument(t: Lang, argument: &str) -> Option<String> {
    let (n, function) = argument.split_once(" to ")?;
    let function = quoted(function)?;
    let (wanted, got) = argument.rsplit_once('(')?.1.split_once(')')?.0.split_once(" expected, got ")?;
    Some(t.say(ExplainLuaArgument { n, function: &code(function), wanted: &code(wanted), got: &code(got) }))
}

/// What is not valid Lua, and the word near which that was noticed.
fn malformed(t: Lang, error: &str, near: &str) -> Option<String> {
    if error.contains("unfinished string") || error.contains("unfinished long string") {
        return Some(t.explain_lua_unfinished().to_owned());
    }
    if error.contains("malformed number") {
        return Some(t.explain_lua_number(&code(quoted(near)?)));
    }
    let before = error.get(..error.len().saturating_sub(near.len()))?.trim_end_matches(" near ");
    let wanted = || {
        let wanted = before.get(..before.rfind("' expected")?)?;
        wanted.rsplit_once('\'').map(|(_, wanted)| wanted)
    };
    if let Some(opened) = after(before, "(to close ") {
        let line = after(opened, "at line ")?.trim_end_matches(')');
        let (wanted, opened) = (code(wanted()?), code(quoted(opened)?));
        return Some(t.say(ExplainLuaClose { wanted: &wanted, opened: &opened, line }));
    }
    if near.starts_with("'<eof>'") {
        return Some(t.explain_lua_end().to_owned());
    }
    let near = code(quoted(near)?);
    if before.ends_with("unexpected symbol") {
        return Some(t.explain_lua_symbol(&near));
    }
    Some(match wanted()? {
        "=" => t.explain_lua_statement(&near),
        wanted => t.say(ExplainLuaExpected { wanted: &code(wanted), near: &near }),
    })
}

/// The rest of a text after a phrase.
fn after<'a>(text: &'a str, phrase: &str) -> Option<&'a str> {
    text.split_once(phrase).map(|(_, rest)| rest)
}

/// The first word between quotes, if it is short.
fn quoted(text: &str) -> Option<&str> {
    let rest = after(text, "'")?;
    // The word may be a quote itself.
    let end = rest.get(1..)?.find('\'')?.saturating_add(1);
    rest.get(..end).filter(|word| word.chars().count() <= WORD_CHARS_MAX)
}

/// The type in `a nil value` and in `local 'x' (a nil value)`.
fn type_of(operand: &str) -> Option<&str> {
    let rest = operand.strip_prefix("a ").or_else(|| after(operand, "(a "))?;
    rest.split_once(" value").map(|(kind, _)| kind).filter(|kind| !kind.contains(' '))
}

#[cfg(test)]
mod tests {
    use world::{Engines, EventKind, Input, Settings, World};

    use super::explain;
    use crate::i18n::{Lang, plain};

    /// The error that a script ends with, and its explanation.
    fn explained(script: &str) -> (String, String) {
        let engines = Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        let mut world = World::with_engines(Settings::default(), &engines);
        world.step(&Input::Connect { client: 0, name: "c1".into() }).unwrap();
        let argv = ["EVAL", script, "1", "k"].map(|word| word.to_owned().into()).to_vec();
        let events = world.step(&Input::Command { client: 0, argv }).unwrap();
        let error = events.into_iter().find_map(|event| match event.kind {
            EventKind::Reply { value: resp::Value::Error(text), .. } => {
                Some(String::from_utf8_lossy(&text).into_owned())
            }
            _ => None,
        });
        let error = error.unwrap_or_else(|| panic!("{script}: no error"));
        let [english, chinese] = [Lang::En, Lang::ZhCn].map(|lang| explain(lang, &error).map(|text| plain(&text)));
        assert_eq!(english.is_some(), chinese.is_some(), "{error}");
        (error, english.unwrap_or_default())
    }

    #[test]
    fn errors_of_the_machine_are_explained() {
        let mut wrong = Vec::new();
        for (script, error, explanation) in [
            ("local x\nreturn x.y", "attempt to index local 'x' (a nil value)", "x is nil, and nil has no fields"),
            ("local x = {} return x.a.b", "attempt to index field 'a' (a nil value)", "a is nil, and nil has no"),
            ("local v = redis.call('GET', KEYS[1]) return v.x", "local 'v' (a boolean value)", "v is a boolean"),
            ("local t = {} t.f()", "attempt to call field 'f' (a nil value)", "f is nil, and not a function"),
            ("local x = 1 x()", "attempt to call local 'x' (a number value)", "x is no function"),
            ("local x return x + 1", "attempt to perform arithmetic", "is nil, and one cannot calculate with nil"),
            ("return 'a' + 1", "attempt to perform arithmetic on a string value", "is a string, and not a number"),
            ("return {} .. 'a'", "attempt to concatenate a table value", "is a table"),
            ("local x return 'a' .. x", "attempt to concatenate local 'x' (a nil value)", "x is nil"),
            ("return redis.call('GET', KEYS[1]) + 1", "arithmetic on a boolean value", "This value is a boolean"),
            ("local x return #x", "attempt to get length of", "is nil, and nil has no length"),
            ("return 1 < nil", "attempt to compare number with nil", "compares number with nil"),
            ("return '1' < 2", "attempt to compare string with number", "compares string with number"),
            ("return {} < {}", "attempt to compare two table values", "two table values"),
            ("return nosuch", "access nonexistent global variable 'nosuch'", "Nothing is called nosuch"),
            ("x = 1", "Attempt to modify a readonly table", "local"),
            ("return math.floor('a')", "bad argument #1 to 'floor' (number expected, got string)", "floor"),
            ("return redis.call('GET', nil)", "must be strings or integers", "must be a string or a number"),
            ("return redis.call('SET', 'a', {})", "must be strings or integers", "must be a string or a number"),
            ("return redis.call('GET')", "Wrong number of args", "needs more or fewer arguments"),
            ("return redis.call('NOSUCH')", "Unknown Redis command called", "Redis has no such command"),
            ("local x y", "'=' expected near '<eof>'", "The text ends"),
            ("x y", "'=' expected near 'y'", "Before y"),
            ("if 1 return 2 end", "'then' expected near 'return'", "then is missing before return"),
            ("if 1 then\n\n\nreturn 2", "'end' expected (to close 'if' at line 1) near '<eof>'", "if in line 1"),
            ("return )", "unexpected symbol near ')'", ") cannot stand here"),
            ("return 'abc", "unfinished string near", "quote"),
            ("return 1..2", "malformed number near '1..2'", "1..2 is not a number"),
            ("local t = {} t[nil] = 1", "index is nil", "key of a table"),
        ] {
            let (text, said) = explained(script);
            if !text.contains(error) || !said.contains(explanation) {
                wrong.push((script, text, said));
            }
        }
        assert_eq!(wrong, []);
    }

    #[test]
    fn endless_recursion_is_explained() {
        // Scripts run in slices, so this error comes after a while.
        let said = explain(Lang::En, "ERR user_script:1: stack overflow script: f00, on @user_script:1.");
        assert!(said.is_some_and(|said| said.contains("calls itself")));
    }

    #[test]
    fn other_errors_are_not_taken_for_errors_of_lua() {
        for error in [
            "ERR no such key",
            "attempt to",
            "attempt to index",
            "attempt to index x (a",
            "bad argument #1 to 'x' (",
            " near ",
            "x near 'y",
            "' expected near ''",
            "'' expected (to close near ''",
        ] {
            assert_eq!(explain(Lang::En, error), None, "{error}");
        }
    }
}
