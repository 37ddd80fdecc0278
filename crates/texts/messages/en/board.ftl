# The board of runs: columns, cards, evidence; on the page and in the terminal (`vib board`).
board-title = Runs
board-lead = Every card of every run, where it stands. Nothing of it is in your project before your yes.
board-empty = There are no runs yet. `vib run "TASK"` starts one in a workspace of its own; `vib run --demo` shows how it works.
board-status-todo = To do
board-status-running = Running
board-status-preview = Preview
board-status-review = Review
board-status-done = Done
board-status-blocked = Blocked
board-status-reverted = Taken back
board-status-dropped = Put away
board-none-here = nothing here
board-put-away = { $count ->
    [one] 1 card was taken back or put away
   *[other] { $count } cards were taken back or put away
}
board-more = { $count ->
    [one] 1 more
   *[other] { $count } more
}
board-check-passed = checks pass
board-check-failed = a check fails
board-check-partly = checks in part
board-check-stale = checked before its last change
board-check-none = not checked
board-risk-low = low risk
board-risk-medium = some risk
board-risk-high = high risk
board-risk-unknown = risk not known
board-left-alone = nobody is at work on it
board-weakened = tests were weakened
board-findings = { $count ->
    [one] 1 finding of the guard
   *[other] { $count } findings of the guard
}
board-attempts = { $count ->
    [one] 1 attempt
   *[other] { $count } attempts
}
board-cost-unknown = cost not known
board-cost-at-least = at least { $cost }
board-tokens = { $count ->
    [one] 1 token
   *[other] { $count } tokens
}
board-waits-title = { $count ->
    [one] A run waits for you
   *[other] { $count } runs wait for you
}
board-waits-answer = Answer…
board-waits-cards = { $count ->
    [one] 1 card waits for your yes
   *[other] { $count } cards wait for your yes
}
board-look = Look at the board
board-at-work = at work
board-ended-done = ended: everything is done
board-ended-blocked = ended: something is blocked
board-ended-stopped = stopped
board-ended-failed = failed
board-run-title = Run { $run }
board-run-task = What was asked for
board-run-cards = Cards
board-run-no-cards = There is no plan yet.
board-run-state = State
board-run-by = Who works
board-run-spent = Used so far
board-run-limits = Limits
board-run-no-limits = none
board-run-actions = { $count ->
    [one] 1 action per card
   *[other] { $count } actions per card
}
board-run-began = Began
board-run-budget = { $of }: { $used } % of the budget is used
board-run-switched = { $from } → { $to }: { $why }
board-run-lost = it cannot: { $list }
board-run-switches = Another model took over
board-paused = It waits for you
board-answer = Your answer
board-answer-send = Keep this answer
board-go-on = This goes on with it:
board-card-acceptance = When it is done
board-card-steps = How
board-card-attempts = Attempts
board-card-recommended = recommended
board-card-landed = in the project
board-card-dropped = put away
board-card-reasons = Why
board-card-no-attempt = Nobody began yet.
board-card-review = Reviewer
board-card-assumptions = Taken for granted
board-card-checks = Checks that vib ran
board-card-commands = Commands
board-card-evidence = Evidence
board-card-calls = Actions
board-card-rejected = Not done, because it was no valid action
board-card-unfinished = Begun, and nobody knows what came of it
board-card-findings = What the guard found
board-card-weakened = Tests that went or lost cases
board-card-last-words = Its last words
board-card-lane = Lane
board-card-before = Before
board-card-after = After
board-card-changes = What it changed
board-card-no-changes = It changed no files.
board-card-no-diff = What it changed cannot be shown: { $why }
board-card-exit = exit code { $code }
board-card-ended = was ended
board-card-output = What it said
board-head-attempt = Attempt
board-head-by = Who
board-head-ended = Ended
board-head-changes = Changes
board-head-checks = Checks
board-head-cost = Cost
board-head-time = Time
board-head-card = Card
board-head-status = Status
board-head-risk = Risk
board-check-is-passed = passed
board-check-is-failed = failed
board-check-is-still-fails = failed before, too
board-check-is-flaky = changes its mind on the same files
board-check-is-timed-out = did not end
board-check-is-not-run = not run
board-end-done = done
board-end-refused = refused
board-end-cancelled = cancelled
board-end-limit = over a limit
board-end-silent = said nothing any more
board-end-forks = left programs running
board-end-crashed = crashed
board-end-budget = over the budget
board-end-blocked = blocked
board-end-open = not ended
board-seconds = { $count } s
board-minutes = { $count } min
board-stop = Stop
board-stop-title = Stop { $run }?
board-stop-about = Whoever works on it is asked to end after the action that is under way. What was done so far is kept, and the run can go on later.
board-stop-yes = Yes, stop it
board-stop-asked = It was asked to stop.
board-stop-done = Nobody was at work on it any more; it is written down as stopped.
board-keys = arrows move · Enter evidence · a apply · r revert · d drop · ? help · q quit
board-keys-card = arrows scroll · a apply · r revert · d drop · Esc back · q quit
board-keys-help = any key: back
board-help-move = to another card or column
board-help-open = the card's evidence: attempts, checks, commands, changes
board-help-back = back to the board
board-help-far = to the first or last one, or a page on
board-help-apply = bring the card to the project
board-help-revert = take it back
board-help-replay = do it again from what is kept
board-help-drop = put it away
board-help-stop = stop its run
board-help-away = show what was taken back or put away
board-help-help = these keys
board-help-quit = end
board-help-acts = Each of them shows what would happen and asks for your yes first.
board-ask-replay = Do { $name } again from what is kept, in a fresh workspace? Your project stays as it is.
board-ask-drop = Put { $name } away? Everything of it is kept, and its workspace can be opened again.
board-ask-stop = Stop the run of { $name }? What was done is kept.
board-back = Enter leads back to the board.
board-act-apply = Apply
board-act-revert = Revert
board-act-replay = Replay
board-act-drop = Drop
board-act-apply-about = The card's changes come to your project, as one step that can be undone. What you changed since stays.
board-act-revert-about = The card's changes are taken back from your project. Later cards and later work stay.
board-act-in-lane = The card is not in your project: only its lane { $lane } changes.
board-act-replay-about = It is done again from what is kept, in a fresh lane, and held against what came out then. Your project is not touched.
board-act-drop-about = Its lane is saved and put away. Everything of it is kept and can be brought back.
board-act-apply-yes = Yes, save and apply
board-act-revert-yes = Yes, save and take it back
board-act-replay-yes = Yes, do it again
board-act-drop-yes = Yes, put it away
board-act-already = Everything is so already: nothing has to change.
board-act-without = Earlier cards that are not in the project: { $list }
board-act-weakened = It checks less than before: { $list }
board-act-later = Later cards changed the same files, and stay: { $list }
board-act-merged = Changed since as well, and put together: { $list }
board-act-left = Left as they are: { $list }
board-act-overlaps = The same places were changed otherwise since. Nothing is guessed:
board-act-leave = Leave these files and look at the rest
board-done-applied = The card is in your project.
board-done-reverted = The card is taken back.
board-done-paths = { $count ->
    [one] 1 file was written or removed.
   *[other] { $count } files were written or removed.
}
board-done-same = It came out exactly as then.
board-done-other = It was done again, and did not come out as then.
board-done-lane = The lane { $lane } is kept, to look at.
board-done-dropped = It is put away.
board-done-kept = Everything of it is kept; this brings a lane back:
board-replay-same = as then
board-replay-differs = { $path } is not as then
board-replay-done = done
board-replay-refused = could not be done
board-replay-nothing = nothing to do
board-act-no-check = The page runs no commands: the checks were run in the lane, not on the result. This runs them on the result first:
board-answer-kept = Your answer is kept.
board-answer-next = This is your answer. The run goes on with it when you run this in a terminal:
board-answer-how = The page starts no programs. Your answer is kept, and this goes on with it:
