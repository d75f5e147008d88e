### 支持哪些命令：Redis 7.0 的全部命令，缺了什么、哪里不同。

support-title = 支持哪些命令
support-sum = Redis 7.0 的 { NUMBER($all) } 条命令中，{ NUMBER($whole) } 条与真实服务器一致，{ NUMBER($differ) } 条有已知的差别，{ NUMBER($not) } 条没有实现，执行时会明说。
support-search = 搜索命令
support-only = 只看有差别或没实现的
support-nothing = 没有叫这个名字或有这种作用的命令。
support-families = 位图, 集群, 连接, 键, 地理位置, 哈希, HyperLogLog, 列表, 发布与订阅, 脚本与函数, 服务器, 集合, 有序集合, 流, 字符串, 事务
support-modelled = 已实现
support-differs = 有差别
support-partly = 部分实现
support-not = 没有实现
support-without = 没有实现：{ $names }。

support-cluster = 这里只有一台服务器，没有集群。
support-replicas = 这里只有一台服务器，没有副本。
support-disk = 这里没有进程，也没有磁盘：时间线记着会话的每一步。
support-payload = 这里的值没有序列化形式，也没有别的服务器可以接收。
support-users = 只有一个用户 default，可以设密码：CONFIG SET requirepass，再用 AUTH 登录。
support-modules = 网页无法加载模块。
support-latency = 命令不占用虚拟时间，没有耗时可供统计。
support-chance = 选择由会话的种子决定：重放时结果相同。
support-scripts = 脚本按指令数占用虚拟时间：每 10 万条指令（命令也折算在内）为 1 毫秒，脚本结束时才能看到它的效果。超过 1 亿条指令的脚本视为永不结束：服务器一直 BUSY，直到 SCRIPT KILL。遍历以表或函数为键的表会报错，因为每次重放的顺序都会不同；含有 nil 的列表继续增长后，# 得到的长度可能与真实服务器不同。string.dump 只给出字节码的头部。如果浏览器不能暂停 WebAssembly（JSPI），长脚本执行期间页面会没有响应。
support-hello = 一次 EXEC 的回复全部使用同一种协议，即使其中有 HELLO；真实服务器会在回复中途切换。
support-functions = 与脚本相同。每次调用都重新载入函数库：函数的局部变量不会保留到下一次调用。
support-debugger = 没有实现 SCRIPT DEBUG YES。
support-tracking = 没有实现 CLIENT TRACKING ON。CLIENT LIST 里的 rbs、rbp 不反映真实的缓冲区；obl、oll、omem 只算停顿的客户端还没读的内容。
support-process = 关于进程和机器的信息是虚构的，在每台电脑上都一样。
support-parameters = 与磁盘、网络、副本、线程有关的参数只是记下来，不起作用。
support-debug = 没有实现探查进程内部的子命令。
support-memory = 字节数按 Redis 自己的结构计算；真实的内存分配器取整略有不同。
support-clock = 时钟属于这个会话，命令本身不花时间。
support-wait = 没有副本：等到超时，返回 0。
