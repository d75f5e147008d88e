//! What each command does, in one line: English from the command table, Chinese from here.
use redis_model::command::Command;

use super::Lang;

impl Lang {
    /// One line on what a command does.
    pub fn summary(self, row: &Command) -> &'static str {
        match self {
            Lang::En => row.summary,
            Lang::ZhCn => chinese(row.container, row.name).unwrap_or(row.summary),
        }
    }
}

/// The Chinese line of a command: (container or empty, name).
fn chinese(container: &str, name: &str) -> Option<&'static str> {
    Some(match (container, name) {
        ("", "multi") => "打开一个事务，之后的命令排队等待 EXEC",
        ("", "exec") => "依次执行事务里排队的所有命令",
        ("", "discard") => "放弃事务里排队的所有命令",
        ("", "watch") => "监视键：它们一旦被改动，随后的 EXEC 就不执行",
        ("", "unwatch") => "取消对所有键的监视",
        ("", "get") => "取出键里的字符串",
        ("", "set") => "把字符串存进键里，原来的值和类型不管是什么都被覆盖",
        _ => return None,
    })
}
