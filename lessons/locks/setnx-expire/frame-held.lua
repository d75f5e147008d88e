-- en: Another server holds the lock for five minutes: no one may enter before that is over.
-- zh: 另一台服务器持锁五分钟：在此之前谁也不能进去。
acquire()
check(redis.call('GET', 'held') == nil, 'the other server has come to its end')
enter('checkout')
leave('checkout')
release()
