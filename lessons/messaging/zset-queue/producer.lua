-- en: Two customers want to be reminded at 12:00:01, one second after the stage begins: the score is that time in milliseconds.
-- zh: 两位顾客都要在 12:00:01 收到提醒，即实验台开始后一秒。分数就是这个时刻，单位毫秒。
redis.call('ZADD', 'jobs', 1767268801000, 'mail:7', 1767268801000, 'mail:8')
produced('mail:7')
produced('mail:8')
