-- en: Copies nothing: what is not counted is not counted twice.
-- zh: 什么也不复制：不计数，就不会重复计数。
function copy()
end
