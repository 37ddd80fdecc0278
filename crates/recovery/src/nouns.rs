//! What things are called: a person says 购物车 or "the styles", and the file is called `cart.css`.

use crate::paths;

/// Words of paths, and what people say for them.
#[rustfmt::skip]
const NOUNS: &[(&[&str], &[&str])] = &[
    (&["css", "scss", "sass", "less", "style", "styles", "stylesheet", "theme"], &["style", "styling", "stylesheet", "css", "스타일", "디자인", "样式", "スタイル"]),
    (&["test", "tests", "spec", "specs"], &["test", "spec", "테스트", "测试", "テスト"]),
    (&["locale", "locales", "i18n", "l10n", "lang", "langs", "translations", "messages", "po"], &["translation", "번역", "翻译", "翻訳", "訳"]),
    (&["ja", "jp", "japanese"], &["japanese", "일본어", "日语", "日本語"]),
    (&["ko", "kr", "korean"], &["korean", "한국어", "韩语", "韓国語"]),
    (&["zh", "cn", "chinese"], &["chinese", "중국어", "中文", "中国語"]),
    (&["en", "english"], &["english", "영어", "英语", "英語"]),
    (&["de", "german"], &["german", "독일어", "德语", "ドイツ語"]),
    (&["fr", "french"], &["french", "프랑스어", "法语", "フランス語"]),
    (&["png", "jpg", "jpeg", "gif", "svg", "webp", "img", "image", "images", "pictures", "photos", "assets"], &["image", "picture", "photo", "이미지", "그림", "사진", "图片", "照片", "画像", "写真"]),
    (&["icon", "icons", "ico", "favicon"], &["icon", "아이콘", "图标", "アイコン"]),
    (&["font", "fonts", "woff", "woff2", "ttf", "otf"], &["font", "글꼴", "폰트", "字体", "フォント"]),
    (&["dark", "darkmode", "theme", "themes"], &["다크 모드", "다크모드", "深色模式", "暗色模式", "夜间模式", "ダークモード"]),
    (&["discount", "coupon", "discounts", "coupons"], &["할인", "쿠폰", "折扣", "优惠", "割引", "クーポン"]),
    (&["captcha"], &["캡차", "验证码", "キャプチャ"]),
    (&["logo"], &["logo", "로고", "标志", "ロゴ"]),
    (&["migration", "migrations"], &["migration", "마이그레이션", "迁移", "マイグレーション"]),
    (&["db", "database", "sqlite", "sqlite3", "sql"], &["database", "데이터베이스", "디비", "数据库", "データベース"]),
    (&["config", "settings", "conf", "options"], &["config", "setting", "설정", "配置", "设置", "設定"]),
    (&["readme", "docs", "doc", "documentation", "manual", "handbook"], &["documentation", "docs", "문서", "文档", "ドキュメント", "説明書"]),
    (&["ipynb", "notebook", "notebooks"], &["notebook", "노트북", "笔记本", "ノートブック"]),
    (&["cart", "basket"], &["cart", "장바구니", "购物车", "カート"]),
    (&["user", "users", "account", "accounts"], &["user", "사용자", "유저", "用户", "ユーザー"]),
    (&["customer", "customers", "client", "clients"], &["customer", "고객", "客户", "顧客"]),
    (&["order", "orders"], &["order", "주문", "订单", "注文"]),
    (&["pay", "payment", "payments", "billing", "checkout"], &["payment", "결제", "支付", "付款", "決済", "支払"]),
    (&["invoice", "invoices"], &["invoice", "송장", "청구서", "发票", "請求書"]),
    (&["product", "products", "goods", "items"], &["product", "상품", "제품", "商品", "产品"]),
    (&["login", "signin", "auth"], &["login", "log-in", "로그인", "登录", "ログイン"]),
    (&["mail", "email", "mails"], &["mail", "메일", "邮件", "メール"]),
    (&["search"], &["search", "검색", "搜索", "検索"]),
    (&["menu", "nav", "navigation", "navbar"], &["menu", "navigation", "메뉴", "菜单", "メニュー"]),
    (&["header"], &["header", "헤더", "页眉", "ヘッダー"]),
    (&["footer"], &["footer", "푸터", "页脚", "フッター"]),
    (&["button", "buttons"], &["button", "버튼", "按钮", "ボタン"]),
    (&["form", "forms"], &["form", "양식", "폼", "表单", "フォーム"]),
    (&["table", "tables"], &["table", "표", "表格", "テーブル"]),
    (&["route", "routes", "router", "routing"], &["route", "라우트", "라우팅", "路由", "ルート"]),
    (&["report", "reports"], &["report", "보고서", "리포트", "报告", "报表", "レポート", "報告"]),
    (&["schema", "schemas"], &["schema", "스키마", "模式", "スキーマ"]),
    (&["script", "scripts", "sh", "bat", "ps1"], &["script", "스크립트", "脚本", "スクリプト"]),
    (&["note", "notes", "memo", "memos"], &["note", "memo", "메모", "笔记", "メモ"]),
    (&["recipe", "recipes"], &["recipe", "레시피", "食谱", "レシピ"]),
    (&["price", "prices", "pricing"], &["price", "가격", "价格", "価格", "値段"]),
    (&["data", "csv", "tsv", "dataset", "datasets"], &["data", "데이터", "数据", "データ"]),
    (&["log", "logs"], &["log", "로그", "日志", "ログ"]),
    (&["profile", "profiles"], &["profile", "프로필", "个人资料", "プロフィール"]),
    (&["comment", "comments"], &["comment", "댓글", "评论", "コメント"]),
    (&["calendar"], &["calendar", "달력", "캘린더", "日历", "カレンダー"]),
    (&["level", "levels", "map", "maps"], &["level", "레벨", "关卡", "レベル"]),
    (&["sound", "sounds", "audio", "mp3", "wav", "ogg", "music"], &["sound", "music", "소리", "음악", "声音", "音乐", "音声", "音楽"]),
    (&["video", "videos", "mp4"], &["video", "영상", "비디오", "视频", "動画"]),
    (&["template", "templates", "html"], &["template", "템플릿", "模板", "テンプレート"]),
    (&["key", "keys", "env", "secrets"], &["env", "환경 변수", "环境变量", "環境変数"]),
];

