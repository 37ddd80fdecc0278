# `vib lane`, `vib land`: workspaces beside the project, and how their work comes back.
lane-made = The lane { $name } is ready ({ $written } files and folders written, { $ms } ms):
lane-made-warm = The lane { $name } is ready, in the folder of one that was put away ({ $written } files and folders were different, { $ms } ms):
lane-carried = Dependency folders that came along: { $list }.
lane-not-carried = Dependency folders that did not come along: { $list }. Install them there if the work needs them.
lane-made-next = Start your agent in that folder: `cd "{ $folder }"`, then `claude`, `codex` or whatever you use. `vib lane diff { $name }` shows what it did, `vib land { $name }` brings it to your project.
lane-back = The lane { $name } is back as it was last ({ $count } files and folders written). It is here:
lane-without-git = It was a work tree of git. Its files are back; git knows nothing of this folder any more.
lane-dropped = The lane { $name } is put away; its last state is saved. `vib lane open { $plain }` brings it back.
lane-never-landed = What was done in it never came to your project.
lane-none = There are no lanes. `vib lane new` makes one from what you have now.
lane-dropped-ones = { $count ->
    [one] One lane was dropped; `vib lane list --all` shows it.
   *[other] { $count } lanes were dropped; `vib lane list --all` shows them.
}
lane-is-dropped = dropped
lane-is-landed = landed
lane-is-gone = its folder is gone, `vib lane open { $name }` brings it back
lane-nothing-done = nothing that the project does not have
lane-did = { $files ->
    [one] 1 file
   *[other] { $files } files
} (+{ $added } −{ $removed })
lane-conflicts-count = { $count ->
    [one] 1 file was changed in the project, too
   *[other] { $count } files were changed in the project, too
}
lane-at-work = at work there: { $who }
lane-by-git = { $when }, a work tree of git
lane-would-land = Landing { $name } would change in your project:
lane-put-together = { $count ->
    [one] 1 file was changed in the project as well and is put together from both: { $list }
   *[other] { $count } files were changed in the project as well and are put together from both: { $list }
}
lane-note = note:
lane-left = { $count ->
    [one] Of 1 file nothing lands, because both changed the same.
   *[other] Of { $count } files nothing lands, because both changed the same.
} `vib lane merge { $name }` brings the project's changes into the lane, to settle it there; `--take lane FILE` or `--take main FILE` takes one side.
lane-dry-run = Nothing was changed. Run it again without `--dry-run` to land it.
lane-check-passes = `{ $check }` passes on the result.
lane-check-breaks = `{ $check }` fails on the result, and passes without the lane.
lane-check-old = `{ $check }` fails on the result, as it does without the lane.
lane-check-flaky = `{ $check }` answers now so, now so on the same files.
lane-check-no-answer = `{ $check }` gave no answer on the result.
lane-check-changed = `{ $check }` passes only because { $files } was changed: as it was before, it fails.
lane-check-changed-no-answer = `{ $check }` passes, but { $files } was changed, and as it was before it gives no answer.
lane-check-gone = `{ $check }` is not among the checks any more, because the file that names it was changed.
lane-checks-not-allowed = Not run, because you have not allowed it yet (`vib verify` asks once): { $list }
lane-conflict-lines = { $path }, line { $line }: changed in the project and in the lane
lane-conflict-both-made = { $path }: made in the project and in the lane, with other content
lane-conflict-removed-in-lane = { $path }: removed in the lane, changed in the project
lane-conflict-removed-in-main = { $path }: changed in the lane, gone in the project
lane-conflict-permissions = { $path }: other permissions in the project than in the lane
lane-conflict-binary = { $path }: changed in both, and it is no text; the whole file or nothing
lane-conflict-too-long = { $path }: changed in both, and too long to be put together; the whole file or nothing
lane-conflict-no-file = { $path }: changed in both, and it is or was a link or a folder; the whole or nothing
lane-side-project = project
lane-side-lane = lane
lane-more-lines = … and { $count } more lines
lane-by-hand = by hand
lane-taken-lane = You take the lane's file.
lane-taken-main = You keep the project's file.
lane-changed-since = Files have changed since the preview. This is how it looks now:
lane-land-question = Do that? What you have now is saved first.
lane-landed = { $name } has landed: { $paths } paths changed, one step in the history ({ $step }).
lane-landed-without = Nothing landed of { $list }. `vib lane merge { $name }` brings the project's changes into the lane, to settle it there.
lane-landed-undo = `vib undo` takes it back; the state before is saved as { $id }.
lane-landed-stays = The lane is still there; `vib lane drop { $name }` puts it away.
lane-landed-dropped = The lane is put away; `vib lane open { $name }` brings it back.
lane-merged = Into the lane { $name }: { $taken } files as they are in the project, { $merged } put together from both.
lane-marked = { $path }: both changed the same lines. Both stand in the lane's file, between <<<<<<< and >>>>>>>: settle it there.
lane-merge-left = { $path }: cannot be put together; the lane's stays as it is.
