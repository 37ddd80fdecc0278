//! "앞으로는 …", "항상 … 해", "절대 … 하지 마", "다시는 … 마". Spaces are written as people like: they are taken out first.

const LASTING: &[&str] = &[
    "앞으로",
    "이제부터",
    "지금부터",
    "다음부터",
    "오늘부터",
    "다시는",
    "다신",
    "기억해",
    "이후로는",
    "다음번부터",
    "다음번에는",
    "다음번엔",
    "이제부턴",
    "지금부턴",
    "오늘부턴",
    "여기서부터",
    "명심해",
];
/// What says of itself that it is a rule.
const LABELS: &[&str] =
    &["원칙", "규칙", "방침", "컨벤션", "금지", "기로하자", "기로했", "기로해", "기로정", "약속하자", "습관"];
/// Where it holds.
const OURS: &[&str] = &[
    "우리프로젝트",
    "우리팀",
    "우리는",
    "우린",
    "이프로젝트",
    "이저장소",
    "이레포",
    "여기서는",
    "여기선",
    "이코드베이스",
];
const ALWAYS: &[&str] = &["항상", "언제나", "절대", "매번", "반드시", "무조건", "늘", "꼭"];
const ONCE: &[&str] = &[
    "이번만",
    "이번한번만",
    "이번에만",
    "이번에는",
    "이번엔",
    "이번커밋",
    "이번세션",
    "이번작업",
    "이번건",
    "이번주",
    "일단은",
    "일단",
    "한번만",
    "지금만",
    "오늘만",
    "오늘은",
    "오늘하루",
    "당분간",
    "잠깐",
    "잠시",
    "임시로",
    "내일까지",
    "오늘까지",
    "까지만",
    "지금은",
    "주말까지",
    "금요일까지",
    "월요일까지",
    "모레까지",
];
/// Somebody else says it, or it stands somewhere.
const OF_OTHERS: &[&str] = &[
    "라는데",
    "다는데",
    "라던데",
    "다던데",
    "하래",
    "쓰래",
    "말래",
    "으래",
    "한대",
    "쓴대",
    "했대",
    "된대",
    "있대",
    "라더라",
    "다더라",
    "래요",
    "적혀있",
    "쓰여있",
    "써있",
    "팀장님이",
    "사장님이",
    "부장님이",
    "상사가",
    "고객이",
    "손님이",
    "옆팀",
    "다른팀",
];
/// Supposed, of the past, or not meant.
const NOT_MEANT: &[&str] = &[
    "만약",
    "만일",
    "치면",
    "친다면",
    "가정하면",
    "가정해",
    "예전",
    "작년",
    "지난달",
    "지난주",
    "옛날",
    "했었",
    "었었",
    "퍽이나",
    "ㅋㅋ",
    "ㅎㅎ",
    "하겠네",
    "겠네요",
    "잘도",
    "어련하",
    "농담",
    "대단하시",
    "참잘한다",
];
/// Names of things that begin like a rule.
const THINGS: &[&str] = &[
    "앞으로가기",
    "앞으로가는",
    "앞으로이동",
    "앞으로버튼",
    "절대경로",
    "절대값",
    "절댓값",
    "절대좌표",
    "절대위치",
];
/// How a wish ends.
const WISHES: &[&str] = &[
    "마",
    "마요",
    "마세요",
    "마십시오",
    "말아",
    "말아줘",
    "말아요",
    "말아주세요",
    "말것",
    "말자",
    "해",
    "해줘",
    "하세요",
    "하자",
    "합시다",
    "할것",
    "줘",
    "주세요",
    "주십시오",
    "써",
    "써라",
    "쓰자",
    "써야지",
    "야해",
    "야돼",
    "야지",
    "야한다",
    "야합니다",
    "둬",
    "돌려",
    "물어봐",
    "안돼",
    "안돼요",
    "안됩니다",
    "금지",
    "바랍니다",
    "부탁해",
    "부탁해요",
    "해라",
    "하도록",
    "사용해",
    "하기로했어",
    "하기로했다",
    "하기로하자",
    "하기로해",
    "금지야",
    "금지다",
    "금지입니다",
    "금지예요",
    "부탁",
    "부탁드려요",
    "부탁드립니다",
    "마라",
    "말기",
    "하기",
    "쓰기",
    "할게",
    "하지",
    "다뤄",
    "받아",
    "가져와",
    "만들어",
    "넣어",
    "붙여",
    "감싸",
    "열어",
    "맞춰",
    "지켜",
    "바꿔",
    "옮겨",
    "남겨",
    "보내",
    "나눠",
    "써요",
    "해요",
    "놔",
    "봐",
    "세요",
    "십시오",
    "기로하자",
    "기로했어",
    "기로했다",
    "기로해",
    "기로정했어",
    "가자",
    "바꾸자",
    "돌아가자",
    "갈아타자",
    "이야",
    "거야",
    "그대로둬",
    "깔아",
    "달아",
    "적어",
    "골라",
    "확인해",
    "맡겨",
    "따라",
];
/// What goes wrong by itself is no wish.
const HAPPENS: &[&str] = &[
    "실패",
    "에러나",
    "에러가",
    "에러뜨",
    "오류",
    "멈춰",
    "멈추",
    "깨져",
    "느려",
    "안나와",
    "안되네",
    "죽어",
    "죽는",
    "터져",
    "끊겨",
    "사라져",
    "튕겨",
];

