//! Korean.

use super::{Lists, any, begins};

pub(super) const LISTS: Lists = Lists {
    claims,
    summarises,
    hints,
    is_open,
    is_open_near,
    heads_open,
    item_is_open,
    is_void,
    offers,
    answers,
    asks_you: |text| any(text, &["할까요", "드릴까요", "하시겠", "원하시", "어떤 방식"]),
    explains: |_| false,
    begins_with_result: |_| true,
};

/// What is done to a thing, as far as it changes it. Looking at it, checking it and beginning with it are not among them.
const DEEDS: &[&str] = &[
    "추가",
    "수정",
    "구현",
    "삭제",
    "생성",
    "작성",
    "변경",
    "적용",
    "반영",
    "해결",
    "제거",
    "이동",
    "개선",
    "갱신",
    "업데이트",
    "설정",
    "커밋",
    "푸시",
    "배포",
    "머지",
    "병합",
    "정리",
    "통합",
    "교체",
    "분리",
    "등록",
    "처리",
    "마이그레이션",
    "변환",
    "리팩토링",
    "리팩터링",
    "연결",
    "확장",
    "보강",
    "대체",
    "복원",
    "배치",
    "기록",
    "명시",
    "통일",
    "이전",
    "마무리",
    "완료",
    "도입",
    "전환",
    "번역",
    "정의",
    "작업",
    "게시",
];
/// What makes a deed of it that is over.
const DONE: &[&str] = &[
    "했",
    "하였",
    "되었",
    "됐",
    "해 두었",
    "해두었",
    "해 뒀",
    "해뒀",
    "해 놓았",
    "해놓았",
    "을 마쳤",
    "를 마쳤",
    "을 끝냈",
    "를 끝냈",
    " 완료",
];

fn claims(text: &str) -> bool {
    let bare = text.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    // "완료", "수정 완료", "완료됨", "완료!", "완료, …"
    if bare.ends_with("완료")
        || bare.ends_with("완료됨")
        || bare.ends_with("완료함")
        || any(text, &["완료!", "완료,", "완료입니다", "완료예요", "완료이에요"])
    {
        return true;
    }
    let deed = DEEDS.iter().any(|deed| {
        text.match_indices(deed).any(|(at, _)| {
            let rest = text[at + deed.len()..].trim_start_matches(['을', '를', '이', '가']);
            DONE.iter().any(|done| rest.starts_with(done) && !is_contrast(&rest[done.len()..]))
        })
    });
    deed || tests_pass(text)
        || any(
            text,
            &[
                "다 됐어요",
                "다 됐습니다",
                "다 되었습니다",
                "작업 끝",
                "끝났습니다",
                "끝났어요",
                "끝났고",
                "끝냈습니다",
                "끝냈고",
                "끝냈어요",
                "마쳤습니다",
                "마쳤고",
                "마쳤어요",
                "다 했습니다",
                "다 했어요",
                "고쳤습니다",
                "고쳤고",
                "고쳤어요",
                "만들었습니다",
                "만들었고",
                "만들었어요",
                "바꿨습니다",
                "바꿨고",
                "바꿨어요",
                "바꾸었습니다",
                "옮겼습니다",
                "옮겼고",
                "옮겼어요",
                "넣었습니다",
                "넣었어요",
                "지웠습니다",
                "지웠어요",
                "올렸습니다",
                "맞췄습니다",
                "나눴습니다",
                "줄였습니다",
                "늘렸습니다",
                "붙였습니다",
                "뺐습니다",
                "잘 작동합니다",
                "잘 동작합니다",
                "정상 동작합니다",
                "정상 작동합니다",
                "정상적으로 동작합니다",
                "정상적으로 작동합니다",
                "문제없이 빌드됩니다",
                "사용하실 수 있습니다",
                "성공적으로",
                "할 일은 없습니다",
                "남은 작업은 없습니다",
                "바로잡았습니다",
                "더했습니다",
                "완성되었습니다",
                "완성했습니다",
                "완성됐습니다",
            ],
        )
}

/// "했지만", "했으나", "했는데", "했던", "했을": what follows takes it back, or it is told of somebody else.
fn is_contrast(rest: &str) -> bool {
    begins(
        rest,
        &[
            "지만", "으나", "는데", "던", "을", "다면", "다고", "으면", "거나",
            "는지", // "완료하려면", "완료하면", "완료할 때", "완료해야": not yet.
            "하려", "하면", "할", "하기", "해야", "되면", "될", "되려", "하지", "되지", "하는", "되는",
        ],
    )
}

/// How the program is after the work: "이제 … 됩니다", "더 이상 …".
fn hints(text: &str) -> bool {
    any(text, &["이제 ", "더 이상 "])
        && any(text, &["니다", "어요", "아요", "해요", "돼요"])
        && !any(
            text,
            &["겠습니다", "예정", "오류", "실패", "깨집", "깨지", "깨져", "안 됩니다", "하려고", "할게요"],
        )
}

