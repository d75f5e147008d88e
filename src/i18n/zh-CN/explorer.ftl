### 探索器：把所有调度逐一试过，从最短的开始。

explore-title = 找出问题
explore-find = 找出问题
explore-idle = 这里没有可以检查的程序和性质。
explore-goal = 要找的是
explore-goal-any = 任何一条性质被破坏
explore-from = 起点
explore-from-beginning = 程序开头
explore-from-here = 光标所在处
explore-clients = 每个程序的客户端数
explore-clients-all = 全部
explore-crashes = 宕机次数
explore-pauses = 停顿次数
explore-losses = 丢失的消息
explore-restarts = 宕机后重启次数
explore-delays = 请求延迟次数
explore-reply-delays = 回复延迟次数
explore-clock-jumps = 时钟跳变次数（每次一小时）
explore-node-crashes = 节点宕机次数
explore-node-restarts = 节点宕机后重启次数
explore-node-clock-jumps = 节点时钟跳变次数（每次一小时）
explore-cuts = 链路断开次数
explore-depth = 最多步数
explore-states = 最多状态数
explore-number = { NUMBER($n) }
explore-limits = 宕机 { NUMBER($crashes) } 次，停顿 { NUMBER($pauses) } 次，丢消息 { NUMBER($losses) } 条{ $others ->
    [0] {""}
   *[other] ，其他故障 { NUMBER($others) } 次
}；最多 { NUMBER($depth) } 步、{ NUMBER($states) } 个状态
explore-fetching = 正在下载探索器……
explore-searching = 正在搜索所有调度，从最短的开始……
explore-states-now = 状态
explore-rate = 每秒状态数
explore-frontier = 待查
explore-depth-now = 步深
explore-broken = 破坏“{ $property }”的最短调度只要 { NUMBER($steps) } 步，查了 { NUMBER($states) } 个状态后找到，用时 { DURATION($took) }。
explore-whole = 没有找到：在这些客户端和故障之内，任何调度都破坏不了它。全部 { NUMBER($states) } 个状态都查过了，最深 { NUMBER($depth) } 步，用时 { DURATION($took) }。
explore-untested = “{ $property }”从来没有受到检验：{ $why }。所以这个结果不能说明它成立。
explore-cut-depth = { NUMBER($depth) } 步以内没有找到，查了 { NUMBER($states) } 个状态；更长的调度没有查。
explore-cut-states = 查了 { NUMBER($states) } 个状态，最深 { NUMBER($depth) } 步，没有找到；还有更多状态没有查。
explore-cut-memory = 查了 { NUMBER($states) } 个状态，最深 { NUMBER($depth) } 步，没有找到；内存用完了。减少客户端或故障次数，可以查得更深。
explore-cut-stopped = 已停止。到目前为止查了 { NUMBER($states) } 个状态，最深 { NUMBER($depth) } 步，没有找到。
explore-unreachable = 探索器下载失败。请检查与本页面服务器的连接。
explore-broke-down = 探索器查了 { NUMBER($states) } 个状态后出了故障：{ $why } 你的会话不受影响。
explore-silent = 探索器查了 { NUMBER($states) } 个状态后没有回应了，可能是浏览器内存不足。你的会话不受影响。
explore-load = 载入
explore-load-hint = 作为时间线上的一条分支，可逐步查看
explore-share = 复制链接
explore-share-hint = 指向这个调度，光标停在它的开头

untested-entered = 没有客户端进入过
untested-released = 没有客户端释放过 { $key }
untested-end = 程序从来没有运行到结束
untested-sum = 要合计的数从来没有变过
untested-ended = 没有程序是自行运行到结束的
untested-claim = 所涉及的值从来没有变过
untested-if = “如果”成立时，所涉及的值从来没有变过
untested-if-end = 运行到结束时，“如果”从来没有成立过
untested-checks = 什么都没有检查过
untested-sent = 没有客户端发出过命令
untested-produced = 没有生产过消息
untested-processed = 没有处理过消息
untested-pair = 处理过的消息始终不足两条
untested-pair-of-key = 同一个键的消息，处理过的始终不足两条

verdict-none = 这里没有要检查的性质。
verdict-holds = 目前成立
verdict-kept = 成立
verdict-broken = 被破坏
verdict-open = 到最后才能判断
verdict-open-search = 由搜索来判断
verdict-order = 关键在第 { NUMBER($first) } 步与第 { NUMBER($second) } 步的先后：第 { NUMBER($second) } 步要是先执行，这条性质就不会被破坏。
verdict-go = 跳到破坏它的那一步
