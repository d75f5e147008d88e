-- en: No lock at all.
-- zh: 完全不加锁。
function acquire()
  return 9898
end

function release()
end
