### The keyspace in another order or as a tree, and keys that are edited by hand.

keys-view = Order, type and groups of the keys
keys-type = Type
keys-all-types = all ({ NUMBER($n) })
keys-kind = { $kind } ({ NUMBER($n) })
keys-order = Order
keys-by-name = by name
keys-by-change = changed last, first
keys-by-expiry = expires next, first
keys-by-size = most memory first
keys-shape = Show as
keys-list = list
keys-tree = tree by prefix
keys-count = { $n ->
    [one] 1 key
   *[other] { NUMBER($n) } keys
}
