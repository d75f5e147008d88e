-- en: KEYS, but before the first request.
-- zh: 还是 KEYS，不过在第一个请求之前。
function start()
  local keys = redis.call('KEYS', 'sale:*')
  for i = 1, #keys, 1000 do
    redis.call('UNLINK', unpack(keys, i, math.min(i + 999, #keys)))
  end
end

function get(id)
  return redis.call('GET', 'item:' .. id)
end
