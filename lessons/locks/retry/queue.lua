-- en: Stands in line: the list holds one element while nobody is inside, and the server knows who came first.
-- zh: 排队：没有人在里面时，列表里有一个元素；谁先来的，服务器知道。
redis.call('BLPOP', 'turn', 0)
enter('checkout')
work(2000)
leave('checkout')
redis.call('RPUSH', 'turn', 'go')
