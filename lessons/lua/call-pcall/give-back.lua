-- en: Takes, tries to give, and gives back if that fails: no one sees what is in between.
-- zh: 先扣，再试着加，不成就退回：谁也看不到中间的状态。
redis.call('DECRBY', KEYS[1], ARGV[1])
if type(redis.pcall('INCRBY', KEYS[2], ARGV[1])) == 'number' then
  return 'paid'
end
redis.call('INCRBY', KEYS[1], ARGV[1])
return 'refused'
