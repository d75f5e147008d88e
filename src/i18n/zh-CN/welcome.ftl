### 首次访问者在第一个终端里看到的内容。

welcome-what = 这个页面里就运行着一台 Redis。你可以同时扮演多个客户端输入命令，让时钟停下，还能回到过去。也可以先运行一个示例：
welcome-try = 示例
welcome-counter = 计数器
welcome-blocked = 等待任务
welcome-lease = 会过期的锁
welcome-group = 消费者组
welcome-board = 排行榜
welcome-course = 开始学习课程
welcome-continue = 继续学习课程
welcome-done = 所有课都已完成，回到课程地图

departed-clients = 已离开的客户端：{ NUMBER($n) } 个
departed-at = 在第 { NUMBER($n) } 步离开
