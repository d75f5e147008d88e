### 键的内部。

inside-nothing = 这里显示最近改动的键的内部结构。也可以在键空间里选一个键。
inside-follow = 跟随改动
inside-delete = 由 { $name } 执行命令删除这个键
inside-gone = 此刻 { $name } 不存在。
inside-new = 这一步新增
inside-changed = 这一步改动
inside-removed = 这一步删除
inside-more-bytes = ……还有 { NUMBER($n) } 字节
inside-bytes = { NUMBER($n) } 字节

inside-why-int = 内容恰好是一个 64 位整数，所以 Redis 直接存这个数，不存文本。
inside-why-embstr = 不超过 44 字节：对象头和文本放在同一块内存里，从不就地修改。
inside-why-raw = 超过 44 字节，或曾被就地修改：对象头和文本分在两块内存里。
inside-why-quicklist = 由 { NUMBER($n) } 个 listpack 节点连成的链表。一个节点满了（默认 8 KB）就接上下一个。
inside-why-stream = 一棵基数树，每个叶子是一个 listpack 节点。节点装满 { NUMBER($entries) } 个条目或 { NUMBER($bytes) } 字节后，下一个条目就另起一个节点。
inside-why-hash-listpack = 不超过 { NUMBER($entries) } 个字段、每个不超过 { NUMBER($bytes) } 字节时，它们首尾相接放在一块内存里。查找要逐个比较，数量少时很快。
inside-why-hash-table = 超过 { NUMBER($entries) } 个字段，或有一个超过 { NUMBER($bytes) } 字节：改用哈希表，之后不再变回 listpack。
inside-why-intset = 全是整数，且不超过 { NUMBER($n) } 个：按大小排列，宽度一致，用二分法查找。
inside-why-set-table = 有成员不是整数，或超过 { NUMBER($n) } 个：用只有键、没有值的哈希表。
inside-why-zset-listpack = 不超过 { NUMBER($entries) } 个成员、每个不超过 { NUMBER($bytes) } 字节时，按分数排好放在一块内存里。
inside-why-skiplist = 超过 { NUMBER($entries) } 个成员，或有一个超过 { NUMBER($bytes) } 字节：用跳表维持次序，用哈希表查成员的分数。

inside-meter-fields = 字段 { NUMBER($n) } 个，上限 { NUMBER($most) } 个
inside-meter-members = 成员 { NUMBER($n) } 个，上限 { NUMBER($most) } 个
inside-meter-longest-field = 最长的字段或值 { NUMBER($n) } 字节，上限 { NUMBER($most) } 字节
inside-meter-longest-member = 最长的成员 { NUMBER($n) } 字节，上限 { NUMBER($most) } 字节
inside-meter-bytes = { NUMBER($n) } 字节，上限 { NUMBER($most) } 字节
inside-meter-node-elements = 最后一个节点有 { NUMBER($n) } 个元素，上限 { NUMBER($most) } 个
inside-meter-node-bytes = 最后一个节点 { NUMBER($n) } 字节，上限 { NUMBER($most) } 字节
inside-meter-beyond = ——已超过上限

inside-ttl-of = 设定 { $whole }，还剩 { $left }
inside-ttl-left = 还剩 { $left }
inside-ttl-lost = 这一步丢掉了它的存活时间。

inside-evict-order = 如果此刻内存用尽，{ $policy } 会按这个顺序淘汰：
inside-evict-none = 如果此刻内存用尽，{ $policy } 不会淘汰任何键：需要内存的命令会被拒绝。
inside-evict-left = 还剩 { $time }
inside-evict-idle = { $time }未使用

inside-one-block = 同一块内存
inside-two-blocks = 两块内存
inside-int-form = 数字就放在本该指向文本的指针的位置
inside-head = 头部（左）
inside-tail = 尾部（右）
inside-node = 节点 · { NUMBER($n) } 个元素 · { $bytes }
inside-pack = listpack · { $bytes }
inside-pack-header = 头部
inside-intset = intset · 每个 { $width } 位 · { $bytes }
inside-buckets = 哈希表 · { NUMBER($buckets) } 个桶，{ NUMBER($n) } 个元素
inside-axis = 成员沿分数轴排列，从 { $least } 到 { $most }
inside-skiplist = 跳表 · { NUMBER($height) } 层 · { NUMBER($n) } 个成员
inside-zset-table = 另有一张 { NUMBER($n) } 个桶的哈希表，由成员直接查到分数。

inside-board = 排行榜
inside-board-order = 分数高的在前，与 { $command } 返回的次序一致。ZREVRANK 的名次从 0 数起。
inside-board-up = 上升 { NUMBER($n) } 名
inside-board-down = 下降 { NUMBER($n) } 名

inside-card = 这条记录的卡片
inside-card-all = 应用程序用 { $command } 读取整张卡片。
inside-card-one = 应用程序用 { $command } 读取这个字段。
inside-card-lost = 这个字段已经没有了：{ $command } 现在返回 nil。

