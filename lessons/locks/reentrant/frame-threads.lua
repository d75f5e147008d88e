-- en: Two threads of one process, each with an id of its own.
-- zh: 同一进程的两个线程，各有各的标识。
local process = uuid()

local function checkout(me)
  lock(me)
  enter('checkout')
  lock(me)
  work(1000)
  check(unlock(me) == 1, 'depth = 1')
  leave('checkout')
  check(unlock(me) == 0, 'depth = 0')
  tally('done')
end

spawn(function()
  checkout(process .. ':2')
end)
checkout(process .. ':1')
