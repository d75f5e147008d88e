-- en: One request or one reply is lost, that of the release for instance.
-- zh: 丢失一个请求或一个回复，例如释放锁的那一个。
acquire()
enter('checkout')
work(1000)
leave('checkout')
release()