inside-stream-ids = 从 { $first } 到 { $last }，累计写入 { NUMBER($added) } 条
inside-stream-node = 节点 { $id } · { NUMBER($live) } 个条目 · { NUMBER($deleted) } 个已标记删除 · { $bytes }
inside-entry-deleted = 已删除，字节仍在
inside-no-groups = 没有消费者组在读这个流。
inside-group-at = 已投递到 { $id }
inside-lag = 还剩 { NUMBER($n) } 条
inside-lag-unknown = 剩余条数无法得知
inside-nothing-pending = 没有待确认的条目
inside-deliveries = 已投递 { NUMBER($n) } 次，尚未确认
inside-times = ×{ NUMBER($n) }

inside-views = 显示
inside-view-text = 文本
inside-view-bits = 位图
inside-view-registers = HyperLogLog
inside-view-ranking = 排名
inside-view-map = 地图

inside-bits = { NUMBER($n) } 位中有 { NUMBER($ones) } 位是 1
inside-bits-order = 第 0 位是第 0 字节的最高位；BITCOUNT 统计 1 的个数。
inside-bit-changed = 第 { NUMBER($n) } 位：{ $was } → { $now }
inside-bits-shown = 第 { $first } 到 { $last } 位；为 1 的有：{ $ones }
inside-bits-window = 第 { $first } – { $last } 位
inside-bits-columns = 整个字符串的概览：每一列代表 { NUMBER($n) } 位，越高表示 1 越多
inside-bits-move = 在字符串中移动
inside-window-before = 前面的位
inside-window-after = 后面的位
inside-next-one = 下一个 1

inside-bits-named = 上一条命令涉及的位：{ $bits }（{ NUMBER($n) } 位中有 { NUMBER($ones) } 位是 1）
inside-rows = 名称相近的位图，逐位对齐
inside-rows-operation = BITOP { $operation }：逐列运算
inside-rows-before = 前面的列
inside-rows-after = 后面的列
inside-row = { $name }，第 { $first } 到 { $last } 位；为 1 的有：{ $ones }
inside-row-ones = { NUMBER($n) } 个 1

inside-hll-dense = 每个寄存器 6 位
inside-hll-sparse = 相同的寄存器合并成段
inside-hll-count = 上次的计数
inside-hll-stale = 上次的计数已过时
inside-hll-map = 16,384 个寄存器，每行 256 个：颜色越深，值越大
inside-hll-sum = 16,384 个寄存器中有 { NUMBER($zero) } 个仍是 0，最大值为 { NUMBER($highest) }。值越大越罕见，所以看每个值各有多少寄存器，就能推算出不同元素的个数：约 { NUMBER($n) } 个（标准误差 0.81%）。
inside-hll-histogram = 每个值各有多少个寄存器
inside-hll-runs = 从 0 号寄存器起共 { NUMBER($n) } 段：值 × 寄存器个数
inside-hll-raises = { $register } 号寄存器：{ $was } → { $now }
inside-hll-keeps = { $register } 号寄存器已经是 { $was }，{ $now } 改变不了它
inside-hll-spoilt = 头部是 HyperLogLog 的头部，但各段加起来不是 16,384 个寄存器：PFCOUNT 会拒绝它。

inside-map = { NUMBER($n) } 个地点的地图
inside-map-circle = { $middle } 周围 { $radius } 内：{ NUMBER($all) } 个中有 { NUMBER($found) } 个
inside-map-box = { $middle } 周围 { $sides } 矩形：{ NUMBER($all) } 个中有 { NUMBER($found) } 个
inside-map-strange = 有 { NUMBER($n) } 个分数不是 GEOADD 写入的，它们的位置没有意义。
inside-map-score = { $member } · { $degrees } · 分数 { $score } · geohash { $letters }
inside-map-bits = 分数的 52 位，轮流表示偏东还是偏西、偏北还是偏南：每两位进入上一个方框的四分之一。

inside-view-table = 存储结构
inside-view-venn = 集合关系
inside-venn-choose = 要比较的集合
inside-venn-with = 与之比较
inside-venn-and = 再加上
inside-venn-none = 不再添加
inside-venn-count = { $name }（{ NUMBER($n) }）
inside-venn-picture = 用圆表示的 { NUMBER($n) } 个集合：{ $names }。下表列出各部分的成员。
inside-venn-large = 这些集合共有 { NUMBER($n) } 个成员，太多了，无法每一步都比较。SINTERCARD 可以统计交集的大小。
inside-venn-members = { NUMBER($n) } 个成员
inside-venn-found = 属于上一条命令的结果
inside-venn-where = 部分
inside-venn-number = 个数
inside-venn-which = 成员
inside-venn-only = 只在 { $name } 中
inside-venn-both = 两个集合都有
inside-venn-all = 三个集合都有
inside-venn-without = 在 { $first } 和 { $second } 中，但不在 { $third } 中
inside-venn-any = 至少在其中一个集合里

panel-inside = 内部结构
