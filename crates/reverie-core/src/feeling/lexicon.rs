//! Which words say what is felt? Written for this project; in simplified spelling or not, they are folded like what is read.

use std::collections::HashMap;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::{Feeling, SPELLING};

/// Of each feeling: words of Chinese, of English and of Japanese (without the endings that change).
const WORDS: &[(Feeling, &str, &str, &str)] = &[
    (
        Feeling::Joy,
        "开心 高兴 快乐 欢喜 欣喜 喜悦 愉快 幸福 满足 兴奋 激动 自豪 得意 欣慰 欢笑 大笑 微笑 笑了 笑着 乐呵呵",
        "happy|happier|happily|happiness|joy|joyful|glad|delighted|cheerful|excited|thrilled|proud|pleased|overjoyed|laughed|smiled|smiling",
        "嬉し うれし 楽し たのし 幸せ 喜び 喜ん 喜ぶ 笑顔 笑って わくわく ワクワク",
    ),
    (
        Feeling::Love,
        "喜欢 爱你 爱我 爱他 爱她 爱着 爱上 深爱 相爱 恋爱 爱情 爱慕 疼爱 心爱 心动 温柔 感动 感激 亲昵",
        "love|loved|loves|loving|beloved|adore|adored|adores|fond of|affection|affectionate|tenderly|grateful|cherish|cherished",
        "好き 大好き 愛して 愛し 恋をし 惚れ 愛おし 感謝して",
    ),
    (
        Feeling::Calm,
        "平静 安心 放心 安宁 宁静 放松 松了口气 松了一口气 踏实 惬意 从容 心安",
        "calm|calmly|relaxed|relieved|relief|peaceful|serene|at ease|at peace|reassured",
        "安心 落ち着い ほっと ホッと 穏やか のんびり",
    ),
    (
        Feeling::Surprise,
        "惊讶 吃惊 震惊 诧异 惊喜 惊呆 愣住 没想到 难以置信 大吃一惊",
        "surprised|surprise|surprising|astonished|amazed|shocked|stunned|startled|unbelievable|speechless",
        "驚い 驚き びっくり ビックリ まさか",
    ),
    (
        Feeling::Longing,
        "想念 思念 怀念 好想你 很想你 想你了 想家 挂念 惦记 牵挂 渴望 向往 期待 盼望 恨不得 舍不得",
        "longing|yearning|yearn|yearned|miss you|miss him|miss her|miss them|missed you|homesick|nostalgic|looking forward|longed for",
        "恋し 懐かし なつかし 会いたい 憧れ 待ち遠し 名残惜し",
    ),
    (
        Feeling::Sadness,
        "难过 伤心 悲伤 悲痛 忧伤 哀伤 痛苦 心痛 心碎 失望 绝望 沮丧 失落 孤独 寂寞 委屈 流泪 眼泪 哭了 哭着 哭泣 大哭 痛哭 想哭 \
         苦笑 郁闷 不开心 不高兴 不快乐",
        "sad|sadly|sadness|unhappy|sorrow|grief|grieving|heartbroken|cried|crying|tears|wept|weeping|lonely|loneliness|disappointed|\
         depressed|miserable|upset|hopeless|despair",
        "悲し かなし 辛い つらい 寂し さみし さびし 淋し 泣い 泣き 泣く 涙 切な がっかり 落ち込 絶望",
    ),
    (
        Feeling::Anger,
        "生气 愤怒 恼火 恼怒 发火 发怒 气愤 气死 气坏 火大 暴怒 不满 不爽 怨恨 憎恨 痛恨 恨你 恨他 恨她 恨死 烦躁 嫉妒",
        "angry|angrily|anger|furious|rage|raging|mad at|annoyed|irritated|outraged|resentful|hate|hated|hates|jealous|fuming",
        "怒って 怒った 怒り 怒る 腹が立 腹立 ムカつ むかつ イライラ いらいら 憎い 許せない",
    ),
    (
        Feeling::Fear,
        "害怕 恐惧 恐怖 恐慌 惊恐 畏惧 担心 担忧 忧虑 焦虑 紧张 不安 不放心 慌张 胆怯 发抖 吓坏 吓死 吓了 怕",
        "afraid|fear|fears|feared|fearful|scared|frightened|terrified|terror|anxious|anxiety|nervous|worried|worry|worries|panic|panicked|\
         dread|dreaded|uneasy",
        "怖 恐ろし 恐れ こわい 心配 不安 緊張 焦って 怯え 落ち着かない",
    ),
    (
        Feeling::Disgust,
        "恶心 厌恶 讨厌 反感 嫌弃 鄙视 轻蔑 不屑 嫌恶 作呕 冷笑 嘲笑",
        "disgusted|disgusting|disgust|revolting|repulsed|repulsive|loathe|loathed|despise|despised|contempt|sickening",
        "嫌い 嫌だ 気持ち悪 きもい キモい 軽蔑 うんざり",
    ),
    (
        Feeling::Shame,
        "羞耻 羞愧 惭愧 愧疚 内疚 后悔 悔恨 自责 害羞 尴尬 难为情 不好意思 丢脸 脸红 窘迫",
        "ashamed|shame|guilty|guilt|embarrassed|embarrassing|humiliated|regret|regretted|remorse|blushed|blushing|mortified",
        "恥ずかし はずかし 照れ 後悔 申し訳な 情けな 気まず",
    ),
];

/// Words with one of those in them that say nothing of the kind.
const OTHERS: &str =
    "开心果 生气勃勃 生气蓬勃 恐怕 哪怕 怕是 放心不下 恐怖片 哭笑不得 喜欢吃 喜欢喝 喜极而泣 心配り";
