-- en: Looks for the highest token, and writes if its own is not smaller.
-- zh: 先查最大的令牌，自己的不比它小，再写。
local store = connect('store')

function write(fence, report)
  if tonumber(store.call('GET', 'accepted') or '0') > fence then
    return false
  end
  store.call('SET', 'accepted', fence)
  store.call('SET', 'report', report)
  return true
end
