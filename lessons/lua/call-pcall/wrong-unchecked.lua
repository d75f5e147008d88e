-- en: The script of the shop: takes from one account and gives to the other.
-- zh: 商城的脚本：从一个账户扣，往另一个账户加。
redis.call('DECRBY', KEYS[1], ARGV[1])
redis.call('INCRBY', KEYS[2], ARGV[1])
return 'paid'
