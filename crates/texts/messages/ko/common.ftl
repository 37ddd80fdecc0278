# 여러 명령이 함께 쓰는 말.
common-files = 파일 { $count }개
common-lines = { $count }줄
common-risk-low = 위험 낮음
common-risk-medium = 위험 보통
common-risk-high = 위험 높음
common-what-happened = 무슨 일이 있었나요
common-what-to-do = 다음에 할 일
common-yes = 예
common-no = 아니요
