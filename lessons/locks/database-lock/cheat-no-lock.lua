-- en: No lock at all: no one waits forever.
-- zh: 根本不加锁，也就没有人会一直等下去。
function acquire()
end

function release()
end
