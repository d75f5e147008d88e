-- en: The office changes the price twice. Each time it sets the key, and then tells the boards.
-- zh: 总部两次改价；每次都先写键，再通知价签。
for _, text in ipairs({ '2:480', '3:450' }) do
  redis.call('SET', 'price', text)
  redis.call('PUBLISH', 'prices', text)
end
