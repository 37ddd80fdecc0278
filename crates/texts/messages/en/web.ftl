# The local page.

## frame
web-skip = Skip to the content
web-nav = Pages
web-nav-home = Home
web-nav-memory = Memory
web-nav-recovery = Go back
web-nav-lessons = Lessons
web-nav-permissions = Permissions
web-nav-spirals = Loops
web-nav-audit = Proof
web-nav-settings = Settings
web-live-on = Live
web-live-off = Not connected to vib. What you see may be old.
web-live-new = The page was updated.
web-redacted =
    { $count ->
        [one] { $count } secret or private detail is hidden on this page.
       *[other] { $count } secrets or private details are hidden on this page.
    }
web-redacted-mark = partly hidden
web-said-saved = Saved. You can come back to this checkpoint.
web-said-pinned = Kept for ever.
web-said-unpinned = No longer kept for ever.
web-said-remembered = Remembered.
web-said-redacted = Remembered, without the secret or private details in it.
web-said-removed = Removed.
web-said-resumed = The agent may edit again.
web-said-changed = Changed.
web-said-known = This lesson was there already.
web-save = Save
web-add = Add
web-change = Change
web-remove = Remove
web-pin = Keep for ever
web-unpin = Stop keeping
web-pinned = kept
web-stale = Is this still so?
web-seen = seen, not said
web-said-by = said by you, through { $who }
web-seen-by = seen by { $who }
web-and-more =
    { $count ->
        [one] and { $count } more
       *[other] and { $count } more
    }
web-session = session
web-steps =
    { $count ->
        [one] { $count } step
       *[other] { $count } steps
    }
web-ago-now = now
web-ago-seconds =
    { $count ->
        [one] { $count } second ago
       *[other] { $count } seconds ago
    }
web-ago-minutes =
    { $count ->
        [one] { $count } minute ago
       *[other] { $count } minutes ago
    }
web-ago-hours =
    { $count ->
        [one] { $count } hour ago
       *[other] { $count } hours ago
    }
web-ago-days =
    { $count ->
        [one] { $count } day ago
       *[other] { $count } days ago
    }

## refusals
web-refused-host = This address is not the one that vib listens on.
web-refused-host-next = Use the link that `vib serve` printed.
web-refused-origin = Another page tried to use vib. That was refused.
web-refused-origin-next = If it was you, open vib's own page and do it there.
web-refused-stranger = This address opens nothing, or nothing any more.
web-refused-stranger-next = The page has a new address each time `vib serve` starts, so old bookmarks and links end. Press Enter in the terminal where `vib serve` runs for a new link; if it does not run, start `vib serve --open`.
web-refused-code = This link was used already, or is too old.
web-refused-csrf = This form is not from the present session.
web-refused-csrf-next = Load the page again, then send the form once more.
web-refused-many = Too many requests at once.
web-refused-wait-next = Wait a moment, then try again.
web-refused-large = This is too large to send.
web-refused-large-next = Send less at once.
web-refused-slow = This took too long.
web-refused-nothing = There is nothing here.
web-refused-nothing-next = Use the menu to find your way.

## home
web-home-title = Where we stand
web-home-doing = What are we doing?
web-home-risk = Is anything risky?
web-home-changed = What changed?
web-home-next = What next?
web-home-recent = What happened last
web-home-no-goal = No goal is set.
web-home-set-goal = Say what you are working on
web-home-asked = Asked last:
web-home-nothing-saved = Nothing is saved yet, so there is nothing to come back to.
web-home-nothing-changed = Nothing has changed.
web-good-pinned = Since the checkpoint you keep
web-good-saved = Since you saved
web-good-prompt = Since before the last request that changed something
web-good-oldest = Since the oldest checkpoint there is
web-save-now = Save a checkpoint now
web-see-changes = See the changes
web-go-back-here = Go back to this checkpoint
web-saved-point = Checkpoint
web-risk-none = Nothing looks wrong.
web-risk-before = Nothing looks wrong in what changed since then. What is told of here happened before.
web-next-said = as you said
web-next-recover = See the safe ways back
web-next-conflict = Decide where two tools disagree
web-next-goal = Say what the goal is
web-next-next = Say what comes next
web-next-look = Look at what changed

