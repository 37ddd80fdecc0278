# `vib run`: runs, their cards, and what becomes of them.
run-none = There are no runs.
run-counts = { $done } of { $cards } cards done
run-waiting = { $count ->
    [one] 1 waits for you
   *[other] { $count } wait for you
}
run-running = somebody is at work on it
run-paused = waits: { $why }
run-ended = ended: { $why }
run-spent = { $tokens } tokens, ${ $dollars }
run-spent-partly = { $tokens } tokens, ${ $dollars } and what nobody knows the price of
run-next-apply = `vib run apply { $name }` shows what waits and brings it to your project.
run-is-todo = to do
run-is-running = at work
run-is-preview = waits for your yes
run-is-review = in review
run-is-done = done
run-is-blocked = blocked
run-is-reverted = taken back
run-is-dropped = dropped
run-files = { $files ->
    [one] 1 file
   *[other] { $files } files
} (+{ $added } −{ $removed })
run-landed = in the project
run-recommended = recommended
run-put-away = dropped, `vib lane open { $lane }` brings it back
run-check-passed = `{ $check }` passes
run-check-failed = `{ $check }` fails, and did not before
run-check-still = `{ $check }` fails as it did before
run-check-other = `{ $check }`: { $status }
run-stale = The checks were run on other files than these: they prove nothing.
run-weakened = tests that check less: { $list }
run-findings = the guard found: { $list }
run-note = review: { $note }
run-unfinished = Nobody knows what came of: { $list }
run-stop-asked = Whoever works on { $name } was asked to end. What was done is kept.
run-stopped = Nobody was at work on { $name } any more; it is written down as stopped.
run-would-apply = Applying { $name } would change in your project:
run-would-revert = Taking back { $name } would change in your project:
run-would-revert-lane = Taking back { $name } would change in the lane { $lane }, your project stays as it is:
run-merged = Changed since as well, and put together from both: { $list }
run-without = { $list } came before and is not in your project: this comes without it. `vib run apply { $name }` lands all that waits together.
run-later = Later cards changed the same files and stay: { $list }
run-left = Nothing changes in { $list }: the same places were changed otherwise since.
run-dry-run = Nothing was changed. Run it again without `--dry-run` to do it.
run-already = Everything of { $name } is so already: no file has to change.
run-applied = { $name } is in your project: { $paths } paths changed, one step in the history ({ $step }).
run-reverted = { $name } is taken back: { $paths } paths changed, one step in the history ({ $step }).
run-undo-in-lane = `vib undo` in the folder of the lane { $lane } brings it back; the state before is saved as { $id }.
run-replay-same = the same files came out
run-replay-done = done again
run-replay-nothing = there was nothing to do
run-replay-differs = another result, in { $path } first
run-replay-refused = could not be done again: { $why }
run-replay-dropped = Nothing of your project was touched. The lane { $lane } is put away; `vib lane open { $lane }` brings it back.
run-replay-lane = Nothing of your project was touched. It is in the lane { $lane }: `vib lane diff { $lane }`, `vib lane drop { $lane }`.
run-dropped = { $name } is put away, and everything of it is kept: { $list }
run-lane-open = `vib lane open { $lane }` brings it back.
