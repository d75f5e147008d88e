### The inside of a key.

inside-nothing = The inside of the key that changes last appears here. Choose another one in the keyspace.
inside-follow = Follow changes
inside-delete = Delete the key, as a command of { $name }
inside-gone = { $name } does not exist at this moment.
inside-new = new in this step
inside-changed = changed in this step
inside-removed = removed in this step
inside-more-bytes = … { NUMBER($n) } more bytes
inside-bytes = { $n ->
    [one] { NUMBER($n) } byte
   *[other] { NUMBER($n) } bytes
}

inside-why-int = The text is exactly a 64-bit integer, so Redis stores the number itself and no text.
inside-why-embstr = At most 44 bytes: object and text lie in one piece of memory, and are never changed in place.
inside-why-raw = Longer than 44 bytes, or changed in place before: object and text lie in two pieces of memory.
inside-why-quicklist = { $n ->
    [one] A chain of listpacks, here of one node. A node that is full (8 KB by default) is followed by another.
   *[other] A chain of { NUMBER($n) } listpacks. A node that is full (8 KB by default) is followed by another.
}
inside-why-stream = A radix tree of listpack nodes. A node ends at { NUMBER($entries) } entries or { NUMBER($bytes) } bytes; the next entry begins a new one.
inside-why-hash-listpack = Up to { NUMBER($entries) } fields of up to { NUMBER($bytes) } bytes lie one after another in one piece of memory. Searching walks through them, which is quick while they are few.
inside-why-hash-table = More than { NUMBER($entries) } fields, or one of more than { NUMBER($bytes) } bytes: a hash table. It never goes back to a listpack.
inside-why-intset = Only integers, and at most { NUMBER($n) } of them: sorted, all of the same width, found by binary search.
inside-why-set-table = A member that is not an integer, or more than { NUMBER($n) } members: a hash table without values.
inside-why-zset-listpack = Up to { NUMBER($entries) } members of up to { NUMBER($bytes) } bytes lie in one piece of memory, ordered by score.
inside-why-skiplist = More than { NUMBER($entries) } members, or one of more than { NUMBER($bytes) } bytes: a skip list for the order, a hash table for the score of a member.

inside-meter-fields = { NUMBER($n) } of { NUMBER($most) } fields
inside-meter-members = { NUMBER($n) } of { NUMBER($most) } members
inside-meter-longest-field = longest field or value: { NUMBER($n) } of { NUMBER($most) } bytes
inside-meter-longest-member = longest member: { NUMBER($n) } of { NUMBER($most) } bytes
inside-meter-bytes = { NUMBER($n) } of { NUMBER($most) } bytes
inside-meter-node-elements = last node: { NUMBER($n) } of { NUMBER($most) } elements
inside-meter-node-bytes = last node: { NUMBER($n) } of { NUMBER($most) } bytes
inside-meter-beyond = – beyond the limit

inside-ttl-of = { $left } of { $whole } left
inside-ttl-left = { $left } left
inside-ttl-lost = This step took away its time to live.

inside-evict-order = If memory ran out now, { $policy } would evict in this order:
inside-evict-none = If memory ran out now, { $policy } would evict nothing: commands that need memory are refused.
inside-evict-left = { $time } left
inside-evict-idle = unused for { $time }

inside-one-block = one piece of memory
inside-two-blocks = two pieces of memory
inside-int-form = the number takes the place of the pointer to the text
inside-head = head (left)
inside-tail = tail (right)
inside-node = node · { $n ->
    [one] { NUMBER($n) } element
   *[other] { NUMBER($n) } elements
} · { $bytes }
inside-pack = listpack · { $bytes }
inside-pack-header = header
inside-intset = intset · { $width } bits each · { $bytes }
inside-buckets = hash table · { NUMBER($buckets) } buckets, { NUMBER($n) } entries
inside-axis = Members along their scores, from { $least } to { $most }
inside-skiplist = skip list · { $height ->
    [one] { NUMBER($height) } level
   *[other] { NUMBER($height) } levels
} · { NUMBER($n) } members
inside-zset-table = Beside it, a hash table of { NUMBER($n) } buckets leads from each member to its score.

inside-board = Leaderboard
inside-board-order = Highest score first, as { $command } replies. ZREVRANK counts the places from 0.
inside-board-up = { $n ->
    [one] up one place
   *[other] up { NUMBER($n) } places
}
inside-board-down = { $n ->
    [one] down one place
   *[other] down { NUMBER($n) } places
}

inside-card = The record on a card
inside-card-all = An application reads the whole card with { $command }.
inside-card-one = An application reads this field with { $command }.
inside-card-lost = This field is gone: { $command } now replies nil.

