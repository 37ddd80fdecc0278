# `vib status`, `vib diff`, `vib show`: what changed.
changes-none = No difference between { $from } and { $to }.
changes-now = what you have now
changes-last-saved = the last checkpoint
changes-left-out = not in this patch: { $files } (why, its lines with `#` say)
changes-project = Project { $root }
changes-no-checkpoint = No checkpoint yet. `vib checkpoint` saves the project as it is now.
changes-newest =
    { $count ->
        [one] Last checkpoint { $id }{ $message }, { $when }; 1 checkpoint kept ({ $size })
       *[other] Last checkpoint { $id }{ $message }, { $when }; { $count } checkpoints kept ({ $size })
    }
changes-then = then
changes-unchanged = Nothing has changed since { $then }.
changes-changed-saved = Changed since { $then }, all of it saved:
changes-changed-unsaved = Changed since { $then } and not saved yet:
changes-changed-partly =
    { $count ->
        [one] Changed since { $then }, 1 path not saved yet:
       *[other] Changed since { $then }, { $count } paths not saved yet:
    }
changes-commands = `vib diff` shows the lines, `vib checkpoint` saves, `vib undo` goes back.
changes-looked-at = { $files } looked at; { $names } left out by ignore rules
changes-suggestion = Suggestion: { $text } (`{ $command }`)
changes-new = new
changes-gone = gone
changes-changed = changed
changes-renamed = renamed
changes-mode = mode
changes-kind = kind
changes-bring-back = bring back
changes-remove = remove
changes-change-back = change back
changes-rename = rename
changes-set-mode = set mode
changes-replace = replace
changes-binary = binary, { $old } → { $new }
changes-modes = mode { $old } → { $new }
changes-link = link
changes-sensitive = sensitive
changes-totals = { $files }, { $added } added, { $removed } removed{ $more }
changes-not-counted =
    { $count ->
        [one] { " " }(lines of 1 more file not counted)
       *[other] { " " }(lines of { $count } more files not counted)
    }
changes-problems =
    { $count ->
        [one] 1 file could not be saved:
       *[other] { $count } files could not be saved:
    }
changes-more-in-json = and { $count } more (see `--json`)
changes-shown = Checkpoint { $id } ({ $kind }{ $pinned })
changes-pinned = , pinned
changes-manual = manual
changes-turn = turn
changes-commit = commit
changes-safety = safety
changes-row-saved = saved
changes-row-scope = scope
changes-row-message = message
changes-row-prompt = prompt
changes-row-agent = agent
changes-row-session = session
changes-row-request = request
changes-row-from-request = from request
changes-row-tool = tool
changes-row-call = call
changes-row-trigger = trigger
changes-row-file = file
changes-whole-project = the whole project
changes-single-files = single files
changes-not-there-yet = was not there yet
changes-same-as-before = Nothing was different from the checkpoint before.
changes-from-before = Different from the checkpoint before, { $totals }:
changes-no-text = `{ $path }` is no text ({ $size }). `vib show { $moment } FILE > old` writes it to a file.
