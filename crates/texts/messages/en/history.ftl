# `vib history`, `vib checkpoint`, `vib pin`: what happened, and what is saved.
history-looked-at =
    { $count ->
        [one] 1 file looked at,{ " " }
       *[other] { $count } files looked at,{ " " }
    }
history-nothing-changed = nothing had changed
history-changed =
    { $count ->
        [one] 1 path changed
       *[other] { $count } paths changed
    }
history-kept = , kept for ever
history-saved = Saved checkpoint { $id }{ $called } ({ $what }{ $changed }{ $pinned })
history-in-parts = `{ $file }` is below in parts: what somebody else changed in it in between is in none of them
history-only = Only { $names } was saved, nothing else. `vib checkpoint -m { $first }` saves the whole project under that name
history-pinned = Checkpoint { $id } is kept for ever now. `vib unpin { $id-plain }` takes that back.
history-unpinned = Checkpoint { $id } expires like the others now.
history-older = There are older ones: `vib history --checkpoints -n 0` shows them all.
history-agent = agent
history-without-words = (a request without words)
history-word-pinned = pinned
history-word-safety = safety
history-word-before = before { $tool }
history-after-request = after the request
history-before-request = before the request
history-word-checkpoint = checkpoint
history-nothing = Nothing to tell: no step, change or save that fits. `vib checkpoint` saves the project as it is now.
history-more = There is more: `vib history -n 0` shows it all.
history-in-project = { $path } lies in the project { $project }
history-in-none = { $path } lies in no project
history-own-numbers = { $place }. The numbers below are its own and count only together with it: `vib undo { $step } { $word }`, `vib diff { $step } { $word }`
history-request = Request
history-session = session { $session }
history-by-hand = by hand or by another program
history-not-sure = not sure: { $steps }
history-or = { " " }or{ " " }
history-safety-copy = safety copy
history-with-commit = saved with a commit
history-word-saved = saved
history-taken-back = taken back
history-looked =
    { $count ->
        [1] looked once
        [2] looked twice
       *[other] looked { $count } times
    }
history-exit = exit { $code }
history-failed = failed
history-failed-exit = failed, exit { $code }
history-stopped = stopped by vib
history-refused = refused
history-cut-off = cut off
history-running = running
history-more-files =
    { $count ->
        [one] and 1 more file
       *[other] and { $count } more files
    }
history-from-project = from the project { $project }
history-elsewhere =
    { $count ->
        [one] and 1 file { $place }: { $first } (`{ $command }`)
       *[other] and { $count } files { $place }: { $first }, … (`{ $command }`)
    }
history-place-project = in the project { $project }
history-place-outside = outside this project
history-mark-new = new{ " " }
history-mark-gone = gone
history-mark-mode = mode
history-mark-kind = kind
history-changes-by-hand = changes by hand or by another program
history-steps-only = steps without a request
