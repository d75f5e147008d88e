-- en: Asks all nodes at the same time, a thread each, and counts the answers that come within 50 ms.
-- zh: 同时询问所有节点，每个节点一个线程；只计五十毫秒之内的答复。
local ACQUIRE = [[
  if redis.call('EXISTS', KEYS[1]) == 1 then
    return 0
  end
  redis.call('PSETEX', KEYS[1], ARGV[2], ARGV[1])
  return 1
]]
local RELEASE = [[
  if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('DEL', KEYS[1])
  end
]]
local nodes = { connect('r1', { timeout = 50 }), connect('r2', { timeout = 50 }), connect('r3', { timeout = 50 }) }
local token

-- en: Sends a command to all nodes and returns how many answer 1.
-- zh: 向所有节点发送同一条命令，返回有几个答 1。
local function ask_all(...)
  local words, answered, ones = { ... }, 0, 0
  for _, node in ipairs(nodes) do
    spawn(function()
      if node.pcall(unpack(words)) == 1 then
        ones = ones + 1
      end
      answered = answered + 1
    end)
  end
  for _ = 1, 6 do
    if answered < 3 then
      sleep(10)
    end
  end
  return ones
end

function release()
  ask_all('EVAL', RELEASE, 1, 'lock', token)
end

function acquire()
  token = uuid()
  local begun_ms = now()
  local granted = ask_all('EVAL', ACQUIRE, 1, 'lock', token, 10000)
  local valid_ms = begun_ms + 9800 - now()
  if granted > 1 and valid_ms > 0 then
    return valid_ms
  end
  release()
end
