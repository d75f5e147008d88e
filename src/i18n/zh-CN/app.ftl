### 页面框架：页眉、标签页、对话框、提示。

app-title = Lockstep
app-title-long = Lockstep · 能停、能倒、能分叉的 Redis 课堂
place-sandbox = 沙盒
language-switch = English
language-switch-hint = 切换到英文（Switch to English）
theme-now-system = 配色：跟随系统
theme-now-light = 配色：浅色
theme-now-dark = 配色：深色
projector = 投影模式
focus-mode = 专注模式：放大显示当前过程
share = 分享
sessions = 会话
help = 快捷键与帮助

tab-terminals = 终端
tab-keys = 键
tab-inside = 内部
tab-timeline = 时间线
tabs-label = 实验台的各个部分

panel-terminals = 终端
panel-keyspace = 键空间
panel-timeline = 时间线

splitter-main = 终端区宽度
splitter-side = 键空间高度

close = 关闭
cancel = 取消
ok = 确定
rename = 重命名
open = 打开
download = 下载
copy = 复制
copied = 已复制

count-keys = { NUMBER($n) } 个键
type-string = 字符串
type-list = 列表
type-hash = 哈希
type-set = 集合
type-zset = 有序集合
type-stream = 流

notice-link-copied = 链接已复制（{ NUMBER($length) } 个字符），整个会话都在里面。
notice-transcript-copied = 命令记录已复制。
notice-clipboard-refused = 浏览器不允许访问剪贴板，请选中文字手动复制。
notice-session-opened = 已打开会话，共 { NUMBER($n) } 步。
notice-set-aside = 上次保存的会话无法读取。它没有被删除，已另存一份，可以在“会话”里找到。现在是一个新会话。
notice-not-a-session = 这不是 Lockstep 会话，什么都没有改动。
notice-link-broken = 链接不完整或在传送途中被改动，无法打开。请让对方重发；你自己的会话没有变化。
notice-from-the-future = 这个会话来自更新版本的页面，请刷新后再试。
notice-too-large = 会话太大，页面无法打开。
notice-not-stored = 浏览器的存储已满或被关闭，会话只存在于当前标签页，请下载保存。
script-is-running = 脚本正在运行，已执行 { $commands } 条命令；其余操作等它结束后再执行。
script-stop = 停止
notice-script-stopped = 脚本已停止，会话仍是运行脚本之前的样子。
assets-fetching = 正在获取页面的下一部分……{ BYTES($bytes) }
assets-unreachable = 网络没有响应。什么都没有丢失，网络恢复后会自动继续。
notice-no-machine = 运行 Lua 脚本的模块加载失败，命令未执行。网络恢复后请再试一次。
notice-forked = 这个会话已在另一个标签页里继续，本页改用一份副本。
traffic-title = 流量
river-title = 消息流
drop-here = 松手即可打开会话文件
panel-scripts = 脚本
tab-scripts = 脚本
splitter-scripts = 脚本编辑器上方终端区的高度
