### 脚本编辑器：Lua 文件、运行它们，以及服务器里存着的脚本与函数。

key-scripts = 脚本编辑器
key-river = 消息流
key-lanes = 泳道图

scripts-file = 文件
scripts-new = 新建文件
scripts-import = 导入 .lua 文件
scripts-export = 把这个文件另存为 .lua
scripts-restore = 恢复最初的内容
scripts-source = { $name } 的 Lua 源码
scripts-keys = Ctrl+Enter 运行 · Tab 缩进；先按 Esc 再按 Tab 离开编辑器
scripts-keys-plain = Ctrl+Enter 运行 · Tab 离开编辑器
scripts-no-colours = 没能加载带语法高亮的编辑器，不影响使用。
scripts-run-label = 运行脚本并查看结果
scripts-client = 客户端
scripts-words = KEYS 或 ARGV 里有引号没有闭合。
scripts-run = 运行
scripts-load = 载入
scripts-run-sha = 按 SHA 运行
scripts-load-library = 载入
scripts-load-library-new = 作为新库载入
scripts-library-first = 先载入函数库，它的函数就能在这里调用。
scripts-call = 调用
scripts-cached = 服务器上已有
scripts-not-cached = 服务器上没有
scripts-not-sent = 在时间线的这一刻，它还没有被发送过。
scripts-outcome = { $name } 发送 { $command }：
scripts-no-answer = 还没有回复。
scripts-line = 第 { $line } 行
scripts-kept = 服务器里存着的
scripts-kept-nothing = 缓存里没有脚本，也没有函数。EVAL 和 SCRIPT LOAD 会把脚本放进缓存，FUNCTION LOAD 会载入函数。
scripts-library = 函数库
scripts-open = 在编辑器中打开：{ $name }

scripts-about-release = 释放锁，但只有持有者才能释放：比较与删除一步完成。
scripts-about-stock = 余量够就发放 n 件，不够就一件也不发：哈希里记着 total（总数）与 released（已发）。
scripts-about-multiply = 给计数器乘上一个倍数；计数器不存在时返回 0。
scripts-about-locks = 同样的锁，写成常驻服务器的函数：限时获取、释放、查询持有者。

notice-script-not-stored = 浏览器的存储已满或被关闭，这个脚本只在页面打开期间保留，请另存为文件。
notice-script-too-large = 这里的脚本最多 { NUMBER($most) } 个字符，内容没有改动。
notice-script-not-text = 这个文件不是可以用作脚本的文本，什么都没有改动。
notice-script-name = 文件不能叫这个名字，或者已经有同名的文件。
terminal-eval = --eval 运行脚本编辑器里的文件，和在 shell 里用 redis-cli 一样：{ $usage }。逗号前是 KEYS，后面是 ARGV。现有文件：{ $names }
