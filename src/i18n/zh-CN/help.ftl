### `HELP` 和提示符旁边的命令文档。

help-overview = 输入 Redis 命令，按回车运行。HELP 加命令名可以查看用法，例如 HELP SET。命令分组：
help-terminal-keys = ↑ ↓ 翻看输入过的命令，Ctrl-R 搜索，Tab 补全，Ctrl-C 中断，Ctrl-L 清屏。按 F1 查看其他按键。
help-unknown = 没有关于 { $name } 的帮助。
help-summary = 作用
help-since = 起始版本
help-group = 分组
help-complexity = 复杂度
help-not-modelled = Lockstep 还没有模拟这个命令。
help-statements = 输入一条 SQL 语句，按回车执行。多行语句可以整段粘贴，以分号结尾。Lockstep 模拟 MySQL 的以下语句：

documentation-of = { $command } 的文档
documentation-none = 输入一条命令，这里就会显示它的文档。
help-options = 选项
help-example = 示例
help-run = 运行示例
