# 턴의 끝: 에이전트가 끝났다고 말할 때 vib가 에이전트나 사람에게 하는 말. 채팅에서 프롬프트의 언어로 말한다.
gate-block =
    vib: 아직 끝나지 않았으므로 이 턴은 여기서 끝나지 않습니다.{ $again ->
        [first] { "" }
       *[last] { " " }이미 한 번 알렸으며, 이번이 마지막입니다.
    }
gate-block-go-on = 바로잡고 그 증거를 보이세요. 할 수 없다면 무엇이 왜 남았는지 분명히 말하세요. "아직 끝나지 않았습니다"라고 솔직하게 말하면 턴이 끝납니다. 통과시키려고 검사를 약하게 하거나 지우지 마세요.
gate-release = 에이전트는 끝났다고 하지만, { $count }번 알린 뒤에도 다음이 남아 있습니다:
gate-release-accept = 이대로 괜찮다면 "{ $accept }"라고 보내세요.
gate-warn = 에이전트는 끝났다고 하지만, 다음이 남아 있습니다:
gate-failed = `{ $command }`: 마지막 실행에서 실패했습니다.
gate-regressed = `{ $command }`: 이 작업 전에는 통과했는데 지금은 실패합니다.
gate-stale = `{ $command }`: 통과했지만 그 뒤에 파일이 바뀌었습니다. 다시 실행하세요.
gate-unknown = `{ $command }`: 변경 뒤에 시작되었지만 어떻게 끝났는지 알 수 없습니다. 출력을 확인하거나 다시 실행하세요.
gate-not-checked = 변경 뒤에 실행된 검사가 없습니다. `{ $command }`을(를) 실행하세요.
gate-part-only = 메시지는 전체를 말하지만 일부만 검사했습니다(`{ $command }`). { $places }의 변경은 검사하지 않았습니다. 그곳의 검사를 실행하거나, 무엇을 검사하지 않았는지 말하세요.
gate-tasks = 에이전트 자신의 목록에 남은 일:
gate-tasks-more = 외 { $count }개
gate-not-accepted = 합의했지만 아직 보이지 않은 것: { $items }
gate-not-accepted-item = { $item } (`{ $command }` 실행)
gate-not-ticked = 합의한 것 가운데 사람만 확인할 수 있는 것(`vib stop accept NUMBER`): { $items }
gate-objects = 작업을 검토한 쪽의 이의: { $note }
gate-not-reviewed = 작업 전체를 아무도 검토하지 않았습니다: `vib verify --profile deep`.
gate-not-run = 검사를 실행하지 못했습니다: { $error }; { $next }
gate-not-looked = 변경된 내용을 살펴보지 못했습니다: { $error }; { $next }
