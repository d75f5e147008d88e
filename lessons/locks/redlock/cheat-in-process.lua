-- en: Keeps the highest token in the process: each client has its own.
-- zh: 最大的令牌记在进程里：每个客户端各记各的。
local store = connect('store')
local highest = 0

function write(fence, report)
  if fence < highest then
    return false
  end
  highest = fence
  store.call('SET', 'report', report)
  return true
end
