-- en: Does not listen at all, and reads the key ten times a second.
-- zh: 根本不收听，每秒读十次键。
function begin()
  return redis.call('GET', 'price')
end

function follow(shown)
  for _ = 1, 50 do
    local text = redis.call('GET', 'price')
    if text ~= shown then
      return text
    end
    sleep(100)
  end
  return shown
end
