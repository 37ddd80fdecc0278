//! Sentences in which a no or a judgement stands where a reader does not expect it: nothing that is to stay may go. Same fields as in
//! `said`. And "everything" over several sessions.

use super::said::Said;

pub(crate) const EN: &[Said] = &[
    ("the captcha should not be undone", "0", ""),
    ("undoing the captcha would be wrong", "0", ""),
    ("the captcha is not to be undone, the discount is", "c", ""),
    ("undo the captcha? no!", "0", ""),
    ("the captcha must never be reverted", "0", ""),
    ("captcha and discount must not be rolled back", "0", ""),
    ("the captcha and the discount should stay", "0", ""),
    ("reverting the discount is a bad idea", "0", ""),
    ("it would be a mistake to undo the captcha", "0", ""),
    ("I wouldn't revert the discount", "0", ""),
    ("I would not undo the captcha", "0", ""),
    ("nothing should be undone", "0", ""),
    ("why undo the captcha?", "0", ""),
    ("who said to undo the captcha?", "0", ""),
    ("should I undo the captcha?", "0", ""),
    ("please avoid undoing the discount", "0", ""),
    ("under no circumstances undo the captcha", "0", ""),
    ("there is no reason to undo the captcha", "0", ""),
    ("the discount should be undone, the captcha shouldn't", "c", ""),
    ("undo the discount, the captcha rather not", "c", ""),
    ("nobody wants the captcha undone", "0", ""),
    ("I hate the thought of undoing the captcha", "0", ""),
    ("undo the captcha? never", "0", ""),
    ("undo requests 2 and 4", "ml", ""),
    ("undo requests 1, 3 and 5", "tdcs", ""),
    ("undo request 2 and request 4", "ml", ""),
    ("undo requests 2 to 4", "mcl", ""),
    ("keep requests 1 and 2, undo the rest", "cls", ""),
    ("undo every second request", "?", ""),
    ("undo every other request", "?", ""),
];
pub(crate) const KO: &[Said] = &[
    ("캡차를 되돌리는 건 안 돼", "0", ""),
    ("캡차는 되돌리면 곤란해", "0", ""),
    ("캡차를 되돌리는 건 잘못이야", "0", ""),
    ("캡차는 안 되돌렸으면 좋겠어", "0", ""),
    ("캡차를 되돌려? 안 돼!", "0", ""),
    ("할인을 취소하는 건 싫어", "0", ""),
    ("할인 취소는 하지 마세요", "0", ""),
    ("캡차를 되돌려서는 안 됩니다", "0", ""),
    ("왜 캡차를 되돌려?", "0", ""),
    ("요청 2와 4 취소해줘", "ml", ""),
    ("2번과 4번 요청을 취소해줘", "ml", ""),
];
pub(crate) const ZH: &[Said] = &[
    ("验证码不应该撤销", "0", ""),
    ("验证码不该被撤销", "0", ""),
    ("撤销验证码是错误的", "0", ""),
    ("撤销验证码？不！", "0", ""),
    ("千万别把验证码撤销", "0", ""),
    ("撤销折扣不合适", "0", ""),
    ("没有必要撤销折扣", "0", ""),
    ("为什么要撤销验证码？", "0", ""),
    ("如果撤销验证码就糟了", "0", ""),
    ("撤销请求2和4", "ml", ""),
    ("撤销请求2、4", "ml", ""),
];
pub(crate) const JA: &[Said] = &[
    ("キャプチャは戻すべきではない", "0", ""),
    ("キャプチャを戻したら困る", "0", ""),
    ("キャプチャを戻してはいけない", "0", ""),
    ("キャプチャを戻すのは間違いだ", "0", ""),
    ("キャプチャを戻すな", "0", ""),
    ("キャプチャを戻すのはやめて", "0", ""),
    ("キャプチャが戻されると困る", "0", ""),
    ("割引の取り消しは不要です", "0", ""),
    ("キャプチャを戻す？だめ！", "0", ""),
    ("割引を戻されたくない", "0", ""),
    ("依頼2と4を取り消して", "ml", ""),
    ("依頼2と依頼4を取り消して", "ml", ""),
];

/// A no that says what is wrong with something, and not what is to become of it: these are done.
pub(crate) const PLACED: &[(&str, Said)] = &[
    ("en", ("login is not working, undo the captcha", "l", "")),
    ("en", ("undo the captcha, it does not work", "l", "")),
    ("en", ("no, undo the captcha", "l", "")),
    ("en", ("nothing but the captcha should be undone", "l", "")),
    ("en", ("could you undo the captcha, please?", "l", "")),
    ("en", ("undo the captcha, not the discount", "l", "")),
    ("ko", ("캡차 되돌려줘. 로그인이 안 돼요", "l", "")),
    ("ko", ("캡차는 되돌리고 할인은 건드리지 마", "l", "")),
    ("zh", ("撤销验证码，不要撤销折扣", "l", "")),
    ("zh", ("能不能撤销验证码？", "l", "")),
    ("ja", ("キャプチャを戻していただけませんか", "l", "")),
    ("ja", ("キャプチャを戻して、割引は戻さないで", "l", "")),
];

/// Every request in a session of its own.
pub(crate) const APART: &[(&str, Said)] = &[
    ("en", ("undo everything", "tdmcls", "")),
    ("en", ("undo everything except the captcha", "tdmcs", "")),
    ("en", ("undo all but the last request", "tdmcl", "")),
    ("en", ("keep the search results, undo the rest", "tdmcl", "")),
    ("en", ("undo everything since 14:00", "ls", "n")),
    ("ko", ("검색만 빼고 다 되돌려", "tdmcl", "")),
    ("ko", ("전부 되돌려줘", "tdmcls", "")),
    ("zh", ("搜索留着，别的都不要了", "tdmcl", "")),
    ("zh", ("全部撤销", "tdmcls", "")),
    ("ja", ("検索以外は全部戻して", "tdmcl", "")),
    ("ja", ("全部戻して", "tdmcls", "")),
];
