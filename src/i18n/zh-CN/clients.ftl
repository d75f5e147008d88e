### 一个客户端的窗格：标题栏与状态。

client-add = 添加客户端
client-rename = 给 { $name } 改名
client-rename-field = { $name } 的新名字
client-close = 关闭 { $name }
client-interrupt = 中断
client-interrupt-hint = Ctrl-C：断开当前连接并重新连接
client-pane = 客户端 { $name }

state-waits-keys = 正在等待 { $keys }
state-waits-pause = 等待服务器恢复处理命令（被 CLIENT PAUSE、DEBUG SLEEP 或脚本阻塞）
state-waits-sleep = 已让整个服务器停下来
state-waits-script-end = 正在执行脚本，结束之前服务器不处理别的命令
state-waits-script = 脚本一直不结束，服务器被它阻塞，须用 SCRIPT KILL 或 FUNCTION KILL 终止
state-waits-replicas = 等待副本确认
state-since = 已等 { DURATION($ms) }
state-left = 还剩 { DURATION($ms) }
state-forever = 不限时
state-typed-ahead = 后面还有 { NUMBER($n) } 条命令排队
state-listens = 已订阅 { $channels }
state-messages = { $n ->
    [0] 还没有消息
   *[other] 已收到 { NUMBER($n) } 条消息
}
state-multi = 事务：{ $n ->
    [0] 队列还是空的
   *[other] 已有 { NUMBER($n) } 条命令入队
}
state-multi-broken = 其中有命令被拒绝，EXEC 时整个事务都不会执行。
state-watches = 正在监视 { $keys }
state-watches-dirty = { $keys } 已被改动，EXEC 不会执行任何命令
state-monitors = MONITOR：能看到所有客户端的每条命令
state-closed = 连接已关闭，输入下一条命令时会重新连接
state-database = { $n } 号数据库
state-resp3 = RESP3
state-statement-queued = 等待数据库处理这条语句
state-statement-at-work = 数据库正在执行这条语句
state-transaction = 事务进行中：`COMMIT` 之后别人才能看到修改。

refused-blocked = 这个客户端正在等待，请先中断它。
refused-paused = 这个客户端已暂停，请先让它恢复。
refused-name = 名字须为 1 至 32 字节，不能含空白、引号以及 > < ! = # @。
refused-taken = 已有客户端叫这个名字。
refused-size = 命令太大（{ BYTES($given) }，最多 { BYTES($most) }）。
refused-end-of-time = 时钟走到公元 9999 年底为止。
refused-full = 这个会话的步数已满（{ NUMBER($most) } 步），请新建会话。
refused-other = 操作被拒绝：{ $why }。
