-- en: Someone deletes the lock by hand; the next client takes it some seconds later.
-- zh: 有人手工删了锁；几秒后，下一个客户端拿到它。
sleep(random(1, 9000))
acquire()
enter('checkout')
work(1000)
leave('checkout')
redis.call('DEL', 'lock')
