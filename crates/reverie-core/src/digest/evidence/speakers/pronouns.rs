//! Which words tell of whom a clause speaks: its speaker, those who listen, somebody else?

use crate::digest::evidence::words::phrases;
use crate::words::{is_written_together, mentions};

/// Where somebody speaks of themselves as the one who does or is something: the place of the word for it, and what follows it.
///
/// Who only has something done to them (帮我, help me) is not its subject.
pub(super) fn says_i(clause: &str) -> Option<(usize, usize)> {
    const CHINESE: &[&str] = &["我", "俺", "咱", "本人", "老子", "本小姐", "本王"];
    const JAPANESE: &str = "私, 僕, 俺, わたし, あたし, ぼく, おれ, わし, 自分";
    let is_subject = |at: usize, end: usize| {
        let behind = clause.get(end..).unwrap_or_default();
        let before = clause.get(..at).unwrap_or_default();
        !phrases(PLURAL).any(|ending| behind.starts_with(ending))
            && !before.ends_with(TO_ME)
            && !phrases(OBJECT).any(|particle| behind.starts_with(particle))
    };
    let east = CHINESE.iter().copied().chain(phrases(JAPANESE)).filter_map(|word| {
        let found = clause.match_indices(word).map(|(at, found)| (at, at + found.len()));
        let mut found = found.skip_while(|(at, end)| !is_subject(*at, *end));
        found.next()
    });
    let lower = clause.to_lowercase();
    let west = phrases(ENGLISH).filter_map(|word| Some((whole_word(&lower, word)?, word.len())));
    // Help me find my hat: whoever is asked does it.
    let asked = whole_word(&lower, "me").unwrap_or(usize::MAX);
    let west = west.map(|(at, length)| (at, at + length)).filter(|(at, _)| *at < asked);
    east.chain(west).min()
}

const ENGLISH: &str = "i, i'm, i’m, i've, i’ve, i'll, i’ll, i'd, i’d, my, mine, myself";
const PLURAL: &str = "们, 們, 俩, 倆, たち, 達, ら";
/// Behind 私: whoever else does it to me.
const OBJECT: &str = "に, を";
/// Before 我: whoever else does it to me.
const TO_ME: &[char] = &[
    '给', '給', '帮', '幫', '教', '让', '讓', '叫', '陪', '送', '借', '对', '對', '向', '替', '找', '等',
    '救', '骗', '騙', '打', '骂', '爱', '愛', '告', '诉', '訴', '应', '應', '问', '問', '请', '請', '带',
    '帶', '咬', '追', '娶', '嫁', '跟', '被',
];

pub(super) fn whole_word(text: &str, word: &str) -> Option<usize> {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_written_together(c));
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|text| text.chars().next());
        !is_letter(before) && !is_letter(behind)
    })
}

/// You, we, let us: others may be meant.
pub(super) fn speaks_to_others(clause: &str) -> bool {
    const EAST: &str = "你, 您, 妳, 我们, 我們, 咱们, 咱們, 我俩, 大家, 一起, あなた, 君, きみ, お前, おまえ, 私たち, 僕たち, \
        俺たち, 私達, 僕達, 俺達, 一緒, 二人, みんな";
    const WEST: &str =
        "you, your, yours, we, us, our, let's, together, we're, we'll, we've, you're, you'll, you've, you'd";
    has_one_of(clause, EAST, WEST)
}

/// He, she, somebody: who that is, only what was said before tells.
pub(super) fn speaks_of_another(clause: &str) -> bool {
    const EAST: &str =
        "他, 她, 它, 有人, 某人, 那人, 这人, 谁, 彼, 彼女, あの人, この人, その人, 誰, あいつ, こいつ";
    const WEST: &str = "he, she, they, he's, she's, they're, his, her, their, someone, somebody, who, everybody, everyone, \
        nobody, it, this, that, there, these, those, it's, that's";
    has_one_of(clause, EAST, WEST)
}

fn has_one_of(clause: &str, east: &'static str, west: &'static str) -> bool {
    let lower = clause.to_lowercase().replace('’', "'");
    phrases(east).any(|word| clause.contains(word))
        || phrases(west).any(|word| whole_word(&lower, word).is_some())
}

/// Whether a clause only calls somebody: "Bob", "Hey Bob", 小美姐, 健太さん.
pub(super) fn is_address(clause: &str, names: &[&str]) -> bool {
    let mut rest = clause.to_owned();
    let mut is_named = false;
    for name in names.iter().filter(|name| mentions(clause, name)) {
        is_named = true;
        rest = rest.replace(*name, " ");
    }
    if !is_named {
        return false;
    }
    let rest = phrases(AROUND).fold(rest, |rest, word| rest.replace(word, " "));
    let lower = rest.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.into_iter().all(|word| phrases(GREETINGS).any(|known| known == word))
}

