# The end of a turn: the agent says that it is done, and this is what vib says to it, or to the person. Said in the chat, in the language of the prompt.
gate-block =
    vib: it is not done yet, so this turn does not end here.{ $again ->
        [first] { "" }
       *[last] { " " }You were told before; this is the last time.
    }
gate-block-go-on = Put it right and show that it is, or, if you cannot, say plainly what is open and why: an honest "this is not done" ends the turn. Do not weaken or delete a check to make it pass.
gate-release = the agent says that it is done, and after { $count } { $count ->
        [one] reminder
       *[other] reminders
    } this is still open:
gate-release-accept = Send "{ $accept }" if it is fine as it is.
gate-warn = the agent says that it is done, and this is open:
gate-failed = `{ $command }` failed when it was run last.
gate-regressed = `{ $command }` passed before this work and fails now.
gate-stale = `{ $command }` passed, but files were changed after that: run it again.
gate-unknown = `{ $command }` was started after the change, and how it ended is not known here: look at its output, or run it again.
gate-not-checked = no check was run after the change: run `{ $command }`.
gate-part-only = the message speaks of the whole, and only a part was checked (`{ $command }`): what was changed in { $places } was not. Run its checks, or say what was not checked.
gate-tasks = open in the agent's own list:
gate-tasks-more = and { $count } more
gate-not-accepted = agreed on and not shown yet: { $items }
gate-not-accepted-item = { $item } (run `{ $command }`)
gate-not-ticked = agreed on, and only the person can say that it is so (`vib stop accept NUMBER`): { $items }
gate-objects = who looked through the work objects: { $note }
gate-not-reviewed = nobody looked through the work as a whole: `vib verify --profile deep`.
gate-not-run = the checks were not run: { $error }; { $next }
gate-not-looked = what changed was not looked at: { $error }; { $next }
