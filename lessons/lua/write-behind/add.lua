-- en: Adds what is new to the row, then takes it off the counter.
-- zh: 先把新增的次数加到行里，再从计数器中减掉。
local db = connect('db')

function copy()
  local fresh = tonumber(redis.call('GET', 'views:1') or 0)
  if fresh > 0 then
    db.query('UPDATE page SET views = views + ? WHERE id = 1', fresh)
    redis.call('DECRBY', 'views:1', fresh)
  end
end

---- frame ----
-- en: A job that runs once a second, and once more after the last visit.
-- zh: 每秒执行一次的任务，最后一次访问之后再执行一次。
repeat
  local is_closed = redis.call('EXISTS', 'closed') == 1
  copy()
  sleep(1000)
until is_closed
tally('finished')