const OTHERS_EN: &str = "love to|no worries|fear not|for fear";

/// What stands alone as a label, and would be too little, or too much, in a text.
const LABELS: &[(Feeling, &str)] = &[
    (
        Feeling::Joy,
        "joyous|amused|amusement|excitement|optimism|optimistic|pride|delight|enjoyment|smile|laugh|laughing|playful|喜|乐|笑|愉悦|笑い|😀|😄|😊|😂",
    ),
    (
        Feeling::Love,
        "admiration|caring|gratitude|tender|fondness|romantic|flirty|trust|爱|爱意|深情|宠溺|感谢|❤️|😍|🥰",
    ),
    (
        Feeling::Calm,
        "calmness|relax|peace|ease|serenity|content|contentment|沉静|冷静|淡定|平和|安静|平穏|リラックス|😌",
    ),
    (
        Feeling::Surprise,
        "shock|astonishment|amazement|confusion|confused|curiosity|curious|惊|惊奇|疑惑|困惑|好奇|意外|😮|😲",
    ),
    (Feeling::Longing, "desire|nostalgia|wistful|hope|hopeful|anticipation|想|思|盼|怀旧"),
    (
        Feeling::Sadness,
        "disappointment|depression|sorrowful|cry|melancholy|gloomy|hurt|pain|悲|哀|泣|忧郁|低落|心疼|哭|悲しみ|哀しみ|😢|😭",
    ),
    (
        Feeling::Anger,
        "mad|annoyance|irritation|fury|hatred|hateful|frustrated|frustration|jealousy|envy|怒|愤|恨|气|吃醋|暴躁|😠|😡",
    ),
    (Feeling::Fear, "nervousness|fright|scare|horror|worrying|惧|恐|慌|忧|惊慌|惊吓|😨|😱"),
    (Feeling::Disgust, "disapproval|aversion|dislike|厌|恶|嫌|嫌悪|鄙夷|不耐烦|🤢"),
    (Feeling::Shame, "shy|shyness|embarrassment|awkward|humiliation|羞|愧|羞涩|娇羞|羞怯|恥|😳"),
];

pub(super) struct Hit {
    pub(super) feeling: Feeling,
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) struct Lexicon {
    /// None: no automaton could be made of the words, which tests rule out.
    words: Option<AhoCorasick>,
    /// Of the words, by their place. None: a word that says nothing.
    meanings: Vec<Option<Feeling>>,
    labels: HashMap<String, Feeling>,
}

impl Lexicon {
    pub(super) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(Self::read)
    }

    fn read() -> Self {
        let mut words: Vec<(String, Option<Feeling>)> = Vec::new();
        for (feeling, zh, en, ja) in WORDS {
            let all = zh.split_whitespace().chain(en.split('|')).chain(ja.split_whitespace());
            words.extend(all.map(|word| (SPELLING.fold(word.trim()), Some(*feeling))));
        }
        let others = OTHERS.split_whitespace().chain(OTHERS_EN.split('|'));
        words.extend(others.map(|word| (SPELLING.fold(word), None)));
        let labels = LABELS.iter().flat_map(|(feeling, labels)| {
            labels.split('|').map(|label| (SPELLING.fold(label.trim()), *feeling))
        });
        let labels = labels.collect();
        let (words, meanings): (Vec<String>, Vec<Option<Feeling>>) = words.into_iter().unzip();
        let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&words);
        Self { words: automaton.ok(), meanings, labels }
    }

    pub(super) fn label(&self, folded: &str) -> Option<Feeling> {
        self.labels.get(folded).copied()
    }

    /// Every word that says what is felt, in a folded text.
    pub(super) fn hits<'a>(&'a self, folded: &'a str) -> impl Iterator<Item = Hit> + 'a {
        let found = self.words.iter().flat_map(move |words| words.find_iter(folded));
        found.filter_map(move |hit| {
            let feeling = (*self.meanings.get(hit.pattern().as_usize())?)?;
            is_whole(folded, hit.start(), hit.end()).then(|| Hit {
                feeling,
                start: hit.start(),
                end: hit.end(),
            })
        })
    }
}

/// A word in Latin letters is none in the midst of others: no `glad` in `gladiator`.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let is_letter = |char: Option<char>| {
        char.is_some_and(|char| char.is_ascii_alphanumeric() || ('\u{C0}'..='\u{24F}').contains(&char))
    };
    let first = text.get(start..).and_then(|word| word.chars().next());
    let before = text.get(..start).and_then(|before| before.chars().next_back());
    let last = text.get(..end).and_then(|word| word.chars().next_back());
    let behind = text.get(end..).and_then(|behind| behind.chars().next());
    let is_cut = (is_letter(first) && is_letter(before)) || (is_letter(last) && is_letter(behind));
    !is_cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_means_two_things() {
        let lexicon = Lexicon::get();
        let words = lexicon.words.as_ref().expect("an automaton");
        assert_eq!(words.patterns_len(), lexicon.meanings.len());
        let mut known: HashMap<String, Feeling> = HashMap::new();
        let mut all = Vec::new();
        for (feeling, zh, en, ja) in WORDS {
            let words = zh.split_whitespace().chain(en.split('|')).chain(ja.split_whitespace());
            all.extend(words.map(|word| (*feeling, word)));
        }
        all.extend(
            LABELS.iter().flat_map(|(feeling, labels)| labels.split('|').map(|word| (*feeling, word))),
        );
        for (feeling, word) in all {
            assert!(!word.trim().is_empty(), "{feeling:?} has an empty word");
            let before = known.insert(SPELLING.fold(word.trim()), feeling);
            assert!(before.is_none_or(|before| before == feeling), "{word} is {before:?} and {feeling:?}");
        }
    }
}
