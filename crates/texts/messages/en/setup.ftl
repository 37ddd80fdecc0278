# `vib init` and `vib doctor`: what was done, what is true now, and what to mend.
setup-not-found = not found here: { $clients }
setup-kept-in = Checkpoints are kept in { $folder }
setup-next = Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back.
setup-next-hooks = Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back; `vib doctor` checks the hooks.
setup-by-hand = { $head }: no agent calls vib here. `vib checkpoint` saves, `vib init --client NAME` connects an agent: { $root }
setup-saved-by-hand = Saved by hand only
setup-needs-first = The hooks are in place, but no agent runs them before you did what is named below
setup-protected = Protected from the next session of your agents on (restart those that run now): { $root }
setup-connected = connected
setup-connected-off = connected, but switched off here
setup-needs-you = needs you:
setup-declined = found, not connected: you said no
setup-not-connected = found, not connected
setup-failed = could not be connected
setup-off = vib is switched off in this project; `vib init --on` switches it on
setup-off-since = vib is switched off in this project since { $since }; `vib init --on` switches it on
setup-off-means = No agent's step is saved or judged here; what was saved stays.
setup-was-on = vib was not switched off in this project: { $root }
setup-on-again = vib is switched on again in this project: { $root }
setup-no-client = no agent client was found on this machine
setup-no-client-fix = `vib init --client NAME` installs hooks for one anyway
setup-all-works = Everything that was looked at works.
setup-none-broken = Nothing that was looked at is broken.
setup-to-mend =
    { $count ->
        [one] 1 thing to mend.
       *[other] { $count } things to mend.
    }
setup-works = works: { $words }
setup-not-since = { $words }, but not since the hooks were installed
setup-try = start { $client } in this project, ask it something, then run `vib doctor` again
setup-no-program = (no program on PATH; found { $path })
setup-ok = ok
setup-note = note
setup-problem = problem
setup-fix = fix: { $fix }
setup-report-written = Written: `{ $file }` ({ $secrets } secrets and { $private } private details were taken out). Read it before you attach it anywhere; nothing was sent.
