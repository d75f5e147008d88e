-- en: A method that calls itself four times.
-- zh: 一个方法调用自己四次。
local me = uuid() .. ':1'

local function descend(depth)
  lock(me)
  if depth < 5 then
    descend(depth + 1)
  else
    enter('checkout')
    work(1000)
    leave('checkout')
  end
  check(unlock(me) == depth - 1, 'one less')
end

descend(1)
