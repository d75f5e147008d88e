-- en: Nothing exists.
-- zh: 什么都不存在。
function get(id) return nil end
