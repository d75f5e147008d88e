### 消息之河：消息走到了哪里。

river-empty = 传递中的消息会显示在这里。试试 { $example }。
river-empty-yet = 传递中的消息会显示在这里。
river-queue-of = 作为队列的列表 { $key }
river-queue = { $n ->
    [0] 队列是空的
   *[other] { NUMBER($n) } 个元素
}
river-left = 左端
river-right = 右端
river-elements = 元素，从左到右
river-left-out = ……还有 { NUMBER($n) } 个……
river-lowest = 分数最小
river-highest = 分数最大
river-due = 到期 { NUMBER($n) } 个
river-due-in = { $left }后到期
river-due-since = { $ago }前到期
river-now = 现在
river-line = 排队等待，先到先得
river-line-empty = 没有客户端在等待。
river-hands = 已取走
river-hands-empty = 还没有客户端取走元素。
river-took = { $who } 取走了 { $what }
river-only = 只有 { $who } 手里有它。
river-gone = 只有 { $who } 取走过它，而 { $who } 已经离开。
river-kept = { $list } 里还留着它。
river-removed = 已从 { $list } 中删除。
river-kafka-hint = 同时显示 Kafka 的叫法
river-kafka-topic = 相当于 Kafka 的主题（topic）{ $name }，只有一个分区（partition）
river-kafka-record = 相当于 Kafka 的记录（record），ID 即偏移量（offset）
river-kafka-before = 换成 Kafka：只提交到 { $id } 之前，宕机后从它开始重新投递
river-kafka-until = 换成 Kafka：到 { $id } 为止已全部提交
river-ledger = 账本
river-ledger-produced = 已生产
river-ledger-processed = 已处理
river-ledger-repeated = 重复处理
river-ledger-open = 尚未处理
river-ledger-lost = 丢失
river-ledger-disordered = 乱序
river-ledger-message = 消息
river-ledger-messages = 逐条列出消息
river-ledger-key = 键
river-ledger-times = 次数
river-channels = 频道
river-channels-table = 发布过的消息，以及谁收到了
river-said = { $n ->
    [0] 还没有发布过消息
   *[other] 发布过 { NUMBER($n) } 条消息，频道一条也不保留
}
river-message = 消息
river-subscriber = 收到 { NUMBER($heard) } · 错过 { NUMBER($missed) }
river-groups-more = 另有 { NUMBER($n) } 个消费者组
river-subscribers-more = 另有 { NUMBER($n) } 个客户端
river-subscribes-none = 未订阅
river-unheard = 没有人收到
river-heard = 经由 { $names } 收到
river-missed = 错过：连接断开，订阅也随之消失
river-far = 整个日志：窄条表示已处理，宽条表示被持有，横线是游标位置。点击可以跳到那里。
river-buffer-lost = 丢失：它还在输出缓冲区里，连接就被关闭了
river-buffer-held = 在输出缓冲区里等待：客户端没有读
river-buffer = 积压 { NUMBER($n) } 条 · { $bytes }
river-buffer-of = 积压 { NUMBER($n) } 条 · { $bytes } / 上限 { $most }
river-buffer-closes = 再过 { $left } 不读就会被断开
river-stop-reading = 停止读取
river-stop-reading-hint = 让 { $name } 停顿，就像程序遇到一次长时间的停顿：发给它的消息积压在服务器上
river-read-on = 继续读取
river-not-subscribed = 当时没有订阅
river-table = 流中的条目，以及每个条目在各消费者组中的去向
river-entry = 条目
river-log = { NUMBER($n) } 个条目 · 最后 ID { $last }{ $gone ->
    [0] {""}
   *[other] {" "}· 前面已移除 { NUMBER($gone) } 个
}
river-node = 节点：{ NUMBER($live) } 个条目，{ NUMBER($deleted) } 个已删除，{ $bytes }
river-ahead = 尚未投递
river-done = 已完成
river-deleted = 已删除
river-passed = 以 NOACK 投递，没有进入待确认列表
river-dropped = 已丢弃：曾被持有，但没有人确认
river-skipped = 已跳过：组的位置设在它之后，没有投递给任何人
river-held = { $consumer } 持有，共投递 { NUMBER($n) } 次
river-consumer = 待确认 { NUMBER($pending) }{ $passed ->
    [0] {""}
   *[other] {" "}· 免确认 { NUMBER($passed) }
}
river-sums = 已投递 { NUMBER($delivered) } · 已完成 { NUMBER($done) }
river-sums-again = 重复投递 { NUMBER($n) } 次
river-sums-dropped = { NUMBER($n) } 条没有确认就消失了
river-speaker = { $client } 以这个消费者的身份读取
river-speaker-away = { $client } 曾以这个消费者的身份读取，现已离开
river-waits = 等待中
river-waits-for = 等待中，还剩 { $left }
river-lost = { NUMBER($n) } 个待确认条目已从前面移除
river-reader-at = { $client } 已读到这里
river-reader-waits = { $client } 在这里等新消息
