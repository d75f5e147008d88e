### 每一步说成一句话。参数自带代码样式；分句不带句号。

told-runs = { $who } 执行 { $command }
told-with-clauses = { $head }：{ $clauses }。
told-alone = { $head }。
told-comma = ，
told-more = 还有 { NUMBER($n) } 处变化

told-start = 世界的起点：一台空的 Redis。
told-stage = 实验台已经准备好。
told-passes = 时间过去 { DURATION($ms) }
told-connects = { $who } 连上服务器
told-leaves = { $who } 离开了
told-is-called = 一个客户端改名为 { $who }
told-interrupts = { $who } 按下 Ctrl-C，重新建立连接
told-switches = { $who } 改连 { $node }
told-on-node = { $command }（{ $node }）
told-key-on-node = { $node } 上的 { $key }
told-node-crashes = { $node } 宕机
told-node-restarts = { $node } 重新启动
told-node-clock = { $node } 的时钟向前跳了 { DURATION($ms) }
told-under-way = { DURATION($ms) }后到达节点
told-arrives = { $who } 的 { $command } 到达
told-is-answered = { $who } 得到应答
told-unreachable = 没有应答，链路已断开
told-link-cut = { $who } 与 { $node } 之间的链路断开
told-link-mended = { $who } 与 { $node } 之间的链路恢复
told-link-delay = { $who } 与 { $node } 之间的每条消息现在要走 { DURATION($ms) }
told-connection-refused = 连接被拒绝，节点已宕机
told-too-many-connections = 连接被拒绝，数据库的连接数已达上限
told-row-inserted = { $table } 中新增行 { $row }
told-row-deleted = { $table } 中删除行 { $row }
told-row-updated = { $table } 的行 { $row } 变为 { $value }
told-row-waits = 等待 { $table } 中行 { $row } 的锁，持有者是 { $holders }
told-rows-affected = { $n ->
    [0] 没有行被修改
   *[other] 修改了 { NUMBER($n) } 行
}

told-creates = 新建{ $kind } { $key }
told-removes = 删除 { $key }
told-empties = { $key } 随最后一个元素一起消失
told-expires = { $key } 过期了
told-evicts = 内存不足，{ $key } 被淘汰
told-value = { $key } 由 { $before } 变为 { $after }
told-value-new = { $key } 现在是 { $after }
told-grows = { $key } 由 { NUMBER($before) } 个元素增至 { NUMBER($after) } 个
told-shrinks = { $key } 由 { NUMBER($before) } 个元素减至 { NUMBER($after) } 个
told-element = { $key } 中的 { $element } 由 { $before } 变为 { $after }
told-changes = 修改 { $key }
told-becomes = { $key } 变成了{ $kind }
told-ttl-set = { $key } 将在 { DURATION($ms) }后过期
told-ttl-cleared = { $key } 不再过期

told-refused = 服务器拒绝：{ $error }
told-queued = 进入队列，EXEC 之前不会执行
told-exec-nil = 被监视的键已被改动，整个事务没有执行
told-finds-nothing = 什么也没找到
told-answers = 返回 { $value }
told-answers-many = 返回 { NUMBER($n) } 个元素
told-changes-nothing = 没有任何变化
told-waits-keys = 等待 { $keys }
told-waits-pause = 等待服务器恢复处理命令（被 CLIENT PAUSE、DEBUG SLEEP 或脚本占住）
told-waits-sleep = 让整个服务器停下来
told-waits-script-end = 运行的脚本需要 { DURATION($ms) }，其间服务器被它占住
told-waits-script = 运行的脚本一直不结束，服务器被它占住了
told-waits-replicas = 等待副本确认
told-waits-most = 最多等 { DURATION($ms) }
told-waits-ever = 不限时
told-wakes = 唤醒了 { $who }
told-gives-up = { $who } 等到超时，得到 { $value }
told-hear = { $n ->
    [0] 没有人在听
   *[other] { NUMBER($n) } 个客户端收到
}
told-receives = { $who } 收到一条消息
told-listens = 从现在起开始接收消息
told-closed = 服务器关闭了 { $who } 的连接
told-breaks-off = { $who } 的连接断开
told-monitors = 从现在起能看到所有命令
told-flushed = 清空 { $db } 号数据库（{ NUMBER($n) } 个键）
told-swapped = { $first } 号与 { $second } 号数据库交换所有的键
