# How risky what stands now is, and why; said by every command alike.
verdict-line = Risk: { $risk }
verdict-low = low
verdict-medium = some
verdict-high = high
verdict-because = {": "}{ $why }
verdict-lost =
    { $count ->
        [one] { $files } is gone, and no request asked for that
       *[other] { $count } files are gone, and no request asked for that: { $files }
    }
verdict-emptied =
    { $count ->
        [one] There is nothing left in { $files }
       *[other] There is nothing left in { $count } files: { $files }
    }
verdict-secret = A secret stands in plain sight in { $path }
verdict-protected = You protected { $path }, and it was changed all the same
verdict-keep-region = Lines in { $path } that are marked to be kept are not as they were
verdict-conflict-marks = Two versions of the same lines were left in { $path }, with the marks of a merge
verdict-unparseable = { $path } cannot be read as code any more, near line { $line }
verdict-unparseable-maybe = { $path } may not be valid code, near line { $line }
verdict-file-still-used = { $path } is gone, but still needed by { $files }
verdict-still-used = `{ $name }` is gone from { $path }, but still used in { $files }
verdict-tests-focused = In { $path } only some tests run now
verdict-test-off = The test `{ $test }` in { $path } checks nothing any more, or is switched off
verdict-test-weaker = The test `{ $test }` in { $path } checks less than before, or is gone
verdict-check-failed = The last check failed: `{ $command }`
verdict-check-stale = Files have changed since the last check, `{ $command }`
verdict-circling = An agent ran in circles and rests: { $what }
verdict-circling-all = An agent ran in circles and rests
verdict-anchor-broken = The anchor `{ $name }` in { $path } has lost its beginning or its end
verdict-anchor-gone = The anchor `{ $name }` in { $path } is gone
verdict-rewrite = Most of { $path } is different now ({ $percent } %)
verdict-many-files = { $count } files changed
verdict-secrets-file = { $path } usually holds passwords or keys
verdict-entry = The program starts in { $path }
verdict-config = { $path } holds settings, which change how the whole project works
verdict-many-users =
    { $count ->
        [one] 1 file needs { $path }
       *[other] { $count } files need { $path }
    }
verdict-more =
    { $count ->
        [one] {" "}(and 1 more reason)
       *[other] {" "}(and { $count } more reasons)
    }
verdict-not-read =
    { $count ->
        [one] 1 changed file was not looked into: there are too many
       *[other] { $count } changed files were not looked into: there are too many
    }
verdict-not-searched = Uses of what is gone were looked for in the nearest files only; { $count } others were left out