## memory
web-memory-title = Session memory
web-memory-lead = A short briefing for you and for the next AI. Only you change it; what vib saw by itself is marked.
web-memory-goal = Goal
web-memory-next = Next action
web-memory-decisions = Decisions
web-memory-verification = Verification
web-memory-risks = Watch out
web-memory-files = Files that matter
web-memory-knows = What vib knows
web-known-proposed = said, not confirmed
web-known-used = proved itself
web-known-kept = kept
web-known-pinned = pinned
web-known-seen = seen by vib
web-known-resting = resting: not told any more
web-known-last-use = last of use
web-known-keep = Keep
web-known-pin = Pin: tell it in every session
web-known-unpin = Unpin
web-known-words = In other words
web-memory-nothing = Nothing yet.
web-memory-observed = vib noticed:
web-memory-add-decision = What was decided?
web-memory-add-risk = What should one watch out for?
web-memory-add-file = Add a file
web-memory-drop = No longer so
web-memory-path = File
web-memory-why = Why it matters
web-memory-before = for the goal before
web-memory-bad-lines =
    { $count ->
        [one] { $count } line of the memory cannot be read; it is left as it is.
       *[other] { $count } lines of the memory cannot be read; they are left as they are.
    }
web-check-passed = passed
web-check-failed = failed
web-check-skipped = not run
web-check-unknown = not known
web-check-stale = of older content
web-check-scope = files not known
web-check-command = What was run?
web-check-result = How did it end?
web-check-files = On which files? (separated by commas)
web-conflict-title = Two tools disagree
web-conflict-lead = Keep one of the two, or write it together.
web-conflict-keep = Keep this
web-conflict-merge = Or in your own words
web-conflict-save = Save this instead

## timeline
web-timeline-lead =
    { $count ->
        [one] { $count } checkpoint to which you can go back. Nothing here touches your git.
       *[other] { $count } checkpoints to which you can go back. Nothing here touches your git.
    }
web-timeline-empty = Nothing is saved yet.
web-timeline-graph = When things happened
web-activity =
    { $count ->
        [one] { $count } checkpoint over time
       *[other] { $count } checkpoints over time
    }
web-pages = Older and newer
web-newest = Newest
web-older = Older
web-search = Search
web-search-hint = words, a file, a tool
web-only-pinned = only kept ones
web-with-safety = with safety checkpoints
web-all-sessions = All sessions
web-before-tool = Before { $tool }
web-before-prompt = Before the request
web-after-turn = When the agent was done
web-kind-manual = by you
web-kind-safety = safety
web-kind-commit = commit
web-kind-manual-long = You saved it
web-kind-safety-long = Saved by vib before it changed files
web-kind-turn-long = Saved before a step of an agent
web-checkpoint-title = Checkpoint { $id }
web-fact-when = When
web-fact-why = Why
web-fact-agent = Agent
web-fact-tool = Tool
web-fact-note = Note
web-fact-files = Files
web-not-saved =
    { $count ->
        [one] { $count } file could not be saved here.
       *[other] { $count } files could not be saved here.
    }
web-tab-since = Changed since then
web-tab-step = New at that moment
web-diff-lead = From { $from } to { $to }.
web-diff-unified = One column
web-diff-split = Side by side
web-diff-not-counted = (not all lines counted)
web-diff-sensitive = This file usually holds secrets, so its content is not shown.
web-diff-binary = Not text: { $before } before, { $after } now.
web-diff-no-lines = No lines to show.
web-diff-too-long = The rest is too long for one page.
web-diff-file-too-long = There is too much here to show it line by line.
web-file-added = new
web-file-removed = deleted
web-file-changed = changed
web-file-renamed = renamed
web-file-mode = permissions
web-file-back = comes back
web-file-gone = goes away
web-file-type = other kind
web-moment-now = now
web-moment-saved = the last save

