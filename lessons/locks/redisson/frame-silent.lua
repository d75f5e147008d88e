-- en: The lock disappears and no message comes: someone has deleted it by hand, or the message was lost.
-- zh: 锁没有了，却没有消息：有人手工删了它，或者消息丢了。
acquire()
enter('checkout')
work(1000)
leave('checkout')
redis.call('DEL', 'lock')
