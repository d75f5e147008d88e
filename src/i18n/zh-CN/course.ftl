### 课程：地图、课文框架、学习进度。

place-course = 课程
places-label = 页面

course-title = 课程
course-what = 每一课都是一个小实验台，有自己的 Redis。下一步轮到谁由你决定：先把能弄坏的弄坏，再把它修好。
course-continue = 继续：{ $title }
course-begin = 开始：{ $title }
course-done = 已完成 { NUMBER($done) } / { NUMBER($all) } 课
course-first = 一次答对 { NUMBER($right) } / { NUMBER($all) }
course-alone = 独立完成 { NUMBER($n) }
course-with-hints = 看提示完成 { NUMBER($n) }
course-after-solution = 看答案后完成 { NUMBER($n) }
course-tasks = 任务 { NUMBER($done) } / { NUMBER($all) }
course-state-new = 未开始
course-state-next = 接下来学这一课
course-state-begun = 进行中
course-state-done = 已完成
course-later = 正在编写
course-later-what = 课程的这些部分还在编写。需要用到的功能，沙盒里都已经有了。
course-unreachable = 课程加载失败，请检查网络。
course-outdated = 课文与当前页面的版本不一致。
course-none = 这个地址没有对应的课。
course-stuck = 无法在实验台上打开这一课。
lesson-no-programs = 运行程序的模块加载失败，客户端暂时无法执行。网络恢复后请刷新页面，做过的内容都还在。
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

notice-progress-loaded = 文件里的进度已并入现有进度。
notice-not-progress = 这个文件里没有课程进度，什么都没有改动。
notice-progress-aside = 保存的进度无法读取。它没有被删除，已另存一份；课程从头开始。

lesson-parts = 课文的各个部分
lesson-text = 课文
lesson-story = 逐步演示
lesson-to-story = 看逐步演示
section-closed = 这一段讲解任务“{ $task }”，先动手试过，它就会打开。
section-open = 直接看讲解
lesson-restart = 重新开始这一课
splitter-text = 课文宽度
splitter-above = 上方面板高度
splitter-focus = 左侧宽度
group-fold = 收起右侧

task-break = 弄坏它
task-achieve = 动手做
task-repair = 修好它
task-handler = 动手写
task-predict = 先预测
task-choose = 选一选
task-done = 已完成
task-next = 接下来
task-first-right = 一次答对
task-first-wrong = 已作答，第一次没有答对
task-alone = 独立完成
task-with-hints = 看提示完成
task-after-solution = 看答案后完成
task-shortest = { NUMBER($n) } 步就能做到
task-shortest-rule = 所有客户端都无法继续时，时间才会自动流逝。能继续却任由时间流逝，就是停顿：算一次故障、两步。
task-hint = 提示 { NUMBER($n) } / { NUMBER($all) }
task-hint-open = 打开提示 { NUMBER($n) } / { NUMBER($all) }
task-solution-show = 看参考答案
task-solution-hide = 收起参考答案
task-solution-later = 看完所有提示或完成任务之后，才能打开参考答案。
task-solution = 参考答案
# 修复任务与处理函数任务共用的文字。
repair-check = 运行检查
repair-outcome = { $title }：{ $what }
repair-known = 和“{ $title }”是同一个错误
repair-rest = 还有 { NUMBER($n) } 种变化没有查：前面的都成立，才会查到它们。