## history, steps, undo
web-nav-runs = Runs
web-nav-history = History
web-checkpoints = All checkpoints
web-history-lead = What was asked for and what was done, the newest first. Every step can be taken back. Nothing here touches your git.
web-history-empty = Nothing to tell: no step, change or save that fits.
web-file-history = History of { $path }
web-file-history-lead = Every step that changed it, the newest first.
web-why-title = Whose lines: { $path }
web-why-lead = For each line the step that wrote it, a person's own hand, or what was there before vib.
web-why-whose = Whose lines are these?
web-why-history = History of this file
web-why-no-lines = There are no lines to ask about: the file is gone, empty, too long, or not text.
web-why-last = Last changed by
web-why-writer = Writer
web-why-line = Line
web-why-more = { $count } more lines are not shown here; `vib why` shows them all.
web-why-by-hand = by hand, or by another program
web-why-blanks = blanks changed by
web-why-one-of = one of
web-why-before = before vib
web-why-from-git = out of a stash or a patch, brought here by
web-why-unseen = came while vib did not save this file
web-why-unsaved = not saved yet
web-file-bring-back = Bring it back
web-file-bring-back-lead = Each way shows what would change before it does anything. A step below leads to the file as it was before that step.
web-file-undo-last = Undo its last change
web-file-function = Only one function
web-file-function-name = Name of the function
web-filters = Narrow it down
web-filter = Show
web-filter-none = Show everything
web-filter-file = File or folder
web-filter-file-hint = src/app.ts
web-filter-agent = Agent
web-filter-since = Since
web-filter-since-hint = 2h, yesterday, 14:30
web-filter-stopped = only what was stopped
web-filter-all = with steps that only looked
web-entry-request = A request
web-entry-session = Steps without a request
web-entry-by-hand = Changes by hand or by another program
web-entry-vib = vib { $tool }
web-entry-saved = Saved
web-entry-commit = Saved with a commit
web-a-step = A step
web-taken-back = taken back
web-outside-files = outside this project; taken back with
web-commands =
    { $count ->
        [one] { $count } command
       *[other] { $count } commands
    }
web-looked =
    { $count ->
        [one] looked { $count } time
       *[other] looked { $count } times
    }
web-lost-files =
    { $count ->
        [one] { $count } file lost
       *[other] { $count } files lost
    }
web-stopped-count =
    { $count ->
        [one] { $count } stopped
       *[other] { $count } stopped
    }
web-failed-count =
    { $count ->
        [one] { $count } failed
       *[other] { $count } failed
    }
web-shared = one of { $steps }; nobody knows which
web-mark-look = looked
web-mark-edit = edit
web-mark-command = command
web-mark-lost = lost files
web-mark-stopped = stopped
web-mark-by-hand = by hand
web-mark-vib = by vib
web-end-exit = exit { $code }
web-end-failed = failed
web-end-failed-exit = failed, exit { $code }
web-end-stopped = stopped by vib
web-end-refused = refused
web-end-cut-off = cut off
web-end-running = running
web-step-title = Step { $number }
web-request-title = Request { $number }
web-request-steps = Its steps
web-request-only-talked = The agent did nothing for this request yet, or only talked.
web-request-changes = What the request changed
web-step-changes = What it changed
web-step-no-changes = It changed no file.
web-own-files = Its own files
web-fact-request = Request
web-fact-before = Before it
web-fact-after = After it
web-lasted =
    { $count ->
        [one] { $count } second long
       *[other] { $count } seconds long
    }
web-undo = Undo
web-undo-step = Undo this step
web-undo-request = Undo this request
web-undo-here = Undo only here
web-as-before = As it was before
web-undo-title-step = Undo step { $what }?
web-undo-title-request = Undo request { $what }?
web-undo-title-file = Bring { $path } back?
web-undo-title-function = Bring { $function } in { $path } back?
web-undo-title-last = Undo what was done last?
web-undo-title-redo = Redo what was undone?
web-undo-unsaved-too = What changed since the last look is taken back, too.
web-undo-later-stays = Everything that came later stays.
web-undo-only-conflicts = Everything it changed was changed again since, so nothing is taken back by itself. Choose below what to take back all the same.
web-undo-conflicts =
    { $count ->
        [one] { $count } place was changed again since
       *[other] { $count } places were changed again since
    }
web-undo-conflicts-lead = It stays as it is now, unless you tick it. Then look again.
web-undo-take = Take this back too
web-undo-look-again = Look again
web-undo-left = These were changed again since, and stay as they are:
web-undo-changed = Files have changed since you looked. Look at it again, then decide.
web-undo-told = Agents at work are told to read the files again.
web-why-lines = lines that it wrote, at line { $line }, were changed since
web-why-lines-gone = lines that it wrote, at line { $line }, are gone since
web-why-lines-beside = at line { $line } lines came since right beside those that it wrote
web-why-lines-put-in = at line { $line } lines came since where it took some away
web-why-made = made by it, and changed since
web-why-made-line = made by it, and changed since, first at line { $line }
web-why-whole-long = too long to compare line by line, and changed since
web-why-whole-kind = it is or was a link or a folder, and was changed since
web-why-removed = removed by it, and made again since
web-why-whole = not text, and changed since
web-why-not-kept = what it was before is no longer kept
web-redo = Redo
web-redo-lead = You went back last. You can walk forward again.
web-redo-yes = Yes, save and redo
web-home-steps = What the agents did
web-home-all = The whole history
web-home-running = At work now
web-home-nobody = No agent is at work.
web-strip-you = by hand, vib
web-alarm-lost =
    { $count ->
        [one] { $count } file was lost
       *[other] { $count } files were lost
    }
