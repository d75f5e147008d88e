-- en: Takes nothing. What is not taken is not lost.
-- zh: 什么也不取。不取走，就不会丢。
function take()
  sleep(5000)
end

function done(order)
end

function reap()
end
