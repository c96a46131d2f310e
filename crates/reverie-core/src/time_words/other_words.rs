//! What looks like a word for a time, and is none?
//!
//! Scripts without spaces hide words in others: 光明天使 has no tomorrow in it, とうきょう no today, and 这周围 is no week. What stands
//! before and behind tells them apart. A list of neighbours, not a dictionary: where words end is guesswork there, and a guess
//! that is wrong would cost days that were really named (他说明天来).

use super::scan::Text;

/// Titles, names and terms, and what behind them makes them a time after all: 五月天 is a band, 五月天气 the weather in May.
const PHRASES: &[(&str, &str)] = &[
    ("五月天", "气氣空亮黑"),
    ("二月红", ""),
    ("二月兰", ""),
    ("三月兔", ""),
    ("六月雪", ""),
    ("八月长安", ""),
    ("十月革命", ""),
    ("明日方舟", ""),
    ("明日之星", ""),
    ("明日黄花", ""),
    ("昨日黄花", ""),
    ("今日头条", ""),
    ("今晚报", "名告"),
    ("今日子", "供守育犬猫ど"),
    ("今日香", "水港川り"),
    ("明日香", "水港川り"),
    ("明日奈", "良"),
    ("明日菜", ""),
    ("明日葉", ""),
    // 今 and Japan, unless there is a book or something real.
    ("今日本", "を屋当番気社店棚部市地校省县报"),
    ("今朝鲜", ""),
    ("今朝鮮", ""),
    ("光明天使", ""),
    ("明天启年", ""),
    ("明天启帝", ""),
    ("明天启皇", ""),
    ("明天顺年", ""),
    ("明天顺帝", ""),
    ("后天性", "格"),
    ("后天免疫", ""),
    ("后天培养", ""),
    ("后天习得", ""),
    ("后天形成", ""),
    ("后天因素", ""),
    ("后天失调", ""),
    ("后天养成", ""),
    ("后天努力", ""),
    ("后天的努力", ""),
    ("后天教育", ""),
    ("先天后天", ""),
    ("先天和后天", ""),
    ("先天与后天", ""),
    ("先天或后天", ""),
    ("先天还是后天", ""),
    ("去年糕", ""),
    ("去年货街", ""),
    ("去年货节", ""),
    ("周一仙", ""),
    ("周六福", "利气"),
    ("每周一歌", ""),
    ("每周一练", ""),
    ("每周一测", ""),
    ("每周一题", ""),
    ("每周一句", ""),
    ("每周一书", ""),
];

/// Where such a phrase ends that begins here.
pub(super) fn phrase(text: &Text, place: usize) -> Option<usize> {
    PHRASES.iter().find_map(|(phrase, unless)| {
        let end = text.skip(place, phrase)?;
        (!is_one_of(text.at(end), unless)).then_some(end)
    })
}

fn is_one_of(c: Option<char>, all: &str) -> bool {
    c.is_some_and(|c| all.contains(c))
}

/// 然后天黑了 speaks of no day after tomorrow, 过去年轻 of no year.
pub(super) fn is_inside_of_one(text: &Text, place: usize) -> bool {
    let before = text.before(place);
    let behind = text.at(place + 2);
    match text.at(place) {
        Some('后') => is_one_of(before, "之以然最背午今随前身往此日"),
        // 从前天真, but 从前天起.
        Some('前') if before == Some('从') => is_one_of(behind, "气空真天色黑"),
        Some('前') => is_one_of(before, "之以目眼提先午跟面门日"),
        // 这说明天气不好, but 他说明天来.
        Some('明') if is_one_of(before, "说表") => is_one_of(behind, "气空赋才性使色生"),
        Some('明') => is_one_of(before, "聪光文证发声透清黎失照"),
        Some('去') => is_one_of(before, "过失离死回出下上进除"),
        Some('上') => is_one_of(before, "早晚马路身网桌面"),
        Some('下') => is_one_of(before, "天底楼乡地"),
        Some('今') if is_one_of(before, "至如当而") => is_now_and_more(text, place),
        Some('今') => before == Some('古'),
        Some('来') => is_one_of(before, "本原未后近向从历"),
        _ => false,
    }
}

/// 如今天气冷了, 至今年年如此, but 而今天不冷.
fn is_now_and_more(text: &Text, place: usize) -> bool {
    let behind = text.at(place + 2);
    match text.at(place + 1) {
        Some('天') => is_one_of(behind, "气空色天子灾") || is_under_the_sky(text, place + 2),
        Some('晚') => behind == Some('上'),
        Some('年') => behind == Some('年'),
        _ => false,
    }
}

/// 天下 is the world, but 今天下午 is today.
fn is_under_the_sky(text: &Text, place: usize) -> bool {
    const WORLD: &[&str] = &[
        "下太平",
        "下大乱",
        "下大势",
        "下无敌",
        "下无双",
        "下第一",
        "下三分",
        "下英雄",
        "下苍生",
        "下归",
        "下皆",
        "下人心",
    ];
    WORLD.iter().any(|word| text.skip(place, word).is_some())
}

/// Whether what stands from here to there is no day, though it is written like one.
pub(super) fn is_no_day(text: &Text, place: usize, end: usize) -> bool {
    let behind = text.at(end);
    match text.at(place) {
        Some('明') if text.skip(place, "明朝").is_some() => !is_tomorrow_morning(text, end),
        Some('后' | '前') if is_one_of(behind, "气空黑亮天") => true,
        Some(c) if is_hiragana(c) => !is_day_in_kana(text, place, end),
        _ => text.before(end) == Some('天') && is_under_the_sky(text, end),
    }
}

