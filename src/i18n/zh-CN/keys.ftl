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
