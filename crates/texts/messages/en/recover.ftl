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
recover-by-person = { $when }, by no step of the AI: by hand or by another program
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
recover-sign-kind-changed = Another kind of thing stands there now: a link became a file, a file became a folder, or the like.
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
recover-drift-edits = not changed with the AI's edit tool, and nothing that vib knows links it to a file that was
recover-beside-heading = The same command also changed, and this way leaves it:
recover-keep-heading = Stays as it is:
recover-signal-marked = you named it
recover-signal-by-hand = you changed it yourself
recover-signal-goal = your goal says “{ $word }”
recover-signal-edit-target = the AI edited it last
recover-signal-edited = the AI edited it earlier
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
recover-way-take-back-step =
    { $count ->
        [one] Take back everything that this command changed (1 file)
       *[other] Take back everything that this command changed ({ $count } files)
    }
recover-way-take-back-turn =
    { $count ->
        [one] Take back the last request as a whole (1 file)
       *[other] Take back the last request as a whole ({ $count } files)
    }
recover-way-take-back-request =
    { $count ->
        [one] Take back the last request, “{ $request }”, as a whole (1 file)
       *[other] Take back the last request, “{ $request }”, as a whole ({ $count } files)
    }
recover-goes = The work of others goes with it: { $whose }
recover-stays-beside = The work of others in these files stays: { $whose }
recover-goes-request = “{ $request }” ({ $files })
recover-goes-no-request = an agent's ({ $files })
recover-goes-by-hand = what was done by hand or by another program ({ $files })
recover-way-go-back =
    { $count ->
        [one] Everything goes back to an earlier state (1 file)
       *[other] Everything goes back to an earlier state ({ $count } files)
    }
recover-from = Uses the state saved: { $when }
recover-loses-nothing = You lose nothing.
recover-loses = You lose what exists only now: { $lines } in { $files }.
recover-brought-back-goes = This takes away again what was brought back: { $files }
recover-preview-left = Stays as it is, because it was worked on since: { $files }
recover-lines-back = Comes back: { $lines }.
recover-keeps = Stays as it is: { $files }.
recover-together = { $path } belongs together with { $files }. Check them after.
recover-also-mend = To mend besides: { $files }
recover-show = To see it: { $command }
recover-find-step = To find the step after which it fails: { $command } (it runs the check on saved states in a private copy, never in your folder)
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
recover-ask-yes-choose = Do it? What you have now is saved first. y: yes, c: choose files and places.
recover-choose-heading = What is to go back?
recover-choose-line = line { $line }:
recover-ask-pick = Type the numbers that are to go back (for example: 1 3.2), or press Enter to stop.
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
recover-feedback-off = Labelling is off. It comes back when what was said is 14 days old.
# What this way may cost; how risky things stand now is said above.
recover-way-risk = going back: { $risk }

recover-understood = I understood: { $what }
recover-understood-undo = take back { $names }.
recover-understood-restore = bring back { $names }.
recover-understood-last = take back { $count ->
    [one] the last request
   *[other] the last { $count } requests
  }{ $names }.
recover-understood-back = everything goes back to how it was { $when }.
recover-understood-rest = take back everything else that agents changed since { $when }.
recover-understood-unasked = take back what no request speaks of.
recover-understood-about = something is wrong with { $names }.
recover-understood-keeps = { $names } stays.
recover-only-keeps = { $names } stays. Nothing is named that is to be taken back, so nothing is recommended: say what, such as `vib undo the last request`.
recover-nothing-goes = You named nothing that is to be taken back, so nothing is done: say what, such as `vib undo the last request`.
recover-not-understood = I did not understand: { $pieces }. No request, file or function that is kept has that name. Nothing is recommended before that is clear: name a file, words of a request, or a time.
recover-not-found = Nothing that changed is called { $pieces }.
recover-beyond = Nothing is kept from that time. The oldest state is from { $when }.
recover-sign-typing-lost = What you typed is gone: the AI wrote a text over it that did not know it.
recover-sign-still-used = { $names } was removed as asked, and is still used.
recover-sign-still-used-file = A file was removed as asked, and others still use it.
recover-sign-same-command = { $count ->
    [one] The same command changed this file, too, and its request does not speak of it.
   *[other] The same command changed these files, too, and its request does not speak of them.
  }
recover-sign-together = { $count ->
    [one] This file was changed together with it and needs it.
   *[other] These files were changed together with it and need it.
  }
recover-zone-request = What your requests speak of counts as your work.
recover-drift-request = changed for a request that does not speak of it
recover-signal-request = your request says “{ $word }”
recover-from-git = There is no checkpoint yet. Compared with what git keeps: { $states }.
recover-git-head = the last commit “{ $subject }” ({ $when })
recover-git-stash = the stash “{ $subject }” ({ $when })
recover-git-left = a commit that no branch has any more, “{ $subject }” ({ $when })
recover-comes-from-git = Some files come from git: { $states }.
recover-looked-all = Looked through everything that is kept, back to { $when }.
recover-loses-uncounted = You lose what exists only now: { $lines } in { $files }, and more in { $uncounted } that were not counted.
recover-repairs = Only a part is put right, the rest of the file stays: { $files }
recover-repair-adds = These lines come back:
recover-prompt-heading = To give to the AI as it is:
recover-secret-committed = The key in { $files } is already committed. Taking it out of the file does not help: revoke it where it was made, and use a new one.
recover-secret-pushed = The key in { $files } is already committed and on a remote. Whoever can read that has it: revoke it now where it was made, and use a new one.
recover-preview-lost-uncounted = What exists only now would go: { $lines } in { $files }, of which { $uncounted } could not be counted. It is saved first, so you can come back to it.
recover-sign-rows-lost =
    { $count ->
        [one] 1 row is gone from a table, and nobody asked for that.
       *[other] { $count } rows are gone from a table, and nobody asked for that.
    }
recover-sign-entries-lost =
    { $count ->
        [one] 1 entry is gone from a file whose rest stayed, and nobody asked for that.
       *[other] { $count } entries are gone from a file whose rest stayed, and nobody asked for that.
    }
recover-sign-lines-lost =
    { $count ->
        [one] 1 line is gone from a file whose rest stayed.
       *[other] { $count } lines are gone from a file whose rest stayed.
    }
recover-sign-line-ends-too =
    { $count ->
        [one] All line ends changed in 1 file beside the other edits, and nobody asked for that.
       *[other] All line ends changed in { $count } files beside the other edits, and nobody asked for that.
    }
recover-sign-tabs-lost =
    { $count ->
        [one] 1 line that began with a tab begins with spaces now, and `make` cannot read that.
       *[other] { $count } lines that began with a tab begin with spaces now, and `make` cannot read that.
    }
recover-sign-separator = The columns are separated by “{ $new }” now, before it was “{ $old }”, and nobody asked for that.
recover-sign-values-lost = Real values were replaced by texts that only hold their place: { $names }
recover-sign-settings-lost = Settings are gone, and nobody asked for that: { $names }
