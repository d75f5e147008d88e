-- en: Deletes only if the lease has half a second left.
-- zh: 租约至少还剩半秒才删除。
local token = uuid()

function acquire()
  while not redis.call('SET', 'lock', token, 'NX', 'EX', 10) do
    sleep(11000)
  end
end

function release()
  if redis.call('GET', 'lock') == token and redis.call('PTTL', 'lock') > 500 then
    redis.call('DEL', 'lock')
  end
end
