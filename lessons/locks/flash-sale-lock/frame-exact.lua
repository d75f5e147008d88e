-- en: A buyer buys exactly what is left, then asks for one item more.
-- zh: 买家恰好买下全部余货，然后再要一件。
check(buy(7), 'seven of ten are sold')
check(buy(4) == false, 'four of three are not sold')
check(buy(3), 'the last three are sold')
check(buy(1) == false, 'nothing is left')
check(redis.call('GET', 'stock') == '0', 'the stock is zero')
