# `vib recover`: what happened, what can be done, what it costs.
recover-ago-now = Just now
recover-ago-minutes =
    { $count ->
        [one] A minute ago
       *[other] { $count } minutes ago
    }
recover-ago-hours =
    { $count ->
        [one] An hour ago
       *[other] { $count } hours ago
    }
recover-ago-days =
    { $count ->
        [one] A day ago
       *[other] { $count } days ago
    }
recover-by-edit = { $when }, by the AI's edit
recover-by-command = { $when }, by a command of the AI
recover-by-person = { $when }, by hand
recover-by-unknown = { $when }
recover-request = The request was: “{ $prompt }”
recover-used-by = Still used by { $files }
recover-and-more = { $files } and { $count } more

recover-nothing-found = Nothing looks damaged.
recover-sign-deleted =
    { $count ->
        [one] 1 file is gone, and nobody asked for that.
       *[other] { $count } files are gone, and nobody asked for that.
    }
recover-sign-emptied =
    { $count ->
        [one] 1 file is empty now.
       *[other] { $count } files are empty now.
    }
recover-sign-mostly-lost =
    { $count ->
        [one] Most of 1 file is gone.
       *[other] Most of { $count } files is gone.
    }
recover-sign-placeholder = A remark like “existing code” stands where real code was.
recover-sign-overwritten = Something entirely different stands in the place of the file.
recover-sign-names-lost =
    { $count ->
        [one] { $names } is gone, but other files still need it.
       *[other] { $names } are gone, but other files still need them.
    }
recover-sign-half-renamed = “{ $old }” was renamed to “{ $new }”, but not everywhere.
recover-sign-broken =
    { $count ->
        [one] 1 file can no longer be read as a program (a bracket or a word is missing).
       *[other] { $count } files can no longer be read as programs (brackets or words are missing).
    }
recover-sign-markers = Marks of an unfinished merge (<<<<<<<) are left in the text.
recover-sign-encoding = Letters are spoilt (the text was saved in a wrong encoding).
recover-sign-white-space =
    { $count ->
        [one] Only spaces and tabs changed in 1 file, and nobody asked for that.
       *[other] Only spaces and tabs changed in { $count } files, and nobody asked for that.
    }
recover-sign-line-ends =
    { $count ->
        [one] Only the line ends changed in 1 file, and nobody asked for that.
       *[other] Only the line ends changed in { $count } files, and nobody asked for that.
    }
recover-sign-not-runnable =
    { $count ->
        [one] 1 script can no longer be started (it lost its permission).
       *[other] { $count } scripts can no longer be started (they lost their permission).
    }
recover-sign-kind-changed = A link was replaced by a copy.
recover-sign-tests-weaker = A test checks less than before, so it may pass although something is broken.
recover-sign-secret = A password or key is written in the file.
recover-sign-manifest = The list of things this project is built from lost entries.
recover-sign-replaced =
    { $count ->
        [one] “{ $old }” was replaced by “{ $new }” all over 1 file.
       *[other] “{ $old }” was replaced by “{ $new }” all over { $count } files.
    }
recover-sign-rewritten = One command rewrote { $count } files, and nobody asked for that.
recover-sign-renamed = Files got other names, but other files still use the old ones.
recover-sign-went-back = A command threw away work from before.
recover-sign-flood = One command made { $count } new files.
recover-sign-drift =
    { $count ->
        [one] 1 changed file may not belong to the work (a drift candidate). You judge.
       *[other] { $count } changed files may not belong to the work (drift candidates). You judge.
    }
recover-sign-check-fails = These files changed since the check “{ $command }” last passed. Now it fails.
recover-sign-circling = The AI changes this file back and forth.
recover-sign-protected = Something that you protected was changed.
recover-sign-wanted = This is what you want to take back.

