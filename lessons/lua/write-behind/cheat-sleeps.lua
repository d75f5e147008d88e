-- en: Copies once, after all others.
-- zh: 等别人都做完了，只复制一次。
local db = connect('db')
local is_done = false

function copy()
  if not is_done then
    sleep(100000)
    db.query('UPDATE page SET views = ? WHERE id = 1', redis.call('GET', 'views:1') or 0)
    is_done = true
  end
end
