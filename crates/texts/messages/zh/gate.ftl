# 一轮结束：代理说已经完成时，vib 对它或对人说的话。在对话中使用提问的语言。
gate-block =
    vib：还没有完成，所以这一轮不能在这里结束。{ $again ->
        [first] { "" }
       *[last] 之前已经提醒过，这是最后一次。
    }
gate-block-go-on = 请改正并证明已改正；如果做不到，就明确说明还差什么、为什么。诚实地说"这还没有完成"，这一轮就会结束。不要为了通过而削弱或删除检查。
gate-release = 代理说已经完成，但提醒 { $count } 次之后仍有未完成的：
gate-release-accept = 如果这样就可以，请发送"{ $accept }"。
gate-warn = 代理说已经完成，但还有未完成的：
gate-failed = `{ $command }`：上次运行失败。
gate-regressed = `{ $command }`：这次工作之前通过，现在失败。
gate-stale = `{ $command }`：曾经通过，但之后文件又有改动，请重新运行。
gate-unknown = `{ $command }`：在改动之后启动，但不知道结果如何。请查看它的输出，或重新运行。
gate-not-checked = 改动之后没有运行过任何检查，请运行 `{ $command }`。
gate-part-only = 消息说的是全部，但只检查了一部分（`{ $command }`）：{ $places } 中的改动没有检查。请运行那里的检查，或说明哪些没有检查。
gate-tasks = 代理自己的清单中还有：
gate-tasks-more = 另有 { $count } 项
gate-not-accepted = 约定了但尚未证明的：{ $items }
gate-not-accepted-item = { $item }（运行 `{ $command }`）
gate-not-ticked = 约定的事项中只有人才能确认的（`vib stop accept NUMBER`）：{ $items }
gate-objects = 审查者的异议：{ $note }
gate-not-reviewed = 没有人整体审查过这次工作：`vib verify --profile deep`。
gate-not-run = 检查没有运行：{ $error }；{ $next }
gate-not-looked = 没有查看改动：{ $error }；{ $next }