fn plain(bare: &str) -> String {
    bare.chars().filter(|letter| letter.is_alphanumeric() || *letter == '?').collect()
}

fn is_korean(text: &str) -> bool {
    text.chars().any(|letter| ('가'..='힣').contains(&letter))
}

fn is_question(text: &str) -> bool {
    text.ends_with('?')
        || text.starts_with('왜')
        || ["까", "나요", "는지", "는가", "인가", "건가", "맞지", "않아", "겠지"]
            .iter()
            .any(|end| text.ends_with(end))
}

/// An agent answers this and does nothing. "…해 줄래?", "…해 줄 수 있어?" are requests.
pub(super) fn is_only_talk(bare: &str) -> bool {
    let text = plain(bare);
    let polite = [
        "줄래",
        "줄래요",
        "줄수있어",
        "줄수있나요",
        "줄수있을까",
        "주실래요",
        "주시겠어요",
        "주겠니",
        "줄수있니",
    ]
    .iter()
    .any(|end| text.trim_end_matches('?').ends_with(end));
    is_korean(&text) && !polite && (is_question(&text) || is_not_meant(&text))
}

/// Without what people add behind the point: "…쓰지 마, 앞으로도 쭉".
fn without_tail(text: &str) -> &str {
    let mut text = text.trim_end_matches('?');
    loop {
        let Some(shorter) = [
            "앞으로도쭉",
            "앞으로도",
            "앞으로는",
            "앞으로",
            "이제부터",
            "이제는",
            "이제",
            "항상",
            "절대",
            "무조건",
            "쭉",
            "제발",
            "꼭",
            "알았지",
            "알겠지",
        ]
        .iter()
        .find_map(|tail| text.strip_suffix(tail).filter(|left| !left.is_empty())) else {
            return text;
        };
        text = shorter;
    }
}

fn wishes(text: &str) -> bool {
    let end = without_tail(text);
    WISHES.iter().any(|wish| end.ends_with(wish))
}

/// Told of others, supposed, of the past, in irony, or words to be written somewhere.
fn is_not_meant(text: &str) -> bool {
    let quotes = text.contains("라고")
        && !["라고했잖", "라고말했", "라고했지", "말라고했"].iter().any(|own| text.contains(own));
    let decided = text.contains("기로했");
    let past = ["했어", "했지", "었지", "었어", "했다", "했습니다"].iter().any(|end| text.ends_with(end))
        && !decided;
    quotes
        || past
        || OF_OTHERS.iter().any(|word| text.contains(word))
        || NOT_MEANT.iter().any(|word| text.contains(word))
}

/// "앱이 항상 죽어": what stands before is what does it.
fn happens(bare: &str, word: &str) -> bool {
    bare.find(word).is_some_and(|at| {
        let before = bare[..at].trim_end();
        before.ends_with(['이', '가']) && before.chars().count() > 1
    })
}

/// "항상 닫히게 해줘", "항상 보이는 헤더": the thing that is made behaves so.
fn behaves(after: &str) -> bool {
    // 닫히게, 뜨게, 나오게: a thing does it. 짧게, 자세하게: so it is done.
    let made = after.match_indices('게').any(|(at, _)| {
        let verb = after[..at].chars().next_back();
        verb.is_some_and(|verb| "히이리기뜨오되나지남가".contains(verb))
            && ["게해", "게수정", "게고쳐", "게바꿔", "게만들", "게하"]
                .iter()
                .any(|how| after[at..].starts_with(how))
    });
    made || ["도록해줘", "도록수정", "보이는", "보이게", "떠있는", "표시되", "보여야"]
        .iter()
        .any(|word| after.contains(word))
}

