-- en: There is nothing to sell.
-- zh: 什么都不卖。
local db = connect('db')
function get(id) return nil end
function put(id, value) db.query('UPDATE item SET value = ? WHERE id = ?', value, id) end
