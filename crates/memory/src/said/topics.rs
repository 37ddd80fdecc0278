//! What requests and rules are about, with their words in four languages.

/// A topic, its words in English (and names of tools), and its words in Korean, Japanese and Chinese; all separated by blanks.
pub(super) struct Topic {
    pub name: &'static str,
    pub words: &'static str,
    pub signs: &'static str,
}

/// Signs that are part of other words: a dialog is no log.
const WITHIN: &[(&str, &[&str])] = &[
    ("로그", &["로그인", "로그아웃", "블로그", "프로그", "카탈로그", "다이얼로그", "변경로그"]),
    ("ログ", &["ログイン", "ログアウト", "ブログ", "プログ", "カタログ", "ダイアログ"]),
    ("日志", &["更新日志", "变更日志"]),
    ("색", &["검색", "색인"]),
    ("色", &["特色", "角色"]),
    ("テスト", &["コンテスト"]),
    ("敬称", &["非敬称"]),
    ("キー", &["スキー", "クッキー"]),
    ("库", &["数据库", "仓库", "库存"]),
    ("字段", &["字段落"]),
    ("发布", &["发布说明"]),
    ("주소", &["주소창"]),
    ("电话", &["电话会议"]),
];

/// True if the text says the sign, and not only within another word.
pub(super) fn says(text: &str, sign: &str) -> bool {
    let Some((_, within)) = WITHIN.iter().find(|(known, _)| *known == sign) else {
        return text.contains(sign);
    };
    let mut text = text.to_owned();
    for word in *within {
        text = text.replace(word, " ");
    }
    text.contains(sign)
}

