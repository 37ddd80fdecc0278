# `vib undo`, `vib redo`: going back, before and after.
undo-in-project = In the project { $project }:
undo-would-change = { $what } would change:
undo-saved-first =
    { $count ->
        [one] 1 file of these changed since the last checkpoint; vib saves it first.
       *[other] { $count } files of these changed since the last checkpoint; vib saves them first.
    }
undo-dry-run = Nothing was changed. Run it again without `--dry-run` to go back.
undo-brought-back =
    { $count ->
        [one] 1 path brought back
       *[other] { $count } paths brought back
    }
undo-removed =
    { $count ->
        [one] 1 path removed
       *[other] { $count } paths removed
    }
undo-nothing-changed = nothing could be changed
undo-done = Done
undo-partly = Partly done
undo-back-at = back at { $id }
undo-taken-back = taken back
undo-forward = forward again
undo-result = { $done }: { $what }, { $parts }.
undo-left-as-is = left as they are:
undo-way-back-redo = The state before is saved as { $id }. `vib redo{ $path }` (or `vib undo { $id-plain }{ $path }`) returns to it.
undo-way-back-undo = The state before is saved as { $id }. `vib undo{ $path }` (or `vib undo { $id-plain }{ $path }`) returns to it.
undo-to-checkpoint = Going back to { $id }{ $label }, saved { $when },
undo-redo-step = Walking forward again, which takes { $step } back{ $what },
undo-since-look = what changed since the last look
undo-taking-one = Taking back { $what }
undo-taking-many = Taking back
undo-by-hand = what was done by hand or by another program, { $when },
undo-a-step = a step
undo-step = step { $number } ({ $what }) of “{ $words }”, { $when },
undo-request = request { $number } “{ $words }” of { $client } ({ $steps }, { $when })
undo-entry = { $words } ({ $steps }, { $when })
undo-stays-changed =
    { $count ->
        [one] 1 place was worked on since and stays as it is (`--take-conflicts` takes all of it back too, `--take PLACE` one):
       *[other] { $count } places were worked on since and stay as they are (`--take-conflicts` takes all of it back too, `--take PLACE` one):
    }
undo-stays-doubtful =
    { $count ->
        [one] 1 file may have been changed by somebody else, and stays as it is (`--take-conflicts` takes all of it back too, `--take PLACE` one):
       *[other] { $count } files may have been changed by somebody else, and stay as they are (`--take-conflicts` takes all of it back too, `--take PLACE` one):
    }
undo-stays-not-kept =
    { $count ->
        [one] 1 file cannot be taken back:
       *[other] { $count } files cannot be taken back:
    }
undo-why-changed =
    { $count ->
        [one] line { $line }: 1 line that it wrote was changed since
       *[other] line { $line }: { $count } lines that it wrote were changed since
    }
undo-why-gone =
    { $count ->
        [one] line { $line }: 1 line that it wrote is gone since
       *[other] line { $line }: { $count } lines that it wrote are gone since
    }
undo-why-beside = line { $line }: lines came since right beside those that it wrote
undo-why-put-in = line { $line }: { $now } came since where it took { $took } away
undo-why-made = made by it, and changed since
undo-why-made-at = made by it, and changed since at line { $lines }: taking it back would remove the file
undo-why-made-again = removed by it, and another file is there now
undo-why-binary = not text, and changed since
undo-why-too-long = too long to compare line by line, and changed since
undo-why-no-file = it is or was a link or a folder, and was changed since
undo-why-shared = made { $steps }; nobody knows which
undo-by-hand-step = by hand ({ $step })
undo-by-step = by { $step }
undo-or = { " " }or{ " " }
undo-why-not-kept = what it was before is no longer kept
undo-more-lines =
    { $count ->
        [one] and 1 more line
       *[other] and { $count } more lines
    }
undo-changed-since-preview = Files have changed since the preview. This is how it looks now:
undo-ask = Do that? What you have now is saved first.
undo-ask-place = Take this back too? (no: it stays as it is now)
undo-commits-stay =
    { $count ->
        [one] the files go back, git does not: the commit { $commits } stays in git, and `git status` will show what was taken back as a new change
       *[other] the files go back, git does not: { $count } commits stay in git ({ $commits }), and `git status` will show what was taken back as new changes
    }