web-alarm-by = by
web-alarm-in = in
web-alarm-more-steps =
    { $count ->
        [one] and { $count } other step
       *[other] and { $count } other steps
    }
web-alarm-back =
    { $count ->
        [one] Bring the file back
       *[other] Bring the { $count } files back
    }
web-alarm-look = Look

## recovery
web-recovery-lead = Look first, then decide. The state of now is always saved before anything changes.
web-recovery-words = What is wrong? (you may leave this empty)
web-recovery-words-hint = the login page is broken since lunch
web-recovery-ask = Look for the cause
web-recovery-state = State saved:
web-actor-edit = by the AI's edit
web-actor-command = by a command of the AI
web-actor-person = by hand
web-actor-unknown = by somebody
web-drift-belongs = It belongs
web-drift-stray = It does not
web-preview-second = Yes, replace them too
web-recovery-ways = All checkpoints
web-recovery-ways-lead = Each one shows what would change before it does anything.
web-recovery-drift = Do these belong?
web-recovery-look = Show me
web-recovery-choose = Choose files and places
web-recovery-choose-show = Show only these
web-recovery-return = Return to before
web-recovery-return-lead = You went back. This brings back how things were before.
web-recovery-loss = { $changed } changed back, { $back } brought back, { $gone } taken away.
web-step-look = Look
web-step-confirm = You say yes
web-step-save = vib saves the state of now
web-step-restore = Files go back
web-preview-lead = Nothing has changed yet. This is what would happen.
web-preview-title = Go back to { $id }?
web-preview-files =
    { $count ->
        [one] Bring back { $count } file?
       *[other] Bring back { $count } files?
    }
web-preview-safe = The state of now is saved first. You can return to it with one click.
web-preview-unsaved =
    { $count ->
        [one] { $count } file is in no checkpoint yet; it is saved first.
       *[other] { $count } files are in no checkpoint yet; they are saved first.
    }
web-preview-yes = Yes, save and go back
web-preview-no = No, leave everything
web-preview-changes = What would change
web-preview-gone = This preview was used already, or is too old.
web-preview-gone-next = Make a new preview and look at it again.
web-job-lead = This takes a moment. You may close the page; the work goes on.
web-job-saving = Saving the state of now …
web-job-writing = Bringing files back …
web-result-lead = The work is done.
web-result-done = You are back.
web-result-partly = Most of it is back; some files were left alone.
web-result-counts = { $restored } brought back, { $removed } taken away.
web-result-kept = These were left as they are:
web-result-safety = Saved before, so that nothing is lost:
web-result-failed = It was not done.
web-result-lesson = What should the AI do differently next time?

## lessons
web-lesson-lead = What an agent should do differently. It is told the few that fit, as a hint from you.
web-lesson-new = A new lesson
web-lesson-text = In one sentence
web-lesson-tools = Only with these tools
web-lesson-paths = Only with these files
web-lesson-always = Always tell it
web-lesson-keep = Keep this lesson
web-lesson-list = All lessons
web-lesson-none = No lessons yet.
web-lesson-resting = faded
web-lesson-rollback = after going back
web-lesson-strength = strength { $value }
web-lesson-problems = LESSONS.md has mistakes
web-lesson-line = Line { $line }:

## permissions
web-permissions-lead = What tools may do without asking you, and what waits for your yes.
web-grants = Standing permissions
web-grants-none = None. Every tool has to ask.
web-pending = Waiting for your yes
web-pending-yes = Allow this once
web-pending-no = Refuse
web-grant-until = until { $time }
web-grant-revoke = Take back
web-grant-new = Allow something
web-grant-client = Which tool (its name)
web-grant-what = What it may do
web-grant-long = For how long
web-grant-hours =
    { $count ->
        [one] { $count } hour
       *[other] { $count } hours
    }
