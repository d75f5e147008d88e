### 每一步说成一句话。参数自带代码样式；分句不带句号。

step-runs = { $who } 执行 { $command }
step-with-clauses = { $head }：{ $clauses }。
step-alone = { $head }。
step-comma = ，
step-more = 还有 { NUMBER($n) } 处变化

step-start = 会话开始：一台空的 Redis。
step-stage = 实验台已经准备好。
step-passes = 时间过去 { DURATION($ms) }
step-connects = { $who } 连上服务器
step-leaves = { $who } 离开了
step-is-called = 一个客户端改名为 { $who }
step-interrupts = { $who } 按下 Ctrl-C，重新建立连接
step-switches = { $who } 改连 { $node }
step-on-node = { $command }（{ $node }）
step-key-on-node = { $node } 上的 { $key }
step-node-crashes = { $node } 宕机
step-node-restarts = { $node } 重新启动
step-node-clock = { $node } 的时钟向前跳了 { DURATION($ms) }
step-under-way = { DURATION($ms) }后到达节点
step-arrives = { $who } 的 { $command } 到达
step-is-answered = { $who } 得到回复
step-unreachable = 没有回复，链路已断开
step-link-cut = { $who } 与 { $node } 之间的链路断开
step-link-mended = { $who } 与 { $node } 之间的链路恢复
step-link-delay = { $who } 与 { $node } 之间的每条消息现在需要 { DURATION($ms) }
step-connection-refused = 连接被拒绝，节点已宕机
step-too-many-connections = 连接被拒绝，数据库的连接数已达上限
step-row-inserted = { $table } 中新增行 { $row }
step-row-deleted = { $table } 中删除行 { $row }
step-row-updated = { $table } 的行 { $row } 变为 { $value }
step-row-waits = 等待 { $table } 中行 { $row } 的锁，持有者是 { $holders }
step-rows-affected = { $n ->
    [0] 没有行被修改
   *[other] 修改了 { NUMBER($n) } 行
}

step-creates = 新建{ $kind } { $key }
step-removes = 删除 { $key }
step-empties = { $key } 随最后一个元素一起消失
step-expires = { $key } 过期了
step-evicts = 内存不足，{ $key } 被淘汰
step-value = { $key } 由 { $before } 变为 { $after }
step-value-new = { $key } 现在是 { $after }
step-grows = { $key } 由 { NUMBER($before) } 个元素增至 { NUMBER($after) } 个
step-shrinks = { $key } 由 { NUMBER($before) } 个元素减至 { NUMBER($after) } 个
step-element = { $key } 中的 { $element } 由 { $before } 变为 { $after }
step-changes = 修改 { $key }
step-becomes = { $key } 变成了{ $kind }
step-ttl-set = { $key } 将在 { DURATION($ms) }后过期
step-ttl-cleared = { $key } 不再过期

step-refused = 服务器拒绝：{ $error }
step-queued = 进入队列，EXEC 之前不会执行
step-exec-nil = 被监视的键已被改动，整个事务没有执行
step-finds-nothing = 什么也没找到
step-answers = 返回 { $value }
step-answers-many = 返回 { NUMBER($n) } 个元素
step-waits-keys = 等待 { $keys }
step-waits-pause = 等待服务器恢复处理命令（被 CLIENT PAUSE、DEBUG SLEEP 或脚本阻塞）
step-waits-sleep = 让整个服务器停下来
step-waits-script-end = 运行的脚本需要 { DURATION($ms) }，其间服务器被它阻塞
step-waits-script = 运行的脚本一直不结束，服务器被它阻塞
step-waits-replicas = 等待副本确认
step-waits-most = 最多等 { DURATION($ms) }
step-waits-ever = 不限时
step-wakes = 唤醒了 { $who }
step-gives-up = { $who } 等到超时，得到 { $value }
step-hear = { $n ->
    [0] 没有订阅者
   *[other] { NUMBER($n) } 个客户端收到
}
step-receives = { $who } 收到一条消息
step-listens = 从现在起开始接收消息
step-closed = 服务器关闭了 { $who } 的连接
step-breaks-off = { $who } 的连接断开
step-flushed = 清空 { $db } 号数据库（{ NUMBER($n) } 个键）
step-swapped = { $first } 号与 { $second } 号数据库交换所有的键
