# Words that more than one command needs.
common-files =
    { $count ->
        [one] 1 file
       *[other] { $count } files
    }
common-lines =
    { $count ->
        [one] 1 line
       *[other] { $count } lines
    }
common-risk-low = low risk
common-risk-medium = some risk
common-risk-high = high risk
common-what-happened = What happened
common-what-to-do = What to do next
common-yes = yes
common-no = no
common-just-now = just now
common-seconds-ago =
    { $count ->
        [one] 1 second ago
       *[other] { $count } seconds ago
    }
common-minutes-ago =
    { $count ->
        [one] 1 minute ago
       *[other] { $count } minutes ago
    }
common-hours-ago =
    { $count ->
        [one] 1 hour ago
       *[other] { $count } hours ago
    }
common-days-ago =
    { $count ->
        [one] 1 day ago
       *[other] { $count } days ago
    }
common-paths =
    { $count ->
        [one] 1 path
       *[other] { $count } paths
    }
common-changes =
    { $count ->
        [one] 1 change
       *[other] { $count } changes
    }
common-checkpoints =
    { $count ->
        [one] 1 checkpoint
       *[other] { $count } checkpoints
    }
common-steps =
    { $count ->
        [one] 1 step
       *[other] { $count } steps
    }
common-agents =
    { $count ->
        [one] 1 agent
       *[other] { $count } agents
    }
common-names =
    { $count ->
        [one] 1 name
       *[other] { $count } names
    }
common-and-more = and { $count } more
common-note = note:
common-warning = warning:
common-next = next:
common-error = error[{ $code }]:
common-an-agent = an agent
common-no-words = (no words were heard)
common-unknown-time = an unknown time
common-comma = { "," }{ " " }
