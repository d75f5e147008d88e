### 一条错误是什么意思：写在 Redis 原文下面的一句话。

explain-full-width = 这一行里有全角字符。命令、数字和引号要用半角输入。
explain-unknown-command = Redis 没有 { $name } 这个命令。
explain-unknown-subcommand = { $container } 没有 { $name } 这个子命令。
explain-arity = 参数个数不对。{ $command } 的用法是：{ $usage }
explain-syntax = { $command } 后面的参数不符合它的语法：{ $usage }
explain-wrong-type = { $key } 里存的是{ $kind }，而 { $command } 操作的是另一种类型。可以先用 TYPE 看看，或者换一个键。
explain-not-integer = 这里需要 −2⁶³ 到 2⁶³−1 之间的整数，不能有小数、空格或其他字符。
explain-not-float = 这里需要数字，例如 3、-1.5 或 2e10。
explain-min-max-float = 分数区间的两端是数字、-inf 或 +inf；前面加 ( 表示不含端点。
explain-min-max-lex = 按成员取区间时，两端以 [（含端点）或 (（不含端点）开头，或者就写 - 和 +。
explain-overflow = 结果超出 64 位整数，所以什么都没有改。
explain-nan = 结果会是非数值或无穷大，所以什么都没有改。
explain-no-such-key = 这个命令需要的键不存在（或已消失）。
explain-index-range = 列表里没有这个下标的元素。什么都没有改。
explain-out-of-range = 这个数超出了命令能接受的范围。什么都没有改。
explain-invalid-expire = 生存时间必须大于 0，而且不能大到超出可表示的时间。
explain-exec-without-multi = 现在没有打开的事务。先用 MULTI 打开一个。
explain-nested-multi = 已经有一个打开的事务：先用 EXEC 或 DISCARD 结束它。
explain-watch-inside-multi = WATCH 要放在 MULTI 之前：进了事务再监视就晚了，因为 EXEC 之前什么都不会读。
explain-exec-abort = 有命令没能入队，所以 Redis 放弃了整个事务，一条也没有执行。
explain-not-in-multi = 这个命令不能放在事务里。
explain-subscribed = 这个连接已订阅频道，在 RESP2 下不能做别的事。用 UNSUBSCRIBE 或 Ctrl-C 退出；HELLO 3 可以解除这个限制。
explain-oom = 键占用的内存超过了 maxmemory。可以删掉一些、等一些过期，或用 CONFIG SET maxmemory 调高。
explain-too-long = 值的长度会超过 proto-max-bulk-len。什么都没有改。
explain-not-modelled = 真实的 Redis 有 { $command }，Lockstep 还没有模拟它，因此明说，而不假装支持。
explain-cursor = 游标就是上一次调用返回的那个数；从 0 开始扫描。
explain-db-index = 一共有 16 个数据库，编号 0 到 15。
explain-timeout = 超时时间以秒计，不小于 0；0 表示不限时。
explain-same-object = 源和目标是同一个键。
explain-no-proto = HELLO 后面写 2 或 3，即协议版本。
explain-numkeys = 键的个数至少是 1，并且不能多于后面写出的键。
explain-unblocked = 另一个客户端用 CLIENT UNBLOCK 结束了等待。
explain-no-auth = 这个服务器没有设密码，所以不需要登录。
explain-incompatible = 这些选项互相矛盾，去掉其中一个。

explain-did-you-mean = 你是不是想输入