inside-stream-ids = From { $first } to { $last }; { NUMBER($added) } added in all
inside-stream-node = node { $id } · { $live ->
    [one] one entry
   *[other] { NUMBER($live) } entries
} · { NUMBER($deleted) } marked as deleted · { $bytes }
inside-entry-deleted = deleted, still takes its bytes
inside-no-groups = No consumer group reads this stream.
inside-group-at = has delivered up to { $id }
inside-lag = { NUMBER($n) } to go
inside-lag-unknown = unknown how many to go
inside-nothing-pending = nothing pending
inside-deliveries = Delivered { $n ->
    [one] once
   *[other] { NUMBER($n) } times
} and not acknowledged
inside-times = ×{ NUMBER($n) }

inside-views = Draw as
inside-view-text = Text
inside-view-bits = Bits
inside-view-registers = HyperLogLog
inside-view-ranking = Ranking
inside-view-map = Map

inside-bits = { NUMBER($ones) } of { NUMBER($n) } bits are 1
inside-bits-order = Bit 0 is the highest bit of byte 0. BITCOUNT counts the ones.
inside-bit-changed = Bit { NUMBER($n) }: { $was } → { $now }
inside-bits-shown = Bits { $first } to { $last }; 1: { $ones }
inside-bits-window = bits { $first } – { $last }
inside-bits-columns = Overview of the whole string: a column stands for { NUMBER($n) } bits; the taller, the more of them are 1
inside-bits-move = Move through the string
inside-window-before = Bits before
inside-window-after = Bits after
inside-next-one = Next 1

inside-bits-named = Named by the last command: { $bits } ({ NUMBER($ones) } of { NUMBER($n) } are 1)
inside-rows = Bitmaps with similar names, below each other
inside-rows-operation = BITOP { $operation }, column by column
inside-rows-before = Columns before
inside-rows-after = Columns after
inside-row = { $name }, bits { $first } to { $last }; 1: { $ones }
inside-row-ones = { NUMBER($n) } × 1

inside-hll-dense = six bits a register
inside-hll-sparse = runs of equal registers
inside-hll-count = the last count
inside-hll-stale = the last count is out of date
inside-hll-map = 16,384 registers, 256 a line: the darker, the higher
inside-hll-sum = { NUMBER($zero) } of 16,384 registers are still 0, the highest holds { NUMBER($highest) }. High values are rare, so the number of registers with each value shows how many different elements there were: about { NUMBER($n) } (standard error 0.81 %).
inside-hll-histogram = How many registers hold each value
inside-hll-runs = { $n ->
    [one] One run
   *[other] { NUMBER($n) } runs
} from register 0 on: value × registers
inside-hll-raises = register { $register }: { $was } → { $now }
inside-hll-keeps = register { $register } already holds { $was }, { $now } changes nothing
inside-hll-spoilt = The header is that of a HyperLogLog, but its runs do not add up to 16,384 registers: PFCOUNT refuses it.

inside-map = Map of { $n ->
    [one] one place
   *[other] { NUMBER($n) } places
}
inside-map-circle = { NUMBER($found) } of { NUMBER($all) } found within { $radius } of { $middle }
inside-map-box = { NUMBER($found) } of { NUMBER($all) } found in a box of { $sides } around { $middle }
inside-map-strange = { $n ->
    [one] One score was not written by GEOADD; its place means nothing.
   *[other] { NUMBER($n) } scores were not written by GEOADD; their places mean nothing.
}
inside-map-score = { $member } · { $degrees } · score { $score } · geohash { $letters }
inside-map-bits = The 52 bits of the score. They alternate: east or west, north or south. Each pair selects a quarter of the box before it.

inside-view-table = Structure
inside-view-venn = Circles
inside-venn-choose = Sets to compare
inside-venn-with = Compare with
inside-venn-and = and with
inside-venn-none = no other
inside-venn-count = { $name } ({ NUMBER($n) })
inside-venn-picture = { NUMBER($n) } sets as circles: { $names }. The table below says who is where.
inside-venn-large = These sets have { NUMBER($n) } members, too many to compare at every step. SINTERCARD counts what they share.
inside-venn-members = { $n ->
    [one] one member
   *[other] { NUMBER($n) } members
}
inside-venn-found = in the reply of the last command
inside-venn-where = Where
inside-venn-number = Count
inside-venn-which = Members
inside-venn-only = only in { $name }
inside-venn-both = in both
inside-venn-all = in all three
inside-venn-without = in { $first } and { $second }, not in { $third }
inside-venn-any = in at least one

panel-inside = Inside
