-- en: One worker alone, and an item comes back.
-- zh: 只有一个工作线程，中间退回一件。
check(buy() == 'won', 'the last item is sold')
check(buy() == 'sold-out', 'everything is sold')
redis.call('DECR', 'sold')
check(buy() == 'won', 'an item that came back is sold')
check(buy() == 'sold-out', 'everything is sold again')
check(redis.call('GET', 'sold') == '20', 'twenty items are sold')
