//! A script VM for tests, with a tiny language, so that the server's handling of scripts is tested without Lua.
//!
//! One instruction per line: `call …` and `pcall …` run a command, `last` returns the reply of the last one, `return …`
//! returns text, `spin` never ends, `bomb` takes too much memory, `register name flag…` registers a function, `def name`
//! begins its body, `again N` repeats the previous line N times, `spend N` takes N instructions.
use bytes::Bytes;
use resp::{Protocol, Value};
use script::{Call, Engine, Failure, Function, Host, Job, Ran, Repl, ScriptOutcome, SourceLocation, Work};

pub struct Toy;

impl Engine for Toy {
    fn compile(&mut self, text: &Bytes) -> Result<(), Bytes> {
        let line = |n: usize| format!("user_script:{n}: no such word");
        match lines(text).iter().position(|words| words.first().is_some_and(|word| word == "?")) {
            Some(at) => Err(Bytes::from(line(at + 1))),
            None => Ok(()),
        }
    }

    fn run(&mut self, job: &Job, host: &mut dyn Host) -> Ran {
        let mut spent = 0;
        let outcome = match &job.work {
            Work::Script { text, keys, .. } => play(&lines(text), keys, host, &mut spent),
            Work::Load { text } => ScriptOutcome::Loaded(functions(text)),
            Work::Call { text, function, keys, .. } => {
                let all = lines(text);
                let name = String::from_utf8_lossy(function).into_owned();
                let begin = all.iter().position(|words| words.len() == 2 && words[0] == "def" && words[1] == name);
                let body = &all[begin.unwrap() + 1..];
                let end = body.iter().position(|words| words.first().is_some_and(|word| word == "def"));
                play(&body[..end.unwrap_or(body.len())], keys, host, &mut spent)
            }
        };
        Ran { outcome, instructions: spent, random: job.random.wrapping_add(1) }
    }
}

fn lines(text: &Bytes) -> Vec<Vec<String>> {
    let text = String::from_utf8_lossy(text).into_owned();
    text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

fn functions(text: &Bytes) -> Vec<Function> {
    let registers = |words: &&Vec<String>| words.first().is_some_and(|word| word == "register");
    let function = |words: &Vec<String>| Function {
        name: Bytes::from(words[1].clone()),
        description: None,
        flags: words[2..].iter().cloned().map(Bytes::from).collect(),
    };
    lines(text).iter().filter(registers).map(function).collect()
}

fn play(lines: &[Vec<String>], keys: &[Bytes], host: &mut dyn Host, spent: &mut u64) -> ScriptOutcome {
    let mut last = Value::Null;
    let mut before: &[String] = &[];
    for line in lines {
        let (words, times) = match line.as_slice() {
            [word, times] if word == "again" => (before, times.parse().unwrap()),
            words => (words, 1),
        };
        before = words;
        let Some((word, rest)) = words.split_first() else { continue };
        match word.as_str() {
            "spin" => return ScriptOutcome::BudgetSpent(None),
            "spend" => *spent += rest[0].parse::<u64>().unwrap(),
            "bomb" => return ScriptOutcome::OutOfMemory,
            "last" => return ScriptOutcome::Reply(last),
            "return" => return ScriptOutcome::Reply(Value::bulk(rest.join(" "))),
            "call" | "pcall" => {
                for _ in 0..times {
                    let argv = rest.iter().map(|word| match word.as_str() {
                        "KEY" => keys[0].clone(),
                        word => Bytes::copy_from_slice(word.as_bytes()),
                    });
                    let call = Call {
                        argv: argv.collect(),
                        protocol: Protocol::Resp2,
                        repl: Repl::default(),
                        instructions: *spent,
                    };
                    last = host.call(call);
                    if let (Value::Error(message), "call") = (&last, word.as_str()) {
                        let place = Some(SourceLocation { source: Bytes::from_static(b"@user_script"), line: 1 });
                        return ScriptOutcome::Failed(Failure { message: message.clone(), place, counted: true });
                    }
                }
            }
            _ => {}
        }
    }
    ScriptOutcome::Reply(Value::Null)
}
