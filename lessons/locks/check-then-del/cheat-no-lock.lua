-- en: No lock at all: nothing can be taken away then.
-- zh: 根本不加锁，也就没有什么可误删的。
function acquire()
end

function release()
end