pub(super) const TOPICS: &[Topic] = &[
    Topic {
        name: "packages",
        words: "npm pnpm yarn bun npx pip poetry uv pipenv gem composer bundler dependency dependencies library libraries \
            package packages install installing upgrade lockfile lodash moment deps dep conda cargo-add \
            gradle maven nuget requirements vendor",
        signs: "의존성 라이브러리 패키지 설치 依存 ライブラリ パッケージ インストール 依赖 安装 第三方库 깔아 깔지 库 引入 \
            包管理 安装包 セットアップツール",
    },
    Topic {
        name: "tests",
        words: "test tests testing vitest jest mocha pytest unittest spec specs coverage fuzz mock mocks mocking fixture \
            fixtures testcase testcases snapshot snapshots unit-test unit-tests assertion assertions stub stubs",
        signs: "테스트 テスト 测试 単体テスト 用例",
    },
    Topic {
        name: "commits",
        words: "commit commits committing push pushing branch branches merge merging rebase main master amend commit-message \
            stash cherry-pick force-push",
        signs: "커밋 푸시 브랜치 コミット プッシュ ブランチ 提交 推送 分支 커밋메시지 병합 머지 マージ 合并",
    },
    Topic {
        name: "format",
        words: "lint linter linting eslint prettier biome format formatter formatting ruff black rustfmt clippy indent \
            indentation tabs spaces quotes semicolons",
        signs: "린트 포맷 들여쓰기 스페이스 リント フォーマット インデント 格式化 缩进 引号",
    },
    Topic {
        name: "database",
        words: "migration migrations schema database db sql postgres postgresql sqlite mysql prisma table tables column \
            columns query queries orm migrate migrating transaction transactions",
        signs: "마이그레이션 스키마 데이터베이스 테이블 マイグレーション スキーマ データベース テーブル 迁移 数据库 数据表 \
            컬럼 쿼리 트랜잭션 カラム クエリ 列を の列 列の ニックネーム列 トランザクション 查询语句 建表 表结构 字段 事务 \
            一张表 删除列 加列 改表 SQL查询 的列 个列",
    },
    Topic {
        name: "docs",
        words: "doc docs documentation readme guide tutorial docstring docstrings manual manuals howto wiki",
        signs: "문서 ドキュメント 文档 说明书 설명서 매뉴얼 マニュアル 手册 教程",
    },
    Topic { name: "comments", words: "comment comments commenting", signs: "주석 コメント 注释" },
    Topic {
        name: "types",
        words: "any type types typescript typed typing interface interfaces any-type annotations",
        signs: "타입 型 类型 인터페이스타입 型注釈 型定義",
    },
    Topic {
        name: "looks",
        words: "css style styles styling color colour colors colours button buttons component components tailwind inline theme \
            layout ui sidebar modal dialog responsive font fonts padding margin widget widgets dark-mode \
            animation animations",
        signs: "색 스타일 버튼 컴포넌트 スタイル ボタン コンポーネント 色 样式 按钮 组件 사이드바 글꼴 위젯 애니메이션 \
            サイドバー フォント ウィジェット アニメーション 字体 侧边栏 动画 颜色 卡片",
    },
    Topic {
        name: "logs",
        words: "log logs logging logger console log-level print println",
        signs: "로그 ログ 日志 로깅 ロギング 打印",
    },
    Topic {
        name: "money",
        words: "price prices pricing cents currency money amount amounts total totals tax discount discounts invoice invoices \
            billing payment-amount rounding",
        signs: "가격 센트 금액 할인 価格 セント 金額 割引 价格 金额 折扣 优惠 청구서 단가 요금 請求書 料金 值段 发票 单价 费用",
    },
    Topic {
        name: "deploy",
        words: "deploy deploys deployment deploying release releases releasing staging production prod rollout ship shipping \
            deployed kubernetes k8s helm",
        signs: "배포 운영 デプロイ 本番 部署 生产 发布 上线 출시 릴리스 リリース 发版",
    },
    Topic {
        name: "deleting",
        words: "delete deletes deleting remove removing",
        signs: "삭제 지우 削除 消す 删除",
    },
    Topic {
        name: "api",
        words: "api apis endpoint endpoints rest graphql route routes handler handlers openapi",
        signs: "엔드포인트 エンドポイント 接口 端点",
    },
    Topic {
        name: "naming",
        words: "name names naming rename renaming snake_case camelcase variable variables identifier",
        signs: "변수명 이름 変数名 命名 变量名",
    },
    Topic {
        name: "errors",
        words: "error errors exception exceptions retry retries throw catch panic unwrap panics exception-handling \
            crash-handling error-handling",
        signs: "에러 예외 エラー 例外 错误 异常 重试 오류처리 예외처리 パニック 报错处理 抛",
    },
    Topic {
        name: "dates",
        words: "date dates timezone utc moment dayjs date-fns luxon cron calendar",
        signs: "날짜 시간대 日付 タイムゾーン 日期 时区",
    },
    Topic {
        name: "languages",
        words: "translation translations translate i18n locale locales localization german french spanish korean-text",
        signs: "번역 翻訳 翻译 国际化 독일어 ドイツ語 德语 프랑스어 フランス語 法语 多言語 多语言",
    },
    Topic {
        name: "login",
        words: "auth login logout password passwords session sessions oauth jwt",
        signs: "로그인 비밀번호 ログイン パスワード 登录 密码",
    },
    Topic { name: "cache", words: "cache caches caching redis ttl", signs: "캐시 キャッシュ 缓存" },
    Topic {
        name: "secrets",
        words: "env .env secret secrets credential credentials api-key apikey api-keys token tokens key keys vault",
        signs: "환경변수 비밀키 環境変数 环境变量 密钥 api키 api키는 토큰 시크릿 キー トークン シークレット apiキー 令牌 密匙",
    },
    Topic { name: "http", words: "axios fetch http https ky", signs: "요청라이브러리 请求库" },
    Topic {
        name: "generated",
        words: "generated codegen dist gen",
        signs: "생성된 자동 생성 生成された 自动生成 生成的",
    },
    Topic {
        name: "images",
        words: "image images icon icons svg png thumbnail upload uploads",
        signs: "이미지 아이콘 画像 アイコン 图片 图标",
    },
    Topic { name: "search", words: "search searching filter filters ranking", signs: "검색 検索 搜索" },
    Topic {
        name: "mail",
        words: "email emails mail mails newsletter smtp",
        signs: "이메일 메일 メール 邮件 邮箱",
    },
    Topic {
        name: "speed",
        words: "performance slow faster latency benchmark profiling",
        signs: "성능 느려 性能 遅い 速度 优化",
    },
    Topic {
        name: "reviews",
        words: "pr prs pull-request pull-requests review reviews reviewer reviewers gh",
        signs: "풀리퀘 풀리퀘스트 리뷰 プルリク プルリクエスト レビュー 合并请求 评审 代码审查",
    },
    Topic {
        name: "changelog",
        words: "changelog release-notes",
        signs: "변경이력 변경로그 릴리스노트 변경내역 変更履歴 リリースノート 更新日志 变更日志 发布说明 更新记录",
    },
    Topic {
        name: "payments",
        words: "payment payments pay checkout refund refunds stripe paypal",
        signs: "결제 환불 지불 決済 返金 支払い 支付 退款 付款",
    },
    Topic {
        name: "containers",
        words: "docker dockerfile container containers podman compose image-size distroless alpine",
        signs: "도커 컨테이너 コンテナ 镜像 容器",
    },
    Topic {
        name: "config",
        words: "config configs configuration setting settings yaml toml",
        signs: "환경설정 설정파일 設定ファイル 配置",
    },
    Topic {
        name: "ci",
        words: "ci pipeline pipelines workflow workflows github-actions jenkins",
        signs: "파이프라인 パイプライン 流水线",
    },
    Topic {
        name: "concurrency",
        words: "async await thread threads threading goroutine goroutines lock locks mutex race concurrency",
        signs: "비동기 스레드 동시성 非同期 スレッド 並行 异步 线程 并发",
    },
    Topic {
        name: "forms",
        words: "form forms validation validate input inputs field fields",
        signs: "입력값 유효성 검증 入力欄 バリデーション 検証 表单 校验 输入框",
    },
    Topic {
        name: "jobs",
        words: "queue queues job jobs worker workers scheduler cron background",
        signs: "작업큐 스케줄러 워커 ジョブ キュー ワーカー 队列 定时任务 后台任务",
    },
    Topic {
        name: "accessibility",
        words: "accessibility a11y aria alt-text",
        signs: "접근성 アクセシビリティ 无障碍",
    },
    Topic {
        name: "notifications",
        words: "notification notifications push-notification reminder reminders alert alerts",
        signs: "알림 푸시알림 通知 リマインダー 提醒",
    },
    Topic { name: "stock", words: "stock inventory warehouse", signs: "재고 在庫 库存" },
    Topic {
        name: "bookings",
        words: "booking bookings reservation reservations",
        signs: "예약 予約 预订 预约",
    },
    Topic {
        name: "orders",
        words: "order orders cart carts basket",
        signs: "주문 장바구니 注文 カート 订单 购物车",
    },
    Topic {
        name: "customers",
        words: "customer customers guest guests account accounts profile",
        signs: "고객 손님 회원 顧客 ゲスト 会員 客户 客人 会员",
    },
    Topic {
        name: "personal",
        words: "phone phones address addresses pii personal-data privacy email-address",
        signs: "전화번호 주소 개인정보 電話番号 住所 個人情報 电话 手机号 地址 个人信息 隐私",
    },
    Topic {
        name: "security",
        words: "security xss csrf injection sanitize escape permission permissions",
        signs: "보안 セキュリティ 安全性 漏洞",
    },
    Topic {
        name: "reports",
        words: "report reports dashboard dashboards chart charts analytics",
        signs: "보고서 대시보드 차트 レポート ダッシュボード グラフ 报表 周报 图表",
    },
    Topic {
        name: "files",
        words: "upload uploads download downloads csv pdf attachment attachments",
        signs: "업로드 다운로드 첨부 アップロード ダウンロード 添付 上传 下载 附件",
    },
    Topic {
        name: "imports",
        words: "importer importing import exporter export",
        signs: "가져오기 내보내기 インポート エクスポート 导入 导出",
    },
    Topic {
        name: "mobile",
        words: "android ios mobile flutter react-native",
        signs: "모바일 안드로이드 モバイル 移动端",
    },
    Topic { name: "maps", words: "map maps geolocation", signs: "지도 地図 地图" },
    Topic {
        name: "time", words: "duration interval timeout timeouts", signs: "타임아웃 タイムアウト 超时"
    },
    Topic {
        name: "ids",
        words: "uuid uuids id ids identifier identifiers primary-key",
        signs: "식별자 識別子 主键",
    },
    Topic {
        name: "folders",
        words: "folder folders directory directories structure layout-of-files",
        signs: "폴더 디렉터리 디렉토리 フォルダ ディレクトリ 目录 文件夹",
    },
    Topic {
        name: "build",
        words: "build builds bundle bundling compile compiler webpack vite",
        signs: "빌드 컴파일 ビルド コンパイル 构建 编译 打包",
    },
];
