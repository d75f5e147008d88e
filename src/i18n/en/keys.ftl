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

keys-edit = Edit the key, by commands of { $name }
keys-edit-value = New value
keys-edit-score = New score
keys-edit-field = Field
keys-edit-element = Element
keys-edit-member = Member
keys-edit-ttl = Seconds to live
keys-edit-send = Send
keys-edit-persist = Remove the time to live
keys-edit-not-text = This value is not one short line of text, so it cannot be edited here.
keys-edit-stream = Entries of a stream cannot be changed, only added and deleted.
