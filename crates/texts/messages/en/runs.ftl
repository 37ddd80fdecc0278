# `vib run`: runs, their cards, and what becomes of them.
runs-none = There are no runs.
runs-counts = { $done } of { $cards } cards done
runs-waiting = { $count ->
    [one] 1 waits for you
   *[other] { $count } wait for you
}
runs-running = somebody is at work on it
runs-paused = waits: { $why }
runs-ended = ended: { $why }
runs-spent = { $tokens } tokens, ${ $dollars }
runs-spent-partly = { $tokens } tokens, ${ $dollars } and what nobody knows the price of
runs-next-apply = `vib run apply { $name }` shows what waits and brings it to your project.
runs-is-todo = to do
runs-is-running = at work
runs-is-preview = waits for your yes
runs-is-review = in review
runs-is-done = done
runs-is-blocked = blocked
runs-is-reverted = taken back
runs-is-dropped = dropped
runs-files = { $files ->
    [one] 1 file
   *[other] { $files } files
} (+{ $added } −{ $removed })
runs-landed = in the project
runs-recommended = recommended
runs-put-away = dropped, `vib lane open { $lane }` brings it back
runs-check-passed = `{ $check }` passes
runs-check-failed = `{ $check }` fails, and did not before
runs-check-still = `{ $check }` fails as it did before
runs-check-other = `{ $check }`: { $status }
runs-stale = The checks were run on other files than these: they prove nothing.
runs-weakened = tests or checks that check less: { $list }
runs-findings = the guard found: { $list }
runs-note = review: { $note }
runs-branch = branch { $branch } in your repository
runs-branch-without = not in it: { $list }
runs-commit = commit { $commit }
runs-not-committed = not on the branch: { $why }
runs-branch-stays = The branch { $branch } is yours and stays; `git branch -D { $branch }` deletes it.
runs-unfinished = Nobody knows what came of: { $list }
runs-stop-asked = Whoever works on { $name } was asked to end. What was done is kept.
runs-stopped = Nobody was at work on { $name } any more; it is written down as stopped.
runs-would-apply = Applying { $name } would change in your project:
runs-would-revert = Taking back { $name } would change in your project:
runs-would-revert-lane = Taking back { $name } would change in the lane { $lane }, your project stays as it is:
runs-merged = Changed since as well, and put together from both: { $list }
runs-without = { $list } came before and is not in your project: this comes without it. `vib run apply { $name }` lands all that waits together.
runs-later = Later cards changed the same files and stay: { $list }
runs-left = Nothing changes in { $list }: the same places were changed otherwise since.
runs-dry-run = Nothing was changed. Run it again without `--dry-run` to do it.
runs-already = Everything of { $name } is so already: no file has to change.
runs-applied = { $name } is in your project: { $paths } paths changed, one step in the history ({ $step }).
runs-reverted = { $name } is taken back: { $paths } paths changed, one step in the history ({ $step }).
runs-undo-in-lane = `vib undo` in the folder of the lane { $lane } brings it back; the state before is saved as { $id }.
runs-replay-same = the same files came out
runs-replay-done = done again
runs-replay-nothing = there was nothing to do
runs-replay-differs = another result, in { $path } first
runs-replay-refused = could not be done again: { $why }
runs-replay-dropped = Nothing of your project was touched. The lane { $lane } is put away; `vib lane open { $lane }` brings it back.
runs-replay-lane = Nothing of your project was touched. It is in the lane { $lane }: `vib lane diff { $lane }`, `vib lane drop { $lane }`.
runs-dropped = { $name } is put away, and everything of it is kept: { $list }
runs-lane-open = `vib lane open { $lane }` brings it back.