web-grant-give = Allow
web-grant-always = What every tool may do
web-grant-ended = Ended
web-may-summary = read a short summary, without secrets
web-may-memory = read everything that is remembered; you are asked each time
web-may-write = add to the memory; you are asked about goals and decisions
web-may-preview = see what going back would change
web-may-recover = bring files back; you are asked each time
web-may-save = save a checkpoint
web-may-handoff = write a hand-off for another AI; you are asked each time
web-may-patch = write edits, after saving the state before

## spirals
web-spiral-lead = When an agent goes round in circles, vib lets the file rest and asks you.
web-spiral-resting = Files that rest
web-spiral-none = No agent is going round in circles.
web-spiral-everything = every file
web-spiral-resume = Let it try again
web-spiral-back = The agent keeps changing { $what } back and forth: { $times } times.
web-spiral-same = The agent changed { $what }, and { $times } times the same error came back.
web-spiral-broken = { $times } times { $what } was left so that it cannot be read as code.
web-spiral-edits = { $times } edits of { $what } could not be applied.
web-spiral-calls = The agent did the same { $times } times and got the same answers ({ $what }).

## audit
web-audit-lead = Proof, on this machine only, that the safety rules were kept. Counts, never content.
web-audit-slo = Rules that may never break
web-audit-rows =
    { $count ->
        [one] { $count } entry
       *[other] { $count } entries
    }
web-audit-evidence =
    { $count ->
        [one] evidence: { $count }, broken: { $broken }
       *[other] evidence: { $count }, broken: { $broken }
    }
web-audit-damage =
    { $count ->
        [one] The record is not whole: { $count } place.
       *[other] The record is not whole: { $count } places.
    }
web-audit-metrics = How useful vib is
web-audit-events = What happened how often
web-audit-none = Nothing recorded yet.
web-audit-newest = Newest entries
web-audit-what = What
web-audit-result = Result
web-verdict-pass = kept
web-verdict-fail = broken
web-verdict-review = not enough evidence
web-verdict-rejected = not provable
web-slo-sandwich = Before files go back, the state of now is saved.
web-slo-instruction = What is remembered is never taken as a command.
web-slo-leak = Nothing leaves without the check for secrets.
web-slo-drift = A file that you confirmed is not called a stray.
web-slo-stale = An old goal is never shown as a fresh one.
web-metric-recovery = Recoveries without a full rollback
web-metric-handoff = Minutes from hand-off to the first edit
web-metric-trigger = Suggestions that helped
web-metric-zone = Strays that were rightly named
web-metric-mcp = Tools that read the memory
web-metric-open-gates = Turns that an agent called done while something was open
web-metric-blocks-fixed = Stopped turns after which it was put right
web-metric-blocks-overridden = Stopped turns that you let end as they were
web-metric-nothing = nothing yet
web-metric-samples =
    { $count ->
        [one] from { $count } case, target: { $target }
       *[other] from { $count } cases, target: { $target }
    }
web-event-summary = summary read
web-event-full = memory read
web-event-write = memory written
web-event-preview = going back was shown
web-event-apply = files went back
web-event-checkpoint = checkpoint saved
web-event-handoff = hand-off written
web-event-patch = edit applied
web-event-trigger = suggestion
web-event-drift = judgement of strays
web-event-rescan = second look
web-outcome-success = done
web-outcome-denied = refused
web-outcome-aborted = stopped
web-outcome-busy = busy
web-outcome-failed = failed

## the store
web-store-title = What is kept
web-store-lost-tag = lost
web-store-lost =
    { $kept ->
        [one] { $kept } checkpoint was kept here and is gone; { $left } are there now. Vib did not remove it.
       *[other] { $kept } checkpoints were kept here and the newest is gone; { $left } are there now. Vib did not remove them.
    }
web-store-lost-content = Files with saved content were removed or cut short: some of the { $kept } checkpoints cannot be brought back any more. Vib did not do that.
web-store-lost-next = This says what is lost and brings back what can be:
web-store-gone-tag = gone for good
web-store-gone =
    { $count ->
        [one] The last copy of { $count } deleted file had to go, because of your limits:
       *[other] The last copies of { $count } deleted files had to go, because of your limits. The newest:
    }
web-store-gone-next = More is kept with a larger store:

## settings
web-settings-lead = Changes count at once. A project may be stricter than you, never looser.
web-settings-retention = How long checkpoints are kept
web-settings-guard = Guard rails and keep regions
web-settings-saving = What is saved
web-settings-privacy = What stays private
web-settings-look = Look and language
web-settings-other = Other
web-settings-where = For whom
web-source-default = built in
web-source-user = all projects
web-source-project = this project
web-source-team = the team's file

