-- en: Sets the lease first, so that no crash can come before it.
-- zh: 先设租约，免得在设它之前宕机。
function acquire()
  redis.call('EXPIRE', 'lock', 10)
  while redis.call('SETNX', 'lock', 'held') == 0 do
    sleep(5000)
  end
end

function release()
  redis.call('DEL', 'lock')
end
