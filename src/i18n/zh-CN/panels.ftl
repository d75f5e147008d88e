# Messages of what opens on demand in the panels of a lesson and in the timeline: the event loop, the comparison of runs, branches.
compare-choose = 与它比较
compare-this = 当前这条线
compare-other = 另一条线
compare-branch = 第 { NUMBER($n) } 步之后：{ $what }
programs-use = 使用这个程序
programs-cancel = 取消
loop-running = 正在执行
loop-idle = 空闲
loop-queue = 队列
loop-queue-empty = 没有请求在等待。打开“细分步骤”，请求就可以先发出、后执行。
loop-why = 只有一个线程，请求一个接一个地处理。一条命令或一段脚本执行期间，别的什么都不会执行，所以它们各自都是原子的。
time-steps-none = 还什么都没发生。请在任意一个终端里输入命令。
time-steps-earlier = 之前还有 { NUMBER($n) } 步
time-steps-later = 之后还有 { NUMBER($n) } 步
time-branches-none = 目前只有一条线。退回去输入别的命令就会分叉，原来的未来仍然保留。
time-branch-here = 当前
time-branch-parts = 第 { NUMBER($n) } 步之后分叉

lanes-tally = 程序自己的计数：{ $name }
lanes-summary-hint = 选一个客户端，查看它的泳道。
lanes-open-status = { $name }：{ $status }。点按可显示或隐藏它的泳道
lanes-some = 位置有限，显示 { NUMBER($all) } 条泳道中的 { NUMBER($open) } 条
lanes-requests = 每个客户端的请求数
lanes-requests-bucket = { $range } 次请求：{ NUMBER($n) } 个客户端
