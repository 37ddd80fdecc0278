# `vib` alone: where the project stands, and the one thing to do next.
overview-hooks-in-place = Nothing is saved in this folder yet. Hooks are in place for { $clients }: the first request saves it.
overview-unknown = vib does not know this folder yet. It saves what AI agents change, and takes you back.
overview-do-checkpoint = saves it now
overview-do-doctor = says whether your agents will really call vib
overview-do-help = all commands
overview-do-init = in your project's folder: connects your agents and saves a first checkpoint
overview-do-demo = the whole story in a throw-away folder
overview-at-work = At work:
overview-runs = runs `{ $what }`, begun { $when }
overview-last-heard = last heard of { $when }
overview-on-request = { " " }on { $request }
overview-agent = { $head } { $name }{ $request } (begun { $when }); { $what }
overview-more-agents =
    { $count ->
        [one] and 1 more agent
       *[other] and { $count } more agents
    }
overview-last-request = Last request { $number }
overview-request-began = { $request } began
overview-checkpoint = checkpoint { $id }{ $message }, { $when }
overview-no-checkpoint = No checkpoint yet
overview-nothing-changed = Nothing has changed since { $then }
overview-changed =
    { $count ->
        [one] 1 file changed since { $then }: { $added } { $removed }
       *[other] { $count } files changed since { $then }: { $added } { $removed }
    }
overview-unsaved =
    { $count ->
        [one] Not saved yet: 1 change
       *[other] Not saved yet: { $count } changes
    }
overview-next = Next:
overview-help = `vib --help` lists all commands
overview-about-store = says what is lost, and brings back what can be
overview-about-undo = shows how to take the last request back, and asks first
overview-about-recover = says what happened and how to bring back what is lost, and asks first
overview-about-explain = says what changed, what is risky about it and what to check
overview-about-init = connects your agents
overview-about-on = switches vib on again in this project
overview-about-doctor = says what is wrong with the hooks, and how to mend it
overview-about-checkpoint = saves the project as it is now
overview-about-history = shows what happened, and where you can go back to
