-- en: The first one works longer than any lease. The second one finds its own row when it has done its work.
-- zh: 第一个客户端的业务比任何租约都长。第二个客户端做完时，它自己的那一行还在。
local eye = connect('db')
acquire()
local first = #eye.query("SELECT method FROM method_lock WHERE method = 'first'") == 0
if first then
  eye.query("INSERT INTO method_lock (method) VALUES ('first')")
  work(60000)
else
  work(200000)
  check(#eye.query("SELECT method FROM method_lock WHERE method = 'transfer'") == 1, 'the row of the second client is still there')
end
release()