pub(super) fn is_rule(bare: &str) -> bool {
    let text = plain(bare);
    if !is_korean(&text)
        || is_question(&text)
        || is_not_meant(&text)
        || ONCE.iter().any(|once| text.contains(once))
    {
        return false;
    }
    let text = THINGS.iter().fold(text, |text, thing| text.replace(thing, ""));
    let lasting = LASTING.iter().any(|word| text.contains(word));
    if lasting {
        return wishes(&text)
            || text.contains("기억해")
            || ["다", "만", "야", "로", "요"].iter().any(|end| text.ends_with(end));
    }
    if HAPPENS.iter().any(|word| text.contains(word)) {
        return false;
    }
    // A rule says so; and what is done each time is one.
    if LABELS.iter().any(|word| text.contains(word)) && wishes(&text) {
        return true;
    }
    let each = ["때마다", "할때는항상", "마다꼭", "마다항상"].iter().any(|word| text.contains(word));
    if each && wishes(&text) {
        return true;
    }
    let ours = OURS.iter().any(|word| text.contains(word));
    if ours
        && ["만써", "만쓰", "지마", "지말", "안써", "만사용", "만해"].iter().any(|word| text.contains(word))
    {
        return true;
    }
    // "yarn은 이제 그만 쓰고 pnpm으로 바꾸자"
    let turns = ["그만쓰", "그만하", "말고", "대신", "취소"].iter().any(|word| text.contains(word))
        && (text.contains("이제")
            || ["바꾸자", "가자", "쓰자", "갈아타자", "하자"].iter().any(|end| text.ends_with(end)));
    let wished = wishes(&text) || bare.split([',', '，', '、']).any(|clause| wishes(&plain(clause)));
    if turns && wished && is_about_something(bare) {
        return true;
    }
    let Some((at, always)) = ALWAYS.iter().filter_map(|word| Some((text.find(word)?, word))).min() else {
        return false;
    };
    let after = &text[at + always.len()..];
    let mends = ["고쳐줘", "수정해줘", "지금고쳐"].iter().any(|end| text.ends_with(end));
    // "…써줘, 전문 용어 없이": the wish may stand before an afterthought.
    let wished = wishes(&text)
        || bare.split([',', '，', '、']).map(plain).any(|clause| clause.contains(always) && wishes(&clause));
    wished && !behaves(after) && !mends && !happens(bare, always)
}

fn is_about_something(bare: &str) -> bool {
    let found = super::facets(bare);
    !found.topics.is_empty()
        || !found.wants.is_empty()
        || !found.refuses.is_empty()
        || !found.aspects.is_empty()
}

pub(super) fn withdraws(bare: &str) -> bool {
    let text = plain(bare);
    if !is_korean(&text)
        || is_question(&text)
        || ONCE.iter().any(|once| text.contains(once))
        || is_not_meant(&text)
    {
        return false;
    }
    let rule =
        ["규칙", "원칙", "금지", "방침", "말한거", "말했던", "했던말"].iter().any(|word| text.contains(word))
            && ["잊어", "취소", "무시", "없던", "필요없", "그만", "버려", "풀어", "해제", "철회"]
                .iter()
                .any(|word| text.contains(word));
    let by_now = ["이제", "다시", "더이상", "더는", "앞으로"].iter().any(|word| text.contains(word));
    let allowed = ["도돼", "도됩니다", "도된다", "도됨", "도괜찮", "도좋아", "필요없", "필요는없", "상관없"]
        .iter()
        .any(|word| text.contains(word));
    rule || (by_now && allowed)
        || ["없던걸로", "없던일로"].iter().any(|word| text.contains(word))
        || ["다시써도된", "다시사용해도"].iter().any(|word| text.contains(word))
}

pub(super) fn corrects(bare: &str) -> bool {
    let text = plain(bare);
    let starts =
        ["아니", "그게아니", "그거아니", "틀렸", "잘못했", "그렇게말고", "내말은", "그거말고", "노노", "땡"];
    is_korean(&text)
        && !is_question(&text)
        && starts.iter().any(|start| text.starts_with(start))
        && (wishes(&text) || text.contains("말고"))
}
