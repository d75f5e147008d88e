-- en: One client that writes twice with one token, then with a greater one, then with one that is too small.
-- zh: 一个客户端：用同一个令牌写两次，再用更大的，最后用太小的。
local store = connect('store')
local function accepts(fence, report)
  return write(fence, report) and store.call('GET', 'report') == report
end
store.call('SET', 'fence', 9)
check(accepts(9, 'nine'), 'the holder writes')
check(accepts(9, 'nine again'), 'the holder writes once more')
store.call('SET', 'fence', 12)
check(accepts(12, 'twelve'), 'the next holder writes')
check(not write(9, 'late'), 'a late write is refused')
sleep(100000000)
check(not write(11, 'late'), 'a late write is refused, however late it is')
check(store.call('GET', 'report') == 'twelve', 'a late write has changed nothing')
