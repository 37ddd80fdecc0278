# Is this project protected, and by whom?
protection-off = 已停用：
protection-off-by-you = { $head }由您自 { $since } 起停用：这里不保存也不审查代理的任何步骤；`vib init --on` 可重新启用
protection-hooks = 由钩子保护：
protection-not-called = 尚未被调用：
protection-never-called = { $head }{ $clients } 的钩子已就绪，但还没有代理在这里调用过 vib
protection-broken = { $head }{ $clients } 的钩子已安装，但没有运行。修好之前只能手动保存
protection-by-hand = 仅手动保存：
protection-no-agent = { $head }没有代理在这里调用 vib。`vib init` 可连接您的代理
protection-called = { $client } 上次在这里调用 vib 是{ $when }
protection-never = { $client } 从未在这里调用过 vib
protection-mend = { $what }；要改变这一点：{ $next }
protection-no-program = 它们调用的程序不存在
protection-missing = 缺少 { $events } 的钩子
protection-entries = { $file } 中 { $client } 的钩子：{ $what }；`{ $command }` 会重新写入
