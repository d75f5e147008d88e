-- en: Accepts the first report and no other.
-- zh: 只接受第一份报告。
local store = connect('store')

function write(fence, report)
  return store.call('SETNX', 'report', report) == 1
end
