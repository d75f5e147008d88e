-- en: Asks for the type, which says nothing about the value.
-- zh: 只看类型，类型却说明不了值。
if redis.call('TYPE', KEYS[2]).ok ~= 'string' then
  return 'refused'
end
redis.call('DECRBY', KEYS[1], ARGV[1])
redis.call('INCRBY', KEYS[2], ARGV[1])
return 'paid'
