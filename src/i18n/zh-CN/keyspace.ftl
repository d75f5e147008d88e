### 键空间面板。

keyspace-sum = { NUMBER($n) } 个键 · { $bytes }
keyspace-filter = 筛选
keyspace-filter-label = 按名字的一部分或模式（如 user:*）筛选键
keyspace-empty = 还没有键。在左边输入命令，例如 { $example }
keyspace-nothing = 没有符合条件的键。
keyspace-scan-order = 键太多，不再排序：按 SCAN 遍历的次序列出。
keyspace-other-database = db{ $index }：{ NUMBER($n) }
keyspace-came = 这一步新建
keyspace-changed = 这一步改动
keyspace-went = 这一步删除
keyspace-expired = 这一步过期
keyspace-evicted = 这一步被淘汰
keyspace-overdue = 已过期
keyspace-overdue-hint = 生存时间已到，但还没有人访问它，定期清理也还没轮到它，仍占用内存。
keyspace-memory = { $used } / { $most }
keyspace-memory-label = 内存

### Tables of a database.

tables-title = 数据表
tables-none = 还没有表。让终端连接到数据库，输入 `CREATE TABLE`。
tables-rows = { NUMBER($n) } 行
tables-more = 还有 { NUMBER($n) } 行没有显示。
tables-work = 连接 { NUMBER($connections) } · 执行中 { NUMBER($busy) } · 排队 { NUMBER($queued) } · 等锁 { NUMBER($waiting) }
tables-gone = 已离开的客户端
tables-inserted = { $who } 插入，未提交
tables-deleted = { $who } 删除，未提交
tables-changed = { $who } 修改，未提交
tables-locked = { $who } 持有行锁
tables-shared = { $who } 持有共享锁
tables-waits = { $who } 在等待
tables-whole = 整张表
inside-more = ……还有 { NUMBER($n) } 个
