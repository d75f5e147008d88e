-- en: No lock at all: then no lock can be deleted.
-- zh: 根本不加锁，也就没有什么可误删的。
function acquire()
end

function release()
end
