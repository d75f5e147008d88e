-- en: What every item cost in the beginning.
-- zh: 每件商品最初的价格。
function get(id) return 'v0-' .. id end
function put(id, value) end
