//! "되돌려줘", "방금 한 거 취소해 주세요", "계속해". Spaces are written as people like, so they are taken out first.

use super::slots::Slot::{Few, Maybe, One};
use super::slots::{Slot, fits_any};

/// Letters only.
fn plain(prompt: &str) -> String {
    prompt.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

const BEFORE: &[&str] = &[
    "아니야",
    "아니",
    "아",
    "어",
    "음",
    "앗",
    "오",
    "잠깐만요",
    "잠깐만",
    "잠깐",
    "저기",
    "제발",
    "혹시",
    "미안한데",
    "미안하지만",
    "미안",
    "죄송한데",
    "죄송하지만",
    "그냥",
    "좀",
    "이제",
    "지금",
    "그럼",
    "일단",
    "빨리",
    "얼른",
    "다시",
    "안되네",
    "안돼",
    "망가졌어",
    "틀렸어",
    "잘못됐어",
    "잘못했어",
    "이상해",
    "응",
    "네",
    "좋아",
];

const AFTER: &[&str] = &[
    "부탁해요",
    "부탁해",
    "부탁드려요",
    "부탁드립니다",
    "부탁합니다",
    "고마워요",
    "고마워",
    "감사합니다",
    "제발",
    "지금",
    "당장",
    "빨리",
];

const YOU: &[&str] = &["네가", "니가", "너가", "당신이", "ai가"];

const WHEN: &[&str] = &[
    "방금전에",
    "방금",
    "아까",
    "마지막으로",
    "마지막",
    "최근",
    "직전",
    "이번에",
    "이번",
    "조금전에",
    "금방",
];

/// What was done: complete only after "just now" or "you".
const DONE: &[&str] = &[
    "거",
    "것",
    "건",
    "꺼",
    "걸",
    "한거",
    "한것",
    "한걸",
    "한일",
    "한건",
    "했던거",
    "했던것",
    "바꾼거",
    "바꾼것",
    "바꾼걸",
    "바꾼부분",
    "고친거",
    "고친것",
    "고친걸",
    "만든거",
    "만든것",
    "작성한거",
    "작성한것",
    "건드린거",
    "건드린것",
    "변경한거",
    "변경한것",
    "변경한걸",
    "변경한내용",
    "수정한거",
    "수정한것",
    "수정한걸",
    "수정한내용",
    "작업한거",
    "작업한것",
    "작업한걸",
    "편집한거",
    "편집한것",
    "한작업",
    "한변경",
    "한수정",
    "한편집",
    "동작",
    "턴",
    "요청",
    "단계",
];

/// What was done, by a name of its own.
const CHANGE: &[&str] = &[
    "변경사항들",
    "변경사항",
    "변경내용",
    "변경점",
    "변경들",
    "변경",
    "수정사항",
    "수정내용",
    "수정",
    "작업내용",
    "작업",
    "편집내용",
    "편집",
];

const THAT: &[&str] = &["그거", "그것", "그걸", "이거", "이것", "이걸", "저거", "저것", "저걸"];

/// "Only this" (만) and "also this" (도) are not here: that is for the agent.
const PARTICLE: &[&str] = &["을", "를", "은", "는"];

const HOW: &[&str] = &["좀", "다시", "그냥", "빨리", "얼른", "바로", "다", "전부", "모두", "싹"];

const TO_BEFORE: &[&str] = &[
    "원래대로",
    "원래상태로",
    "원상태로",
    "이전으로",
    "이전상태로",
    "전으로",
    "전상태로",
    "예전대로",
    "예전으로",
    "처음대로",
];

/// The verbs whose plain word is already a wish.
const TURN_BACK: &[&str] =
    &["되돌려", "되돌려놔", "되돌려놓아", "돌려놔", "돌려놓아", "원복해", "롤백해", "실행취소해"];
const TURN_BACK_BARE: &[&str] = &[
    "되돌리기",
    "되돌리자",
    "되돌립시다",
    "되돌릴래",
    "되돌릴수있어",
    "되돌릴수있어요",
    "되돌릴수있나요",
    "되돌릴수있을까",
    "되돌릴수있을까요",
    "원복",
    "원복하자",
    "롤백",
    "롤백하자",
    "실행취소",
];

/// The verbs that need to be told what: one can cancel anything.
const CANCEL: &[&str] = &["취소해", "무효로해", "복구해", "복원해"];
const CANCEL_BARE: &[&str] =
    &["취소", "취소하자", "취소할래", "취소할수있어", "취소할수있어요", "취소할수있나요", "취소합시다"];

/// With "as it was before", "do" and "make" will do.
const MAKE: &[&str] =
    &["해", "해놔", "돌려", "돌려놔", "되돌려", "되돌려놔", "만들어", "복구해", "복원해", "바꿔", "고쳐"];

const PLEASE: &[&str] = &[
    "줘",
    "줘요",
    "주세요",
    "주라",
    "줄래",
    "줄래요",
    "주실래요",
    "줄수있어",
    "줄수있어요",
    "줄수있니",
    "줄수있나",
    "줄수있나요",
    "줄수있을까",
    "줄수있을까요",
    "줄수있겠니",
    "주실수있나요",
    "주실수있어요",
    "주실수있을까요",
    "주실수있으세요",
    "주시겠어요",
    "주겠니",
    "주겠어",
    "주십시오",
    "주시면좋겠어요",
    "주면좋겠어",
    "주면좋겠어요",
    "주면안될까",
    "주면안돼",
    "라",
    "봐",
    "봐줘",
    "봐요",
    "요",
];

const BACK: &[&[Slot]] = &[
    // With or without what, and where to: 되돌려줘, 방금 한 거 되돌려줘, 이전으로 되돌려줘
    &[Few(BEFORE), Maybe(TO_BEFORE), Few(HOW), One(TURN_BACK), Maybe(PLEASE), Few(AFTER)],
    &[Few(BEFORE), Few(HOW), One(TURN_BACK_BARE), Few(AFTER)],
    &[Few(BEFORE), One(TO_BEFORE), Few(HOW), One(MAKE), Maybe(PLEASE), Few(AFTER)],
    &[
        Few(BEFORE),
        One(THAT),
        Maybe(PARTICLE),
        Maybe(TO_BEFORE),
        Few(HOW),
        One(TURN_BACK),
        Maybe(PLEASE),
        Few(AFTER),
    ],
    &[Few(BEFORE), One(THAT), Maybe(PARTICLE), Few(HOW), One(CANCEL), Maybe(PLEASE), Few(AFTER)],
    &[
        Few(BEFORE),
        One(THAT),
        Maybe(PARTICLE),
        One(TO_BEFORE),
        Few(HOW),
        One(MAKE),
        Maybe(PLEASE),
        Few(AFTER),
    ],
    &[
        Few(BEFORE),
        Maybe(YOU),
        One(WHEN),
        Maybe(YOU),
        One(DONE),
        Maybe(PARTICLE),
        Maybe(TO_BEFORE),
        Few(HOW),
        One(TURN_BACK),
        Maybe(PLEASE),
        Few(AFTER),
    ],
    &[
        Few(BEFORE),
        Maybe(YOU),
        One(WHEN),
        Maybe(YOU),
        One(DONE),
        Maybe(PARTICLE),
        Few(HOW),
        One(CANCEL),
        Maybe(PLEASE),
        Few(AFTER),
    ],
    &[
        Few(BEFORE),
        Maybe(YOU),
        One(WHEN),
        Maybe(YOU),
        One(DONE),
        Maybe(PARTICLE),
        One(TO_BEFORE),
        Few(HOW),
        One(MAKE),
        Maybe(PLEASE),
        Few(AFTER),
    ],
    &[
        Few(BEFORE),
        Maybe(YOU),
        One(WHEN),
        Maybe(YOU),
        One(DONE),
        Maybe(PARTICLE),
        Few(HOW),
        One(CANCEL_BARE),
        Few(AFTER),
    ],
    &[
        Few(BEFORE),
        Maybe(YOU),
        One(WHEN),
        Maybe(YOU),
        One(DONE),
        Maybe(PARTICLE),
        Few(HOW),
        One(TURN_BACK_BARE),
        Few(AFTER),
    ],
    &[Few(BEFORE), One(YOU), One(DONE), Maybe(PARTICLE), Few(HOW), One(TURN_BACK), Maybe(PLEASE), Few(AFTER)],
    &[Few(BEFORE), One(YOU), One(DONE), Maybe(PARTICLE), Few(HOW), One(CANCEL), Maybe(PLEASE), Few(AFTER)],
    &[
        Few(BEFORE),
        Maybe(WHEN),
        One(CHANGE),
        Maybe(PARTICLE),
        Maybe(TO_BEFORE),
        Few(HOW),
        One(TURN_BACK),
        Maybe(PLEASE),
        Few(AFTER),
    ],
    &[Few(BEFORE), Maybe(WHEN), One(CHANGE), Maybe(PARTICLE), Few(HOW), One(TURN_BACK_BARE), Few(AFTER)],
    &[Few(BEFORE), One(WHEN), One(CHANGE), Maybe(PARTICLE), Few(HOW), One(CANCEL), Maybe(PLEASE), Few(AFTER)],
    &[Few(BEFORE), One(WHEN), One(CHANGE), Maybe(PARTICLE), Few(HOW), One(CANCEL_BARE), Few(AFTER)],
];

const ON: &[&[Slot]] = &[&[
    Few(BEFORE),
    One(&[
        "계속",
        "계속해",
        "계속하세요",
        "계속하자",
        "계속가",
        "계속가자",
        "계속진행",
        "계속진행해",
        "계속진행하세요",
        "진행해",
        "진행하세요",
        "이어서해",
        "이어서계속해",
        "이어서진행해",
        "계속해도돼",
        "계속해도돼요",
        "계속해도됩니다",
        "계속하십시오",
    ]),
    Maybe(PLEASE),
    Few(AFTER),
]];

/// The person wants back what was before the last request.
pub(super) fn asks_back(prompt: &str) -> bool {
    fits_any(&plain(prompt), BACK)
}

/// The person lets the agent go on.
pub(super) fn lets_go_on(prompt: &str) -> bool {
    fits_any(&plain(prompt), ON)
}
