-- en: Shows what will be right in the end.
-- zh: 一开始就显示最终正确的价格。
function begin()
  return '3:450'
end

function follow(shown)
  wait_message(5000)
  return shown
end
