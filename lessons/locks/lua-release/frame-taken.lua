-- en: While this server works, its lock passes to another client.
-- zh: 这台服务器工作期间，锁归了别人。
acquire()
redis.call('SET', 'lock', 'another')
check(not save(11), 'a server without the lock does not write')
check(redis.call('GET', 'stock') == '5', 'the stock is unchanged')
release()
check(redis.call('GET', 'lock') == 'another', 'the lock of another server is still there')
