-- en: Watches the highest token, compares it, and writes both in a transaction; if someone was faster, it looks again.
-- zh: 监视最大的令牌，比较，再用事务一起写入；被别人抢先，就重新看一遍。
local store = connect('store')

function write(fence, report)
  while true do
    store.call('WATCH', 'accepted')
    if tonumber(store.call('GET', 'accepted') or '0') > fence then
      store.call('UNWATCH')
      return false
    end
    store.call('MULTI')
    store.call('SET', 'accepted', fence)
    store.call('SET', 'report', report)
    if store.call('EXEC') then
      return true
    end
  end
end
