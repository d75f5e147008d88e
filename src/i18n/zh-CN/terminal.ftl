### 终端：除了 Redis 自己的话之外还写着什么。

terminal-log = { $name } 发送和收到的内容
terminal-line = { $name } 的命令行
terminal-left-out = 此处省略 { NUMBER($n) } 条
terminal-earlier = 再显示一些更早的内容（还有 { NUMBER($n) } 条）
terminal-rest = 显示其余 { NUMBER($n) } 行
terminal-not-drawn = 还有 { NUMBER($n) } 行没有显示：页面放不下这么多。
terminal-waiting-line = 等待中 · 按 Ctrl-C 中断
terminal-search = 搜索历史（回车运行，Tab 编辑，Esc 退出）：
documentation-toggle = 正在输入的命令的文档
terminal-waits = 等待 { $keys }
terminal-waits-replicas = 等待副本确认
terminal-waits-pause = 等待服务器恢复处理命令
terminal-waits-script-end = 脚本需要执行 { DURATION($ms) }，在此期间服务器不处理其他客户端的命令
terminal-waits-script = 脚本一直不结束；可在另一个客户端用 SCRIPT KILL（函数用 FUNCTION KILL）终止它
terminal-quit = 断开了连接
terminal-killed = 服务器关闭了这个连接
terminal-overflowed = 服务器关闭了这个连接：一直没有人读，输出缓冲区超过了 `client-output-buffer-limit`
terminal-crashed = 连接断开：节点宕机了
terminal-unreachable = 没有回复：到节点的链路已断开
terminal-under-way = 正在途中：{ DURATION($ms) }后到达节点
terminal-refused = 连不上：节点已宕机
terminal-paused = 已停顿，不再读取：发给它的消息都积压在服务器的输出缓冲区里
terminal-resumed = 已恢复，开始读积压的消息
terminal-reconnected = 重新连接
terminal-unclosed = 第 { $at } 个字符处的引号 { $quote } 没有闭合。
terminal-text-after-quote = 第 { $at } 个字符处的右引号 { $quote } 后面必须有空格。
terminal-too-many-repeats = 一条命令最多重复 { NUMBER($n) } 次：每运行一次就是时间线上的一步。

notice-paste-too-large = 粘贴的内容太多，终端放不下：最多 10,000 行或 12 MB。一条也没有运行。

terminal-cross-protocol = 这看起来像一个网页请求，服务器断开了连接：Redis 用这种办法防范伪造请求
terminal-sleeps = 休眠中（DEBUG SLEEP）
terminal-words = ……还有 { NUMBER($n) } 个词

### Terminals at a database.

terminal-waits-row = 等待 { $table } 中的行 { $row }，它的行锁由 { $holders } 持有
terminal-too-many-connections = 连接失败：数据库的连接数已达上限（错误 1040）
sql-too-many-connections = 数据库的连接数已经达到 `max_connections`。
sql-duplicate = 唯一索引中每个值只能出现一次，而这个值已经有别的行占用。正因如此，`INSERT` 可以当作加锁。
sql-syntax = 从 `near` 后面的文字起无法解析。输入 `HELP` 可以查看支持的语句。
sql-no-table = 没有这个名字的表。`SHOW TABLES` 列出所有的表。
sql-no-column = 表中没有这个名字的列。`DESCRIBE` 列出所有的列。
sql-lock-wait = 另一个事务持有行锁的时间超过了 `innodb_lock_wait_timeout`。只有这一条语句被回滚，事务仍未结束。
sql-deadlock = 两个事务互相等待对方锁住的行，形成死锁。InnoDB 回滚了整个当前事务，让另一个事务得以继续。
sql-not-null = 这一列必须有值，而且没有默认值。
