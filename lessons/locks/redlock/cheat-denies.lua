-- en: Writes, and says that it has not.
-- zh: 写了，却说没写。
local store = connect('store')

function write(fence, report)
  store.call('SET', 'report', report)
  return false
end
