# 多个命令共用的词句。
common-files = { $count } 个文件
common-lines = { $count } 行
common-risk-low = 风险低
common-risk-medium = 有一定风险
common-risk-high = 风险高
common-what-happened = 发生了什么
common-what-to-do = 接下来怎么做
common-yes = 是
common-no = 否
