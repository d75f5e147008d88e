-- en: Makes the lease longer than the bank has ever needed.
-- zh: 把租约设得比银行用过的最长时间还长。
function acquire()
  while not redis.call('SET', 'lock', 'held', 'NX', 'EX', 60) do
    sleep(11000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
