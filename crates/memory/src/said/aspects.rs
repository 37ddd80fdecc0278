//! How something is done, with its words in four languages: finer than a topic. What is said of one of these again is said of the same thing,
//! in whatever language; agents are not told of a rule for this alone.

use super::topics::Topic;

pub(super) const ASPECTS: &[Topic] = &[
    Topic {
        name: "emoji",
        words: "emoji emojis emoticon emoticons",
        signs: "이모지 이모티콘 絵文字 表情符号 表情",
    },
    Topic { name: "draft", words: "draft drafts", signs: "초안 드래프트 ドラフト 草稿" },
    Topic {
        name: "snapshot", words: "snapshot snapshots", signs: "스냅샷 スナップショット 快照"
    },
    Topic {
        name: "table-driven",
        words: "table-driven table-based parametrized parameterized",
        signs: "테이블방식 테이블드리븐 テーブル駆動 表驱动",
    },
    Topic {
        name: "asking",
        words: "ask asks asking okay approval approve permission confirm confirmation consent sign-off go-ahead",
        signs: "물어 허락 승인 동의 확인받 여쭤 聞いて 聞かな 先に聞 許可 承認 了承 同意 问我 先问 批准 允许 经过我",
    },
    Topic {
        name: "unclear",
        words: "unclear ambiguous unsure uncertain guess guessing",
        signs: "모호 애매 불명확 확실하지 あいまい 曖昧 不明 確信 不清楚 不明确 模糊 不确定",
    },
    Topic {
        name: "answers",
        words: "answer answers reply replies response responses",
        signs: "답은 답변 대답 返事 回答 返答 答复 回复",
    },
    Topic {
        name: "plan",
        words: "plan plans explain explanation explaining",
        signs: "계획 설명 計画 説明 计划 说明",
    },
    Topic {
        name: "mock", words: "mock mocks mocking stub stubs", signs: "목으로 모킹 モック 模拟"
    },
    Topic { name: "inline", words: "inline", signs: "인라인 インライン 内联" },
    Topic {
        name: "force-push",
        words: "force-push force-pushing force",
        signs: "강제푸시 強制プッシュ 强制推送",
    },
    Topic {
        name: "default-export",
        words: "default-export default-exports",
        signs: "기본내보내기 デフォルトエクスポート 默认导出",
    },
    Topic {
        name: "dropping",
        words: "drop drops dropping delete deleting remove removing",
        signs: "삭제 지우 削除 消す 删除 删掉",
    },
    Topic { name: "phone", words: "phone phones", signs: "전화 電話 电话 手机" },
    Topic { name: "password", words: "password passwords", signs: "비밀번호 パスワード 密码" },
    Topic {
        name: "username",
        words: "username usernames user-name user-names",
        signs: "사용자이름 유저명 ユーザー名 用户名",
    },
    Topic { name: "comment", words: "comment comments", signs: "주석 コメント 注释" },
    Topic { name: "tense", words: "tense", signs: "시제 時制 时态" },
    Topic {
        name: "language-of",
        words: "english korean japanese chinese german french spanish",
        signs: "영어 한국어 일본어 중국어 독일어 英語 韓国語 日本語 中国語 ドイツ語 英文 中文 韩文 日文 德语",
    },
    Topic { name: "unwrap", words: "unwrap panic", signs: "언랩" },
    Topic {
        name: "concatenation",
        words: "concatenation concatenate concatenating interpolation",
        signs: "이어붙이 連結 拼接",
    },
    Topic {
        name: "hardcode",
        words: "hardcode hardcoded hardcoding hard-code",
        signs: "하드코딩 ハードコード 写死 硬编码",
    },
    Topic { name: "mask", words: "mask masking masked redact", signs: "마스킹 マスク 脱敏" },
    Topic {
        name: "cache-time",
        words: "ttl expiry expiration",
        signs: "유효시간 有効期限 缓存时间 过期时间",
    },
    Topic { name: "line-length", words: "lines length line-length", signs: "줄 행수 行数" },
    Topic { name: "timezone", words: "timezone timezones utc", signs: "시간대 タイムゾーン 时区" },
    Topic {
        name: "changelog", words: "changelog release-notes", signs: "변경이력 変更履歴 更新日志"
    },
    Topic {
        name: "jargon",
        words: "jargon plain beginner beginners",
        signs: "쉬운말 전문용어 초보자 やさしい言葉 専門用語 初心者 大白话 初学者 术语",
    },
    Topic { name: "any-type", words: "any", signs: "any타입" },
    Topic {
        name: "console", words: "console.log console print println", signs: "콘솔 コンソール 控制台"
    },
    Topic { name: "semicolon", words: "semicolon semicolons", signs: "세미콜론 セミコロン 分号" },
    Topic { name: "quotes", words: "quotes quote-style", signs: "따옴표 引用符 クォート 引号" },
    Topic { name: "trailing", words: "trailing-comma trailing-commas", signs: "" },
    Topic { name: "todo", words: "todo todos", signs: "" },
    Topic { name: "global", words: "global globals singleton", signs: "전역 グローバル 全局" },
    Topic {
        name: "magic", words: "magic-number magic-numbers", signs: "매직넘버 マジックナンバー 魔法数"
    },
    Topic { name: "retry", words: "retry retries", signs: "재시도 リトライ 再試行 重试" },
    Topic { name: "backup", words: "backup backups", signs: "백업 バックアップ 备份" },
    Topic {
        name: "weekend",
        words: "friday fridays weekend weekends monday",
        signs: "금요일 주말 월요일 金曜 週末 月曜 周五 周末 周一",
    },
    Topic {
        name: "dependency",
        words: "dependency dependencies library libraries",
        signs: "의존성 라이브러리 依存 ライブラリ 依赖 第三方库",
    },
    Topic {
        name: "test-first", words: "test-first tdd", signs: "테스트먼저 テスト駆動 先写测试"
    },
    Topic { name: "sign-commits", words: "sign-off signed signing", signs: "서명 署名 签名" },
    Topic { name: "merge", words: "merge merging", signs: "머지 병합 マージ 合并" },
    Topic { name: "feature-flag", words: "feature-flag flag flags", signs: "플래그 フラグ 开关" },
    Topic {
        name: "abbreviation",
        words: "abbreviation abbreviations abbreviate",
        signs: "약어 줄임말 略語 缩写",
    },
    Topic {
        name: "docstring",
        words: "docstring docstrings jsdoc",
        signs: "독스트링 ドックストリング 文档注释",
    },
    Topic { name: "recursion", words: "recursion recursive", signs: "재귀 再帰 递归" },
    Topic { name: "orm", words: "orm raw-sql", signs: "" },
    Topic { name: "staging", words: "staging", signs: "스테이징 ステージング 预发" },
    Topic { name: "production", words: "production prod", signs: "운영 프로덕션 本番 生产" },
    Topic { name: "review", words: "review reviews reviewer", signs: "리뷰 レビュー 评审 审查" },
];
