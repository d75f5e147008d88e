### 课程：地图、课文框架、学习进度。

place-course = 课程
places-label = 页面

course-title = 课程
course-what = 每一课都是一个小舞台，有自己的 Redis。下一步轮到谁由你决定：先把能弄坏的弄坏，再把它修好。
course-continue = 继续：{ $title }
course-begin = 开始：{ $title }
course-done = 已完成 { NUMBER($done) } / { NUMBER($all) } 课
course-tasks = 任务 { NUMBER($done) } / { NUMBER($all) }
course-state-new = 未开始
course-state-next = 接下来学这一课
course-state-begun = 进行中
course-state-done = 已完成
course-later = 正在编写
course-later-what = 课程的这些部分还在编写。需要用到的功能，沙盒里都已经有了。
course-unreachable = 课程没能加载，请检查网络。
course-outdated = 课文与当前页面的版本不一致。
course-none = 这个地址没有对应的课。
course-stuck = 这一课没能搬上舞台。
lesson-no-programs = 没能加载运行程序的模块，客户端暂时走不了一步。网络恢复后请刷新页面，你做过的一切都还在。
course-again = 再试一次
course-map = 回到课程地图

track-types = 数据类型与用途
track-messaging = 传递消息的三种方式
track-streams = 流
track-transactions = 事务
track-lua = Lua 脚本
track-locks = 分布式锁
track-cache = 高并发下的缓存
track-operations = 持久化、复制与集群

progress-title = 我的进度
progress-what = 进度只保存在这个浏览器里。存成文件就能带走。
progress-save = 存成文件
progress-load = 读取文件
progress-forget = 清除进度
progress-forget-really = 确定全部清除？
notice-progress-loaded = 文件里的进度已并入现有进度。
notice-not-progress = 这个文件里没有课程进度，什么都没有改动。
notice-progress-aside = 保存的进度读不出来。它没有被删除，已另存一份；课程从头开始。

lesson-parts = 课文的各个部分
lesson-text = 课文
lesson-read = 讲解
lesson-story = 逐步演示
lesson-tasks = 任务
lesson-next = 下一课：{ $title }
lesson-restart = 重新开始这一课
splitter-text = 课文宽度
splitter-above = 上方面板高度

story-step = 第 { NUMBER($n) } 步，共 { NUMBER($all) } 步
story-ready = 舞台已经布置好。一步一步往下走，留意每一步改变了什么。
story-next = 下一步
story-back = 上一步
story-begin = 开始
story-aside = 你走了自己的路。什么都没有丢：时间线把它留作一个分支。
story-return = 回到演示
story-end = 演示到此结束，现在轮到你了。
story-to-tasks = 去做任务

task-break = 弄坏它
task-repair = 修好它
task-predict = 猜一猜
task-done = 已完成
task-par = { NUMBER($n) } 步就能做到
task-par-rule = 谁都走不动时，时间才会自己过去。明明能走却让时间从身边过去，就等于让它停顿：算一次故障、两步。
attempt-within = 你用 { NUMBER($steps) } 步弄坏了它；最短的调度是 { NUMBER($par) } 步。
attempt-beyond = 你用 { NUMBER($steps) } 步弄坏了它，但动用了多余的故障：最短的调度是 { NUMBER($par) } 步，用不着这么多故障。
attempt-stood = 时间过去的时候，{ $who } 本来可以继续走。让它停着算一次故障，计两步：停下、继续。
attempt-given = 它坏了，但途中有几步是故事、搜索或链接走的。回到开头，自己来弄坏它。
attempt-foreign = 它坏了，但靠的不只是调度：有人敲了命令、改了程序或加了客户端。重新开始，只决定谁先走、出什么故障。
task-hint = 提示 { NUMBER($n) } / { NUMBER($all) }
task-hint-open = 打开提示 { NUMBER($n) } / { NUMBER($all) }
task-solution-show = 看参考答案
task-solution-hide = 收起参考答案
task-solution-later = 看完所有提示或完成任务之后，才能打开参考答案。
task-solution = 参考答案
task-choose = 接下来会发生什么？
task-right = 对，就是这样。
task-wrong = 不对。再想一想，或者在舞台上试试。
task-stage = 搬到舞台上

# 修好它：修改程序，再把所有调度搜一遍。
repair-all = 全部客户端
repair-program = 程序现在的样子
repair-change = 修改程序
repair-check = 检查
repair-reset = 恢复课文里的程序
repair-show = 看看它怎么坏的
repair-wrong = 程序没有跑起来：{ $why }
repair-searching = 正在逐一尝试所有调度……已查 { NUMBER($states) } 个状态
repair-holds = 任何调度都破坏不了它。
repair-broken = 只要 { NUMBER($steps) } 步就能破坏它。
repair-undecided = 查了 { NUMBER($states) } 个状态仍没有结论，请把程序写得简单些。
repair-failed = 搜索没能完成，请再试一次。
repair-done = 修好了：无论谁先谁后，它都成立。
