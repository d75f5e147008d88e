-- en: Takes the count out of Redis first, so that no one can copy it twice.
-- zh: 先把次数从 Redis 取走，免得有人复制两次。
local db = connect('db')

function copy()
  local fresh = redis.call('GETDEL', 'views:1')
  if fresh then
    db.query('UPDATE page SET views = views + ? WHERE id = 1', fresh)
  end
end
