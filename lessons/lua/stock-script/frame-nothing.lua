-- en: Orders nothing, and less than nothing, and then one item and three.
-- zh: 先要零件，再要负数件，然后要一件、三件。
for _, wanted in ipairs({ 0, -1, -4 }) do
  check(take(wanted) == 0, 'nothing is handed out')
  check(redis.call('HGET', 'item', 'released') == '4', 'nothing is taken back')
end
check(take(1) == 1, 'one is handed out')
check(redis.call('HGET', 'item', 'released') == '5', 'one more is released')
check(take(3) == 3, 'three are handed out')
check(redis.call('HGET', 'item', 'released') == '8', 'three more are released')