## what each setting is for
web-setting-checkpoint-include = Small files to save even though `.gitignore` leaves them out. They stay on this machine: their content is never shown in a diff or exported. A pattern with a `/` is also looked for inside ignored folders.
web-setting-checkpoint-include-max-size = An ignored file on the include list is saved only up to this size.
web-setting-checkpoint-sensitive = Files that are saved and restored like any other, but whose content is never shown in a diff or exported.
web-setting-checkpoint-skip-caches = Leave out folders that a tool can make again: `node_modules`, `__pycache__`, Python virtual environments (with a `pyvenv.cfg`) and folders marked with a valid `CACHEDIR.TAG`.
web-setting-checkpoint-max-file-size = Larger files are reported and not saved. 0: every file is saved.
web-setting-retention-days = For so many days everything is kept, as long as the store is not over its size. Older states are thinned: one an hour for a week, one a day for three months, one a week after that. 0: nothing is thinned.
web-setting-retention-turns = If set: how many of the newest turns of agents (a prompt and all its steps) are kept. 0: no such limit.
web-setting-retention-manual = If set: how many of the newest checkpoints made by hand are kept. 0: no such limit. Pinned ones are always kept.
web-setting-retention-safety = If set: how many of the newest safety checkpoints (made before each restore) are kept. 0: no such limit.
web-setting-outside-max-store-size = What agents change outside every project is saved in a store of its own (`vib undo /path`), which grows up to this size; then the oldest states go. 0: without limit.
web-setting-retention-max-store-size = When the store grows over this, states of agents go, the oldest first, then safety ones, then those made at commits; a state with the last copy of a deleted file goes last, and vib says so. What you saved by hand or pinned stays. 0: without limit.
web-setting-patch-keep-regions = Lines between `VIBE-KEEP START` and `VIBE-KEEP END`: `reason` lets a patch change them when a person gives a reason; `strict` never does.
web-setting-guard-covered = A command that loses only what a checkpoint brings back: `allow` it, with a checkpoint, or `ask` as a guard without checkpoints would. `VIBELIGN_GUARD_COVERED` in the environment wins.
web-setting-guard-approve = What vib answers in your place when a client is about to ask you whether a step may run: yes to what your own policy allows (`list`); also to what provably changes nothing, or only what a checkpoint that was taken brings back (`covered`); nothing (`off`). Each such yes is in the history.
web-setting-guard-fence = Which commands of agents run behind the fence, so that the kernel refuses them to write outside the project (see `docs/fence.md`): those that vib cannot see through (`unknown`), every one that may change something (`all`), none (`off`). Built in for Claude Code and OpenCode; for other clients it counts only if you set it.
web-setting-guard-fence-hide = Files and folders that commands behind the fence may not read, such as `~/.aws` or `~/.ssh` (git over ssh needs that one). Nothing is hidden unless you say so.
web-setting-lane-fence = The fence around a whole agent that vib starts (`vib drive`), so that the kernel refuses it to write outside its folder and its own settings: where the kernel has one (`auto`), never (`off`), or nothing is started without it (`strict`).
web-setting-budget-run-cents = What one run of an agent that vib starts may cost, in cents of a dollar. At 80 % you are told, at 100 % it is cancelled. 0: without limit.
web-setting-budget-run-tokens = How many tokens one run of an agent that vib starts may use, sent and received. 0: without limit.
web-setting-budget-day-cents = What all runs of a day in a project may cost together, in cents of a dollar. 0: without limit.
web-setting-budget-day-tokens = How many tokens all runs of a day in a project may use together. 0: without limit.
web-setting-guard-llm-command = A program, with its arguments, that is asked about commands that vib does not understand (see `docs/judge.md`). Empty: nobody is asked but you.
web-setting-guard-llm-env = Names of environment variables that the program of `guard.llm_command` may see, such as the one that holds its key. Besides these it sees only `PATH` and the language.
web-setting-guard-llm-timeout = Seconds after which the program of `guard.llm_command` is stopped and you are asked.
web-setting-privacy-identifiers = Names that must not leave this machine: customers, projects, people. They are replaced in everything that is cleaned.
web-setting-privacy-internal-domains = Domains whose hosts are internal, such as `corp.example.com`, besides the usual ones (`.local`, `.lan`).
web-setting-privacy-allow = Text that stays although it looks private: an e-mail address, a host, a path. It never lets a secret through. A project's own list counts only with `privacy.project_may_allow`.
web-setting-privacy-project-may-allow = Let projects add to `privacy.allow`. Only your own settings can switch this on.
web-setting-audit-window-days = The window over which `vib audit slo` proves the safety rules. Rows inside it are never cut away, however large the log grows.
web-setting-mcp-tools = How many tools the MCP server offers to agents: the five that they need most and those you granted (`few`), or all of them (`all`). Each one costs an agent tokens in every request.
web-setting-lane-folder = The folder in which lanes are made; without it one beside vib's state folder. On the disk of the project, contents of dependency folders can be shared instead of copied where the disk can do that.
web-setting-lane-carry = What becomes of dependency folders that no checkpoint holds (`node_modules`, `.venv`, `vendor`) when a lane is made: they are copied, with the content shared where the disk can do that (`copy`); linked, so that whoever installs something in the lane changes the project's own (`link`); or left out (`off`).
web-setting-lane-warm = So many folders of dropped lanes are kept, so that the next lane writes only what is different and finds what was built there.
web-setting-run-provider = Which provider of a model is asked first, and which ones when it cannot answer, as `NAME` or `NAME/MODEL`, separated by commas. Without it the first that can be asked is, and nobody else: your code goes only to those you name. `vib providers` lists them.
web-setting-run-bash = Vib's own loop (`vib run`) may run commands in its lane, behind the fence, after the judge. `--bash` and `VIBE_ENABLE_BASH=1` say the same for one run. Without it, it reads, searches, changes files by diffs and lets vib run the checks.
web-setting-run-bash-allow = Command lines that a run may run without a look of the judge, word for word, besides the project's checks.
web-setting-run-research = Before each card of a run, a researcher with a context of its own looks around and hands on what it found, in at most 400 tokens.
web-setting-run-review = After each card of a run, a reviewer with a context of its own looks at the change and says how risky it is. It sees the change, the findings and the checks, never how the change came about.
web-setting-run-allow-weaker = A weaker model may go on where the one you chose cannot answer. Each switch is told, also then.
web-setting-memory-conflict-window-seconds = Two tools that say different things within so many seconds disagree: both are kept, and you are asked.
web-setting-memory-minimal = Remember only the goal, the next step and the checks; nothing that vib sees by itself besides.
web-setting-memory-listen = Note what you say in the chat that is meant to stay ("from now on …", "never …"), as something you said and nobody confirmed, and tell it to the next agent.
web-setting-memory-suggest = Show suggestions in the chat, each at most once a week. They are always in `vib status` and `vib memory triggers`.
web-setting-memory-hold-out = In so many sessions of a hundred, agents are told nothing that vib learnt by itself, so that it can be seen whether it helps. What you said is always told. 0 switches it off.
web-setting-memory-recall-tokens-usual = Most tokens of memories that are told with a prompt.
web-setting-memory-recall-tokens-conductor = The same for an agent that hands work on (`AGENT_ROLE=conductor`, `vib role set`): it plans, so it is told more.
web-setting-memory-recall-tokens-leader = The same for a leader.
web-setting-memory-recall-tokens-musician = The same for a musician and for sub-agents: they do one thing, so they are told little.
web-setting-memory-decisions-cap = The newest so many decisions count as current. Older ones stay in the log.
web-setting-memory-events-cap = The newest so many edits, commits and rollbacks are shown; older ones go into the archive.
web-setting-memory-verification-cap = The newest so many checks are shown; older ones that vib only saw go into the archive.
web-setting-memory-relevant-files-cap = The newest so many files that matter are shown.
web-setting-ui-language = The language in which explanations are given: English, Korean or Chinese. `auto` asks the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`).
web-setting-recall-model = A folder with a model of word vectors (`tokenizer.json`, `model.safetensors`), with which `vib memory recall` also finds what means the same. Nothing is downloaded; without it memories are found by words.
web-setting-recovery-lock-timeout-seconds = A recovery that takes longer than this is stopped, and what it had done is taken back. Raise it for very large projects.
web-setting-ui-color = Colours in the terminal. `NO_COLOR` in the environment wins.
web-setting-stop-mode = When an agent says that it is done while something is open (a check that failed, items of its own list): tell you (`warn`), let it go on instead, at most twice (`block`), or say nothing (`off`). See `docs/gates.md`.
web-setting-stop-gates = What has to be in order when an agent says that it is done: `tests`, `tasks`, `acceptance`, `regressions`, `review`. Empty: `tests` and `tasks`.
web-setting-stop-acceptance = For the gate `acceptance`: what has to be so before the work counts as done. A criterion that names a command in backticks is shown by that command; every other one you tick with `vib stop accept`.
web-setting-stop-max-blocks = With `stop.mode = block`: how often in one turn an agent has to go on before it is let go with a list of what is open. More than 2 counts as 2.
web-setting-stop-markers = Further marks by which an agent says that it is done, besides `[done]` and `<!-- vib:done -->`.
web-setting-verify-profile = How thoroughly `vib verify` looks when nobody says: by the risk of what changed (`auto`), or always so.
web-setting-verify-checks = The project's checks as command lines, separated by commas, instead of those that its files name. Each is asked about once before it is run.
web-setting-verify-on-stop = Run a verification when an agent says that it is done, before that is believed; up to 45 seconds, in a private copy. Only checks that you allowed are run.
web-setting-verify-on-failure = Look at what changed when an agent gets the same error for the second time, once in a turn, and tell it what is wrong there: the files (`quick`), or the checks as well (`standard`); up to 20 seconds.
web-setting-verify-review-command = A program, with its arguments, that looks through the work in `vib verify --profile deep` (see `docs/gates.md`). It sees the variables of `guard.llm_env`. Empty: only the list of facts.
web-setting-delegation-mode = For agents with a role (`AGENT_ROLE`, `vib role set`): say it (`warn`) or refuse the call (`block`) when a conductor or leader works too much itself instead of handing work on.
web-setting-delegation-conductor-limit = So many changes in a row a conductor may make itself.
web-setting-delegation-leader-limit = So many changes in a row a leader may make itself.
web-setting-delegation-allow = Files whose edits are not counted as work.
web-setting-qa-mode = When an agent asks something that you answered before: tell it the answer of then (`suggest`), answer in your place (`answer`), or nothing (`off`). Never for permissions, deletions and keys.
web-setting-qa-ttl-days = Answers that you give to agents' questions count for so many days.

web-protection-title = Is it protected?
web-protection-hooks = Protected by hooks
web-protection-hooks-why = Agents call vib here before they change something.
web-protection-never-called = Not called yet
web-protection-never-called-why = The hooks are in place, but no agent has called vib here yet.
web-protection-switched-off = Switched off
web-protection-switched-off-why = Hooks are installed, but they do not run. Until then only what you save by hand is saved.
web-protection-off-why = You switched vib off in this project: no agent's step is saved or judged here. Since:
web-protection-by-hand = Saved by hand only
web-protection-by-hand-why = No agent calls vib here. This command in a terminal connects your agents:
web-protection-called = { $client } last called vib here
web-protection-never = { $client } never called vib here
web-protection-damaged = its hooks are damaged; this says more:
web-protection-unread = it does not read { $file } at all, because of line { $line }
web-protection-switch = { $key } in { $file } switches its hooks off
web-protection-untrusted = it does not trust this folder, so it runs no hook from it
web-protection-unapproved = it runs only hooks that you approved in it (/hooks)
web-protection-gone = vib's hooks for { $client } are gone from { $files }. This puts them back:

# What needs a code from the terminal
web-act-setting-user = change the setting `{ $name }` to `{ $value }`, for all your projects
web-act-setting-project = change the setting `{ $name }` to `{ $value }`, for this project
web-act-grant = allow `{ $client }` for { $count } hours: { $what }
web-act-approve = say yes to `{ $client }`: { $what }
web-act-no-terminal = This could run a program or act in your name, so it needs a code that the terminal of `vib serve` shows. This server has no terminal that somebody sees.
web-act-run = Run this in a terminal instead: { $command }
web-confirm-title = Is it you?
web-confirm-what = What would be done
web-confirm-why = This could run a program or act in your name. The terminal in which `vib serve` runs now shows a code for exactly this.
web-confirm-code = Code from the terminal
web-confirm-yes = Do it
web-confirm-no = No, leave it
web-confirm-left = The code is good for { $count } more seconds.
web-confirm-or = The same in a terminal:
web-confirm-wrong = That is not the code. { $count } more tries.
web-confirm-gone = This no longer waits for a code: it was done, given up, or took too long.
web-confirm-gone-next = Begin again on the page where you started; the terminal then shows a new code.
