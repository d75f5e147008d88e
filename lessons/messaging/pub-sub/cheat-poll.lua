-- en: Does not listen at all, and reads the key every five seconds.
-- zh: 根本不收听，每五秒读一次键。
function begin()
  return redis.call('GET', 'price')
end

function follow(shown)
  local text = redis.call('GET', 'price')
  if text == shown then
    sleep(5000)
  end
  return text
end