/// In Chinese it is a dynasty.
fn is_tomorrow_morning(text: &Text, end: usize) -> bool {
    let is_hour = || {
        let (_, end) = text.number(end)?;
        text.one_of(end, &[("時", ()), ("时", ()), ("点", ())])
    };
    let is_listed = || is_one_of(text.at(end + 1), "清元宋唐汉");
    match text.at(end) {
        Some('に' | 'は' | 'も' | 'ま' | 'か') => true,
        Some('、') => !is_listed(),
        _ => is_hour().is_some(),
    }
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}')
}

/// What may follow a day in kana: とうきょう is no today, きょうしつ neither, きょうは is.
const FOLLOWERS: &[&str] = &[
    "は",
    "の",
    "も",
    "に",
    "が",
    "を",
    "で",
    "へ",
    "ね",
    "から",
    "かな",
    "かも",
    "まで",
    "より",
    "だけ",
    "だっ",
    "だよ",
    "だね",
    "なら",
    "なの",
    "って",
    "じゃ",
    "こそ",
    "しか",
    "ぐらい",
    "くらい",
    "いっ",
    "いい",
    "よね",
    "とて",
    "とっ",
    "とあ",
    "ときのう",
];

fn is_day_in_kana(text: &Text, place: usize, end: usize) -> bool {
    const OTHERS: &[(&str, &[&str])] = &[
        // 脅迫, 驚愕, 強弱, 経文.
        ("きょう", &["はくさ", "はくし", "はくす", "はくじ", "はくは", "がく", "じゃく", "もん"]),
        ("あす", &[]),
        ("あした", &["ば", "かや", "かは"]),
        ("きのう", &["え", "ろ", "り"]),
        // ゴミをあさっている.
        ("あさって", &["い", "る", "た", "き", "く", "み"]),
    ];
    let word = OTHERS.iter().find(|(word, _)| text.skip(place, word) == Some(end));
    let Some((word, others)) = word else { return true };
    let starts = |with: &&str| text.skip(end, with).is_some();
    let is_open = text.at(end).is_none_or(|c| !is_hiragana(c));
    let is_followed = is_open || FOLLOWERS.iter().any(starts);
    // These are too short to be known by themselves.
    let needs_one = matches!(*word, "きょう" | "あす") || text.before(place) == Some('と');
    let is_verb = *word == "あさって" && text.before(place) == Some('を');
    let is_other = others.iter().any(starts);
    let is_long = matches!(*word, "あした" | "あさって");
    is_begun_in_kana(text, place, is_long) && !is_other && !is_verb && (is_followed || !needs_one)
}

/// Whether a word can begin here: behind a particle, an adverb or a sigh (じゃあ, ねえ).
fn is_begun_in_kana(text: &Text, place: usize, is_long: bool) -> bool {
    const ADVERBS: &[&str] =
        &["たぶん", "やっぱり", "やはり", "もう", "もちろん", "ちょうど", "まだ", "もし"];
    let ends = |word: &&str| {
        place.checked_sub(word.chars().count()).is_some_and(|start| text.skip(start, word).is_some())
    };
    let sighed = place.checked_sub(1).and_then(|before| text.before(before));
    match text.before(place) {
        Some('あ') => is_one_of(sighed, "ゃまさなや"),
        Some('え') => is_one_of(sighed, "ねへ"),
        Some(c) if is_hiragana(c) && is_long => !"ゃまさ".contains(c),
        Some(c) if is_hiragana(c) => {
            "はがをにでともへのねよわやらてな".contains(c) || ADVERBS.iter().any(ends)
        }
        _ => true,
    }
}

/// 这周围, 上周边 and 本周期 speak of no week.
pub(super) fn is_no_week(text: &Text, end: usize) -> bool {
    match text.at(end) {
        Some('期') => !is_one_of(text.at(end + 1), "末中待间"),
        Some('刊') => text.at(end + 1) != Some('登'),
        behind => is_one_of(behind, "围圍边邊遭身密旋折岁歲杰瑜迅"),
    }
}

/// 上月球, 在上月台之前, but 上月台风.
pub(super) fn is_no_month(text: &Text, end: usize) -> bool {
    match text.at(end) {
        Some('台') => !is_one_of(text.at(end + 1), "风北湾州胞币"),
        behind => is_one_of(behind, "球亮光饼色"),
    }
}

/// 去年春节, 去年春晚, 去年春运: that feast is in winter.
pub(super) fn is_spring_festival(text: &Text, end: usize) -> bool {
    text.before(end) == Some('春') && is_one_of(text.at(end), "节節晚运運联聯")
}

/// 5号电池, 3号楼, 我住在5号, but 5号见, 要5号才到.
pub(super) fn is_number_of_a_thing(text: &Text, place: usize, end: usize) -> bool {
    const THINGS: &str = "楼樓线線机機门門店房室位车車公院桌选選手球厅廳馆館仓倉库庫码碼城区區床舱艇舰梯坑井柱台站牌票箱柜窗栋幢巷街字型针";
    const LONGER_THINGS: &[&str] = &["电池", "電池", "干电池", "电梯", "病人", "服务", "文件", "方案"];
    const WANTED: &[&str] = &["要", "买", "买了", "拿", "选", "坐", "换", "用", "给我"];
    const LIVED_AT: &[&str] = &["住", "住在", "住着", "搬到", "搬进"];
    let follows = |word: &&str| text.skip(end, word).is_some();
    let stands_before = |word: &&str| {
        place.checked_sub(word.chars().count()).is_some_and(|start| text.skip(start, word).is_some())
    };
    let is_when = is_one_of(text.at(end), "才再前后之以就那");
    let is_thing = is_one_of(text.at(end), THINGS) || LONGER_THINGS.iter().any(follows);
    let is_taken = WANTED.iter().chain(LIVED_AT).any(stands_before) && !is_when;
    is_thing || is_taken
}
