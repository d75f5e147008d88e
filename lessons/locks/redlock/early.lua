-- en: Asks r3 first, stops as soon as a majority is won or lost, and looks before it deletes under WATCH.
-- zh: 从 r3 问起；多数已定（拿到或拿不到）就不再问；释放时先 WATCH，看清再删。
local nodes = { connect('r3', { timeout = 30 }), connect('r2', { timeout = 30 }), connect('r1', { timeout = 30 }) }
local token

function release()
  for _, node in ipairs(nodes) do
    node.pcall('WATCH', 'lock')
    local is_mine = node.pcall('GET', 'lock') == token
    node.pcall('MULTI')
    if is_mine then
      node.pcall('DEL', 'lock')
    end
    node.pcall('EXEC')
  end
end

function acquire()
  local over_ms = now() + 9900
  local yes, no = 0, 0
  token = uuid()
  for _, node in ipairs(nodes) do
    if yes < 2 and no < 2 then
      if node.pcall('SET', 'lock', token, 'PX', 10000, 'NX') == 'OK' then
        yes = yes + 1
      else
        no = no + 1
      end
    end
  end
  local valid_ms = over_ms - now()
  if yes == 2 and valid_ms > 0 then
    return valid_ms
  end
  release()
  return nil
end