recover-healthy-unchanged = Nothing has changed since the last good state.
recover-healthy-docs-only = Only texts for people changed. Nothing that runs is different.
recover-healthy-checks-pass = The checks passed after the last change.
recover-try-first = Try this first: stop the program and start it again, build it anew, reload the page or the editor.
recover-no-checkpoint = There is no safe state from before to go back to. vib can only explain and help to mend.
recover-git-unfinished = Git is in the middle of a { $what }.
recover-git-moved = Git itself moved the files ({ $what }). vib brings files back and leaves git alone.
recover-stale-intent = The goal “{ $intent }” was given a while ago and may be out of date, so it was not used.
recover-intent = The goal is: “{ $intent }”
recover-zone-memory = The files you named, and what belongs to them, count as your work.
recover-zone-edits = You named no files, so the files that the AI edited last count as your work.
recover-zone-raw = Nothing is known about your goal. This is based on the changes alone.
recover-zone-off = Files are not sorted into “belongs” and “may not belong” for now: too many labels were mistaken.
recover-drift-heading = These changed too. Please judge yourself whether they belong (drift candidates):
recover-drift-memory = not among the files you named
recover-drift-edits = not edited by the AI's edit tool, and not near the files that were
recover-keep-heading = Stays as it is:
recover-signal-marked = you named it
recover-signal-by-hand = you changed it yourself
recover-signal-goal = your goal says “{ $word }”
recover-signal-edit-target = the AI edited it last
recover-signal-category = the same kind of file as { $like }
recover-signal-label = shows the same words as { $like }
recover-signal-co-change = always changes together with { $like }

recover-recommended = (recommended)
recover-way-nothing = Change nothing
recover-way-explain = Only look: see what changed, change nothing
recover-way-mend =
    { $count ->
        [one] Keep everything and mend 1 file
       *[other] Keep everything and mend { $count } files
    }
recover-way-bring-back =
    { $count ->
        [one] Bring back 1 file from just before it was damaged
       *[other] Bring back { $count } files from just before they were damaged
    }
recover-way-as-before =
    { $count ->
        [one] Take back what changed in 1 file, keep everything else
       *[other] Take back what changed in { $count } files, keep everything else
    }
recover-way-take-back-turn =
    { $count ->
        [one] Take back the last request as a whole (1 file)
       *[other] Take back the last request as a whole ({ $count } files)
    }
recover-way-go-back =
    { $count ->
        [one] Everything goes back to an earlier state (1 file)
       *[other] Everything goes back to an earlier state ({ $count } files)
    }
recover-from = Uses the state saved: { $when }
recover-loses-nothing = You lose nothing.
recover-loses = You lose what exists only now: { $lines } in { $files }.
recover-lines-back = Comes back: { $lines }.
recover-keeps = Stays as it is: { $files }.
recover-together = { $path } belongs together with { $files }. Check them after.
recover-also-mend = To mend besides: { $files }
recover-show = To see it: { $command }
recover-unchanged = Nothing was changed.

recover-preview-heading = This would happen:
recover-preview-lost = What exists only now would go: { $lines } in { $files }. It is saved first, so you can come back to it.
recover-preview-unsaved = Changed since the last save: { $files }. vib saves that first.
recover-preview-drift = Please judge yourself whether this belongs to the work: { $files }.
recover-own-entries = vib's own entries in { $files } stay as they are.
recover-protected = Protected files are changed with the rest: { $files }.
recover-settings-unreadable = { $files } cannot be read as settings and is left as it is.
recover-preview-apply = To do it: { $command }
recover-ask-way = Which one? Type its number, or press Enter to stop.
recover-ask-yes = Do it? What you have now is saved first.
recover-ask-second = These files changed after the preview: { $files }. They are saved. Replace them all the same?
recover-done = Done.
recover-partly = Partly done.
recover-done-back = Brought back: { $files }.
recover-done-removed = Removed: { $files }.
recover-done-kept = These were left alone, because they changed in the meantime or could not be replaced:
recover-done-safety = The state before is saved as { $id }.
recover-done-return = To return to it: { $command }
recover-done-check = What was checked before no longer counts. Check again:
recover-done-check-any = What was checked before no longer counts. Start the program and look whether it works.
recover-feedback-right = Noted: { $path } did not belong to the work.
recover-feedback-wrong = Noted: { $path } belongs to the work. It will not be called a drift candidate again.
recover-feedback-accuracy = Of the last labels { $percent } % were right.
recover-feedback-off = Labelling is off until they are right more often.
# What this way may cost; how risky things stand now is said above.
recover-way-risk = going back: { $risk }
