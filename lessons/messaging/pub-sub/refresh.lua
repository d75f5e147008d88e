-- en: As before, and when nothing has come for five seconds it reads the key, in case a message was lost.
-- zh: 同样的做法；五秒没有消息时，再读一次键，以防有消息丢失。
local function version(text)
  return tonumber(text:match('^(%d+):'))
end

local function newest(one, other)
  return version(other) > version(one) and other or one
end

function begin()
  local first = redis.call('GET', 'price')
  subscribe('prices')
  return newest(first, redis.call('GET', 'price'))
end

function follow(shown)
  local _, text = wait_message(5000)
  return newest(shown, text or redis.call('GET', 'price'))
end
