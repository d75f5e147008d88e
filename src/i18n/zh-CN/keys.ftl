### 键空间的其他排列方式，以及手动修改键。

keys-view = 键的排序、类型和分组
keys-type = 类型
keys-all-types = 全部（{ NUMBER($n) }）
keys-kind = { $kind }（{ NUMBER($n) }）
keys-order = 排序
keys-by-name = 按名字
keys-by-change = 最近改动的在前
keys-by-expiry = 先过期的在前
keys-by-size = 占用内存多的在前
keys-shape = 显示为
keys-list = 列表
keys-tree = 按前缀分组的树
keys-count = { NUMBER($n) } 个键

keys-edit = 由 { $name } 执行命令修改这个键
keys-edit-value = 新的值
keys-edit-score = 新的分数
keys-edit-field = 字段
keys-edit-element = 元素
keys-edit-member = 成员
keys-edit-ttl = 生存时间（秒）
keys-edit-send = 发送
keys-edit-persist = 取消生存时间
keys-edit-not-text = 这个值不是一行简短的文本，不能在这里修改。
keys-edit-stream = 流中的条目不能修改，只能追加和删除。
