-- en: Two jobs at the same time: the number in the row never goes back.
-- zh: 两个任务同时执行：行里的数不会变小。
local eye = connect('db')
local before = 0
for _ = 1, 2 do
  copy()
  local views = eye.query('SELECT views FROM page WHERE id = 1')[1].views
  check(views >= before, 'the number never goes back')
  before = views
end
tally('finished')
