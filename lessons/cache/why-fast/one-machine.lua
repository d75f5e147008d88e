-- en: One machine at a time searches, looks at the names itself, and rests after each page.
-- zh: 同一时刻只有一台机器在查，由它自己辨认名字，每查一页歇一毫秒。
local jobs = memory('jobs')

local function clean()
  if not redis.call('SET', 'cleaning', 1, 'NX', 'PX', 900) then return end
  local cursor = '0'
  repeat
    local page = redis.call('SCAN', cursor, 'COUNT', 500)
    local list = {}
    for _, key in ipairs(page[2]) do
      if string.sub(key, 1, 5) == 'sale:' then list[#list + 1] = key end
    end
    if list[1] then redis.call('UNLINK', unpack(list)) end
    cursor = page[1]
    sleep(1)
  until cursor == '0'
end

function get(id)
  if jobs:add('clean', 1, 1000) then spawn(clean) end
  return redis.call('GET', 'item:' .. id)
end