/// "변경 요약", "구현 결과".
fn summarises(text: &str) -> bool {
    text.chars().count() <= 40
        && any(
            text,
            &[
                "변경 요약",
                "변경사항 요약",
                "변경 사항 요약",
                "구현 결과",
                "작업 결과",
                "완료 요약",
                "작업 요약",
                "수정 결과",
                "수정 내용",
                "변경 내용",
                "변경된 파일",
                "수정된 파일",
                "생성된 파일",
                "완료된 작업",
                "삭제 결과",
                "적용 결과",
                "구현 내용",
                "작업 내용",
            ],
        )
}

pub(super) fn tests_pass(text: &str) -> bool {
    any(
        text,
        &[
            "통과합니다",
            "통과했습니다",
            "통과했고",
            "통과해요",
            "통과했어요",
            "통과하였습니다",
            "통과되었습니다",
            "통과됐습니다",
            "테스트 통과",
            "빌드 통과",
            "모두 통과",
            "전부 통과",
            "전체 통과",
            "빌드 성공",
            "테스트 성공",
        ],
    ) && !any(
        text,
        &[
            "통과하면",
            "통과되면",
            "않",
            "못",
            "제외",
            "빼고",
            "적이 없",
            "실패",
            "까지",
            "깨져",
            "깨졌",
            "그 뒤로",
            "이후로",
        ],
    )
}

fn is_open(text: &str) -> bool {
    // "남은 작업은 없습니다"
    let none_left = text.contains("남은 ") && any(text, &["없습니다", "없어요", "없음"]);
    !none_left && is_said_open(text)
}

fn is_said_open(text: &str) -> bool {
    any(
        text,
        &[
            "못했습니다",
            "못했어요",
            "못하고",
            "하지 못",
            "남은 작업",
            "남은 일",
            "남은 문제",
            "남은 단계",
            "남은 할",
            "남은 것은",
            "남았",
            "실패합니다",
            "실패했습니다",
            "실패하고",
            "실패해",
            "계속 실패",
            "여전히",
            "진행 중",
            "진행중",
            "실행 중입니다",
            "작업 중",
            "일부만",
            "절반",
            "끝나지 않",
            "완료되지 않",
            "완료하지 않",
            "변경하지 않았",
            "통과한 적이 없",
        ],
    ) || is_part_of(text)
}

/// "8/15 완료": fewer than all.
fn is_part_of(text: &str) -> bool {
    let mut numbers =
        text.split(|letter: char| !(letter.is_ascii_digit() || letter == '/')).filter_map(|part| {
            let (done, of) = part.split_once('/')?;
            Some((done.parse::<u32>().ok()?, of.parse::<u32>().ok()?))
        });
    text.contains("완료") && numbers.any(|(done, of)| done < of)
}

fn is_open_near(text: &str) -> bool {
    any(
        text,
        &[
            "아직",
            "남은 ",
            "남아 ",
            "남아있",
            "겠습니다",
            "예정입니다",
            "예정이에요",
            "계획입니다",
            "계획은",
            "하려고 합니다",
            "해야 합니다",
            "필요합니다",
            "할 수 없습니다",
            "수 없어",
            "기다리",
            "기다립니다",
            "제외하고",
            "대부분 동작",
            "지금까지",
            "모르겠",
            "살펴봤습니다",
            "제안 드",
            "제안드",
            "1단계",
            "개만 ",
            "멈췄",
            "나머지는",
            "확인하지 못",
            "되돌렸습니다",
            "오류가 납니다",
        ],
    )
}

fn heads_open(text: &str) -> bool {
    any(
        text,
        &[
            "남은 작업",
            "남은 일",
            "남은 문제",
            "할 일",
            "미완료",
            "진행 중",
            "다음 작업",
            "미해결",
            "제안 사항",
            "계획",
        ],
    )
}

fn item_is_open(text: &str) -> bool {
    let bare = text.trim();
    any(text, &["미완료", "진행 중", "진행중", "아직 구현", "실패합니다", "미구현"])
        || ["대기", "예정", "보류", "미정"].contains(&bare)
}

fn is_void(text: &str) -> bool {
    any(
        text,
        &[
            "완료로",
            "완료라고",
            "간주",
            "완료한 것",
            "되면",
            "하면 완료",
            "주시면",
            "시작하기 전",
            "이미 ",
            "이전 커밋",
            "예전에",
            "때문",
            "완료되는",
            "완료할",
        ],
    )
}

fn offers(text: &str) -> bool {
    let of_the_work = any(
        text,
        &[
            "어떤",
            "어느",
            "무엇",
            "어떻게",
            "진행하시",
            "진행할까",
            "맞나요",
            "맞습니까",
            "구현할까",
            "괜찮",
            "시작할까",
        ],
    );
    !of_the_work
        && any(
            text,
            &[
                "도 추가",
                "도 적용",
                "도 해 드릴까요",
                "도 할까요",
                "도 수정",
                "더 필요",
                "드릴까요",
                "다른 ",
                "커밋",
                "푸시",
                "pr",
                "머지",
                "병합",
                "배포",
                "확인하시겠",
                "확인해 보시겠",
                "계속할까요",
                "다음",
            ],
        )
}

fn answers(text: &str) -> bool {
    begins(text, &["네,", "네 ", "아니", "맞습니다", "좋은 질문"])
}