/// Around a name in Chinese and Japanese, longer ones first.
const AROUND: &str = "亲爱的, 对不起, 早上好, 下午好, 晚上好, おはようございます, ごめんなさい, ありがとう, こんにちは, こんばんは, \
    もしもし, おはよう, ごめん, ちゃん, さん, くん, さま, 先輩, 先生, 殿, 様, 君, 女士, 小姐, 太太, 夫人, 老师, 老師, \
    医生, 醫生, 大夫, 师傅, 師傅, 教授, 博士, 队长, 老板, 同学, 叔叔, 阿姨, 大爷, 大妈, 大叔, 伯伯, 姑娘, 公子, 将军, \
    大人, 殿下, 警官, 哥哥, 姐姐, 弟弟, 妹妹, 你好, 您好, 谢谢, 早安, 晚安, 抱歉, 姐, 哥, 弟, 妹, 叔, 姨, 爷, 奶, \
    兄, 君, 喂, 嘿, 嗨, 哎, 诶, 唉, 哦, 噢, 啊, 呀, 哟, 嗯, 呢, 哈, 咳, 老, 小, 阿, 我的, ねえ, ねぇ, おい, あの, やあ, \
    なあ, うん, よ, ね, や";

/// Before or behind a name in English.
const GREETINGS: &str = "hey, hi, hello, oh, ah, dear, well, listen, look, sorry, thanks, thank, please, yes, yeah, no, ok, okay, \
    good, morning, evening, night, afternoon, my, friend, love, darling, honey, sweetheart, mr, mrs, ms, miss, dr, sir, lady, \
    lord, captain, master, old, little, poor, bye, goodbye, welcome, so, and, but, now, wait, come, on, you, see, hm, um, alas, \
    brother, sister, buddy, man, boy, girl, doctor, professor, san, chan, kun";

/// Whether somebody is named in a clause before its speaker speaks of themselves, or after "my" and "I think", so that it may be said of them.
pub(super) fn is_subject_there(clause: &str, name: &str) -> bool {
    const OPINION: &str = "我觉得, 我认为, 我知道, 我听说, 我看见, 我看到, 我发现, 我猜, 我相信, 我希望, 我覺得, 我認為, 我聽說, \
        i think, i know, i heard, i believe, i saw, i guess, i hope, i bet, i found out, i noticed, と思, \
        って聞, らしい";
    /// Whoever comes next is spoken of.
    const OWNERS: &str = "我的, 我妈, 我爸, 我哥, 我姐, 我弟, 我妹, 我朋友, 我同学, 我同事, 我老公, 我老婆, 我女儿, 我儿子, 我家, \
        私の, 僕の, 俺の, my ";
    let Some(at) = clause.find(name).filter(|_| mentions(clause, name)) else { return false };
    let lower = clause.to_lowercase();
    let before = clause.get(..at).unwrap_or_default();
    let behind = clause.get(at + name.len()..).unwrap_or_default();
    let own = says_i(clause).map(|(own, _)| own);
    // 李四我怕打雷: nothing stands between whoever is called and the caller.
    let is_called = before.trim().is_empty()
        && own.is_some_and(|own| {
            clause.get(at + name.len()..own).is_some_and(|between| between.trim().is_empty())
        });
    let is_before = own.is_none_or(|own| at < own) && !is_called;
    // I was saved by Tom, 我被李四救过, 太郎に助けられた: Tom saved somebody.
    let is_done_to_them = ["れた", "れま", "れて"].iter().any(|ending| behind.contains(ending));
    let does_it =
        before.ends_with("by ") || before.ends_with('被') || behind.starts_with('に') && is_done_to_them;
    let is_joined = joins(before, behind);
    let is_spoken_of = |word: &str| lower.find(word).is_some_and(|own| own < at || word.starts_with('と'));
    is_before || does_it || is_joined || phrases(OPINION).chain(phrases(OWNERS)).any(is_spoken_of)
}

/// 我和李四…, Tom and I…, 私と太郎は….
fn joins(before: &str, behind: &str) -> bool {
    const WITH: &str = "我和, 我跟, 我与, 我與, 我同, 私と, 僕と, 俺と, わたしと";
    let lower = behind.to_lowercase();
    let is_with_me = ["and i ", "and i'", "と私", "と僕", "と俺", "和我", "跟我", "与我"];
    phrases(WITH).any(|word| before.trim_end().ends_with(word))
        || is_with_me.iter().any(|word| lower.trim_start().starts_with(word))
}
