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
