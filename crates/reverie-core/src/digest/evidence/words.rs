//! Words that tell a name or a number from other words.

/// The words of a list.
pub(super) fn each(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split_whitespace()
}

/// Whether one of the words of a list is this one.
pub(super) fn is_one_of(list: &'static str, word: &str) -> bool {
    phrases(list).any(|known| known == word)
}

/// The entries of a list with commas, in which there may be blanks.
pub(in crate::digest) fn phrases(list: &'static str) -> impl Iterator<Item = &'static str> + Clone {
    list.split(", ")
}

/// The words of a list of numbers, and what they mean.
pub(super) fn numbered(list: &'static str) -> impl Iterator<Item = (&'static str, f64)> {
    each(list).filter_map(|entry| {
        let (word, value) = entry.split_once('=')?;
        Some((word, value.parse().ok()?))
    })
}

/// What is counted: behind a numeral of one character they make it a number.
pub(super) const MEASURES: &str = "
    个 個 天 年 月 日 号 號 岁 歲 歳 人 次 只 隻 条 條 本 块 塊 元 円 点 點 時 时 小时 小時 分钟 分鐘 分 秒 周 週 星期
    礼拜 倍 家 件 把 首 座 层 層 楼 樓 位 匹 杯 瓶 名 头 頭 公里 米 斤 里 张 張 辆 輛 场 場 封 颗 顆 双 雙 套 门 門 份
    枚 台 棟 回 度 階 冊 羽 つ ヶ か月 か所 週間 日間 年間 時間 歩 段 句 遍 趟 朵 棵 支 枝 箱 袋 桶 碗 口 间 間";

/// Numerals in them count nothing.
pub(super) const NO_NUMBERS: &str = "
    二度と 一度 一回 万一 千万 千萬 万分
    四处 四處 四周 三番 两口子 三角 二手 二胡 八卦 七夕 一日中 一人 一生 一件 一時 一段 一家 万年 百年 千年 三明治
    四季 五官 八百屋 十字 三国 二次元 三三两两 三心二意 七上八下 乱七八糟 五颜六色 四面八方 一五一十 七嘴八舌 一清二楚
    三天两头 千方百计 千里迢迢 三言两语 两面 一心一意 三姑六婆 八成 十足 一二 一本正经 一口气 一口";

pub(super) const KANA_NUMBERS: &str = "
    ふたつ=2 みっつ=3 よっつ=4 いつつ=5 むっつ=6 ななつ=7 やっつ=8 ここのつ=9 はたち=20 ふたり=2";

pub(super) const ENGLISH_NUMBERS: &str = "
    zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 fourteen=14
    fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60
    seventy=70 eighty=80 ninety=90 dozen=12 hundred=100 thousand=1000 million=1000000 billion=1000000000";

pub(super) const ENGLISH_ORDINALS: &str = "
    once=1 twice=2 first=1 second=2 third=3 fourth=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 tenth=10 eleventh=11
    twelfth=12 thirteenth=13 fourteenth=14 fifteenth=15 sixteenth=16 seventeenth=17 eighteenth=18 nineteenth=19
    twentieth=20 thirtieth=30";

/// Family names whose character hardly ever is a word by itself.
pub(super) const SURE_SURNAMES: &str = "王李张刘陈杨赵吴徐孙朱郭郑宋韩冯邓曹彭萧蔡潘袁董吕魏蒋杜沈姚卢傅崔谭廖贾邱侯邹孟秦尹薛闫郝邵龚赖覃倪詹聂殷葛缪瞿戚裴翟岑窦霍甄祁柯俞翁庞樊阮佟隋冼骆褚阎黎耿牟蔺欧聶張劉陳楊趙吳孫鄭韓馮鄧蕭呂蔣盧賈鄒閻龔賴";

/// Family names that are words as well: only what stands around tells.
pub(super) const OTHER_SURNAMES: &str = "高林马何罗梁唐黄叶苏丁余于白田石金方江夏钟汪陆范顾洪胡曾任肖程谢许周段雷龙史陶毛康钱汤易武乔贺文安常温古齐柳花路严华尚简纪曲关季童凌卓尤莫巫蓝童馬羅黃葉蘇鐘陸範顧謝許錢湯喬賀溫齊嚴華紀關";

pub(super) const DOUBLE_SURNAMES: &str = "
    欧阳 司马 上官 诸葛 慕容 司徒 夏侯 皇甫 尉迟 公孙 令狐 南宫 端木 宇文 长孙 歐陽 司馬 諸葛";

/// What follows a name and is none of it.
pub(super) const BEHIND_NAMES: &str = "的了是在和与跟同有去来到说想要会能把被给对也都就很爱住从向教送买卖做当让叫问答告约吃喝看听讲借还带找帮救打骂养种写读学玩等爬跑走飞开关，。！？、；：（）“”《》—… ";

/// Behind a family name or a name.
pub(super) const TITLES: &str = "
    先生 女士 小姐 太太 夫人 老师 老師 医生 醫生 大夫 师傅 師傅 教授 博士 经理 總監 总监 主任 老板 队长 隊長 同学 叔叔
    阿姨 大爷 大妈 大叔 伯伯 姑娘 公子 将军 將軍 大人 殿下 警官 律师 导演";

/// Before a name; what follows is looked at closely.
pub(super) const CUES: &str = "
    认识了 认识 認識了 認識 遇到了 遇到 遇见了 遇见 碰到了 碰到 见到了 见到 嫁给了 嫁给 娶了 爱上了 爱上 暗恋 喜欢上了
    拜访了 拜访 想念 朋友 同事 同学 同桌 室友 邻居 妹妹 姐姐 哥哥 弟弟 女儿 儿子 妻子 丈夫 老婆 老公 男友 女友 妈妈
    爸爸 上司 师父 徒弟 和 跟 与 與 陪 叫 给 向 对 被 找 帮";

/// What follows is a name, whatever it looks like.
pub(super) const NAMING: &str = "
    名叫 名为 名為 叫做 叫作 取名叫 取名为 取名 起名叫 起名 改名叫 改名为 改名 名字是 名字叫 外号是 外号叫 绰号是
    绰号叫 昵称是";

pub(super) const GIVEN_NAMES: &str = "
    志强 建国 建华 国强 秀英 桂英 玉兰 丽华 雅婷 婷婷 子涵 梓涵 浩然 宇轩 欣怡 诗涵 思远 明轩 俊杰 志明 美玲 淑芬 家豪
    怡君 雅琪 晓明 晓红 小明 小红 小丽 小芳 小刚 小强 小华 小美 阿强 阿珍 阿明 阿花 春花 翠花 铁柱 狗蛋 莉莉 娜娜 玲玲
    丽丽 露露 琪琪 佳佳 思思 萌萌 强强 明明白 子轩 一诺 若曦 雨桐 语嫣 灵儿 志玲 志远 文静 晓东 海涛 建军 卫国 国栋
    丹丹 圆圆 朵朵 豆豆 太郎 次郎 花子 健太 翔太 大輔 拓也 直樹 美咲 陽菜 結衣 愛子 恵子 由美 真由美 裕子 洋子 健一
    浩二 一郎 三郎 和也 達也 大翔 蓮太 悠斗 美香 優子 明美 直子 智子 麻衣 彩花 千尋 小百合";

/// Characters with which Chinese writes foreign names.
pub(super) const FOREIGN: &str = "艾阿巴贝伯布达德迪尔菲弗盖戈赫霍基吉杰卡凯科克拉莱兰劳雷莉丽琳卢鲁露伦罗洛玛麦曼梅莫纳娜奈尼妮诺帕佩皮普奇乔琼萨塞莎珊史斯丝苏索塔泰汤特托瓦威韦维沃伍希肖辛雅亚伊依尤约泽詹珍兹姆茜蒂朵薇黛";

/// Made of such characters, and yet no names.
pub(super) const SOUND_FOREIGN: &str = "
    奇特 珍奇 希奇 科普 依托 吉普 特约 迪斯科 皮卡 托福 约莫 莫斯科 拉面 普拉 布丁 卡拉 维基 伊斯";

pub(super) const JAPANESE_SURNAMES: &str = "
    佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 斎藤 斉藤 山崎 池田
    橋本 阿部 石川 山下 中島 石井 小川 前田 岡田 長谷川 藤田 後藤 近藤 村上 遠藤 坂本 福田 太田 西村 藤井 岡本 藤原
    中野 原田 中川 松田 竹内 小野 田村 中山 和田 石田 森田 上田 内田 柴田 酒井 宮崎 横山 安藤 宮本 工藤 谷口 今井 高田
    増田 丸山 杉山 村田 大塚 新井 藤本 小山 河野 野口 武田 松井 菅原 岩崎 久保 木下 佐野 野村 松尾 菊地 杉本 古川 大西
    島田 水野 桜井 星野 黒田";

pub(super) const HONORIFICS: &str = "
    さん ちゃん くん 君 さま 様 先輩";

/// With an honorific, and yet no name.
pub(super) const ROLES: &str = "
    お母 お父 お兄 お姉 母 父 兄 姉 皆 みな お客 奥 息子 娘 店員 看護師 医者 赤 おじい おばあ じい ばあ 旦那 叔父 叔母
    おじ おば お嬢 子供 お子 隣 神 王 患者 大家 屋 同 多 異 模 仕 有 お医者 嫁 孫 弟 妹 社長 運転手 職人 猫 犬 兵隊
    新入り";

/// Words in katakana that are no names.
pub(super) const LOANWORDS: &str = "
    テスト ペット コーヒー メール ゲーム レストラン パーティー プレゼント スポーツ アルバイト バイト ピアノ ギター
    ケーキ カフェ ホテル バス タクシー ニュース テレビ スマホ パソコン チーム クラス グループ プロジェクト アイデア
    イベント デート ビール ワイン パン ラーメン カレー アニメ ドラマ サッカー テニス ダンス クリスマス ネコ イヌ
    リーダー メンバー ストレス アレルギー トラウマ プラン ルール キャンプ マンション アパート バイク ボール スープ
    サラダ チケット";

/// Words that begin a sentence and name nobody, beside those that tell nothing anyway.
pub(super) const OPENERS: &str = "a an i he she it we they the at in on of to if as so no my both yesterday tomorrow tonight later soon last next \
    every each everyone nobody someone somebody people once neither either still already currently recently originally apparently despite during \
    years months weeks days user character players whenever whatever maybe perhaps";

/// Behind whoever does something, at the beginning of a sentence.
pub(super) const DOINGS: &str = "is was are were has had have likes liked loves loved hates hated lives lived works worked wants wanted plans planned \
    will would can could should may might must said says told asked went goes came met and who feels felt knows knew believes promised bought \
    gave took made does did moved owns owned plays played prefers enjoys fears thinks thought decided agreed visited married kept keeps needs \
    needed hopes taught teaches studies studied grew joined left lost found sold saw became becomes";
