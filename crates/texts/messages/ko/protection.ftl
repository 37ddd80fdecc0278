# Is this project protected, and by whom?
protection-off = 꺼짐:
protection-off-by-you = { $head } { $since }에 직접 끄셨습니다. 여기서는 에이전트의 단계를 저장하거나 판단하지 않습니다. `vib init --on`으로 켤 수 있습니다
protection-hooks = 훅으로 보호됨:
protection-not-called = 아직 호출 없음:
protection-never-called = { $head } { $clients }의 훅이 설치되어 있지만, 아직 어떤 에이전트도 여기서 vib을 부르지 않았습니다
protection-broken = { $head } { $clients }의 훅이 설치되어 있지만 실행되지 않습니다. 고칠 때까지는 직접 저장해야만 저장됩니다
protection-by-hand = 직접 저장만:
protection-no-agent = { $head } 여기서는 어떤 에이전트도 vib을 부르지 않습니다. `vib init`으로 에이전트를 연결하세요
protection-called = { $client }: { $when } 여기서 vib을 불렀습니다
protection-never = { $client }: 여기서 vib을 부른 적이 없습니다
protection-mend = { $what }; 바꾸려면: { $next }
protection-no-program = 훅이 부르는 프로그램이 그 자리에 없습니다
protection-missing = { $events }에 대한 훅이 없습니다
protection-entries = { $file }에 있는 { $client } 훅: { $what }; `{ $command }`으로 다시 쓸 수 있습니다
