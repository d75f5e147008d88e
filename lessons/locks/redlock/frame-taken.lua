-- en: The lease is over and another client holds the lock, first on all nodes, then on two, then on one.
-- zh: 租约已过，锁归别的客户端：先是三个节点，然后两个，最后一个。
local nodes = { connect('r1'), connect('r2'), connect('r3') }
acquire()
for _, node in ipairs(nodes) do
  node.call('SET', 'lock', 'other')
end
release()
for _, node in ipairs(nodes) do
  check(node.call('GET', 'lock') == 'other', 'the lock of another client is still there')
end
nodes[3].call('DEL', 'lock')
check(not acquire(), 'one node of three is no majority')
check(nodes[3].call('EXISTS', 'lock') == 0, 'what a failed attempt was granted is given back')
check(nodes[1].call('GET', 'lock') == 'other' and nodes[2].call('GET', 'lock') == 'other', 'no lock of another client was deleted')
nodes[2].call('DEL', 'lock')
check(acquire(), 'two nodes of three are a majority')