/// How many things of the text this path is called after.
pub(crate) fn named_in(text: &str, path: &str) -> usize {
    let parts = paths::words(path);
    nouns_of(text).filter(|of_path| of_path.iter().any(|word| parts.iter().any(|part| part == word))).count()
}

/// How many things it speaks of that have a name here.
pub(crate) fn said(text: &str) -> usize {
    nouns_of(text).count()
}

fn nouns_of(text: &str) -> impl Iterator<Item = &'static [&'static str]> {
    let text = text.to_lowercase();
    let said = paths::words(&text);
    NOUNS
        .iter()
        .filter(move |(_, names)| {
            names.iter().any(|name| {
                if name.is_ascii() {
                    said.iter().any(|word| paths::same_word(word, name))
                } else {
                    text.contains(name)
                }
            })
        })
        .map(|(of_path, _)| *of_path)
}

#[cfg(test)]
mod tests {
    use super::named_in;

    #[test]
    fn a_file_is_found_by_what_people_call_it() {
        assert_eq!(named_in("购物车的样式", "src/cart.css"), 2);
        assert_eq!(named_in("日本語の翻訳", "locales/ja.json"), 2);
        assert_eq!(named_in("고객 데이터", "data/customers.csv"), 2);
        assert_eq!(named_in("the fonts", "fonts/inter-400.woff2"), 1);
        assert_eq!(named_in("the styles", "src/cart.js"), 0);
    }
}
