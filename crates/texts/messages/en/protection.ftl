# Is this project protected, and by whom?
protection-off = Switched off:
protection-off-by-you = { $head } by you, since { $since }: no agent's step is saved or judged here; `vib init --on` switches vib on
protection-hooks = Protected by hooks:
protection-not-called = Not called yet:
protection-never-called = { $head } hooks are in place for { $clients }, but no agent has called vib here yet
protection-broken = { $head } hooks are installed for { $clients }, but they do not run. Saved by hand only until then
protection-by-hand = Saved by hand only:
protection-no-agent = { $head } no agent calls vib here. `vib init` connects your agents
protection-called = { $client } last called vib here { $when }
protection-never = { $client } never called vib here
protection-mend = { $what }; to change that: { $next }
protection-no-program = the program that they call is not there
protection-missing = there is none for { $events }
protection-entries = { $client }'s hooks in { $file }: { $what }; `{ $command }` writes them anew
