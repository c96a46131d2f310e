//! Is a part of a map known by words that tell what is in it?
//!
//! Themes of a life in three languages, as they are told: what is looked for are names that somebody would give them, and never a word
//! that any text has.

use reverie_core::embed::Vector;
use reverie_core::map::{MapQuery, When, draw};
use reverie_core::memory::{Held, Kind, Memory, Origin, State};
use reverie_core::mind::{Mind, Note};
use reverie_core::{CharacterId, MemoryId};

/// A theme: words one of which must be among its first three, and what is remembered of it.
type Theme = (&'static str, [&'static str; 7]);

const CHINESE: [Theme; 4] = [
    (
        "火锅 毛肚",
        [
            "还是那家火锅店好吃，就是有点辣。",
            "他说一个人吃火锅其实也可以的。",
            "昨天我们又去吃火锅，点了毛肚和鸭血。",
            "这个火锅的底料是从重庆带回来的。",
            "下雨的时候就想吃火锅，没有什么比这更好。",
            "其实她不太能吃辣，还是陪我吃了火锅。",
            "毛肚七上八下，火锅就是这样才好吃。",
        ],
    ),
    (
        "灯塔 暴风雨",
        [
            "灯塔的看守说今晚有暴风雨。",
            "就是在那个灯塔下面，我们第一次见面。",
            "暴风雨过后灯塔的窗户坏了一个。",
            "还是有点害怕，灯塔里面太黑了。",
            "她说什么都要爬到灯塔的最上面。",
            "灯塔亮起来的时候，大家都很高兴。",
            "没有灯塔的话，船就会撞上礁石。",
        ],
    ),
    (
        "吉他 乐队",
        [
            "他买了一把新的吉他，还是木头的。",
            "乐队排练的时候吉他断了一根弦。",
            "其实我不会弹吉他，只是有点想学。",
            "那个乐队就是从车库里开始的。",
            "他觉得吉他比钢琴容易一点。",
            "今天乐队第一次演出，来了很多人。",
            "一个人在屋顶弹吉他，真的很安静。",
        ],
    ),
    (
        "医院 手术",
        [
            "妈妈住进了医院，明天就要手术。",
            "手术很成功，医生说没有什么问题。",
            "我们在医院的走廊里等了一个晚上。",
            "其实他一直害怕医院的味道。",
            "出院以后还是要每天吃药，医院太远了。",
            "医院的护士就是我的小学同学。",
            "手术之前他有点紧张，一直在说话。",
        ],
    ),
];

const JAPANESE: [Theme; 4] = [
    (
        "ラーメン 味噌 餃子",
        [
            "昨日は二人で味噌ラーメンを食べた。",
            "あの店のラーメンはやっぱり美味しいと思う。",
            "ラーメンの後に餃子も頼んだけど、ちょっと多かった。",
            "彼は一人でラーメンを三杯も食べたことがある。",
            "今日はラーメンがいいと彼女が言った。",
            "本当は味噌より塩ラーメンの方が好きらしい。",
            "最後に食べたラーメンの味が忘れられない。",
        ],
    ),
    (
        "猫 子猫 タマ 首輪",
        [
            "タマは昨日からずっと押入れで寝ている。",
            "子猫のタマを拾ったのは雨の日だった。",
            "タマが初めて首輪をつけた時、とても嫌がった。",
            "みんなでタマの名前を考えたことがある。",
            "タマは魚より鶏肉の方が好きだ。",
            "今日はタマを病院に連れて行った。",
            "夜中にタマが走り回るので眠れない。",
        ],
    ),
    (
        "文化祭 演劇 脚本",
        [
            "文化祭の演劇で主役をやることになった。",
            "演劇の脚本は全部彼女が書いたものだ。",
            "文化祭まであと三日しかない。",
            "本当は演劇より合唱がいいと思っていた。",
            "文化祭の準備で毎日遅くまで残っている。",
            "演劇の練習の時、台詞を忘れてしまった。",
            "文化祭が終わったら泣いてしまうと思う。",
        ],
    ),
    (
        "釣り 海岸 鯖 堤防",
        [
            "堤防で鯖が三匹も釣れた。",
            "父と堤防に行くのは一年ぶりだった。",
            "今日は堤防に誰もいなかった。",
            "堤防で食べたおにぎりが一番美味しかった。",
            "最初の鯖は小さかったので逃がした。",
            "堤防の灯りの下で夜まで待っていた。",
            "あの時、堤防から落ちそうになった。",
        ],
    ),
];

const ENGLISH: [Theme; 4] = [
    (
        "garden tomatoes",
        [
            "She said the tomatoes in the garden were still green.",
            "What I like about the garden is that nobody comes there.",
            "We really should water the garden before we leave.",
            "The first tomatoes were ripe, and he ate them all.",
            "There was something in the garden last night, maybe a fox.",
            "He told me that the garden had been his mother's.",
            "I think we got too many tomatoes this time.",
        ],
    ),
    (
        "dragon cave",
        [
            "The dragon came back to the cave that day.",
            "What they found in the cave was not a dragon at all.",
            "I know the way to the cave, he said, just follow me.",
            "Nobody really believed that the dragon could talk.",
            "The dragon looked at her and then it went to sleep.",
            "We took what we could and got out of the cave.",
            "It was a good dragon, as far as dragons go.",
        ],
    ),
    (
        "violin concert",
        [
            "She has been practising the violin for the concert.",
            "The concert was great, but the violin was a bit too loud.",
            "He gave her a violin, what a thing to give somebody.",
            "I never knew that you could play the violin so well.",
            "After the concert everybody went home, and so did we.",
            "Her violin was broken, and she would not say how.",
            "They still talk about that concert, even now.",
        ],
    ),
    (
        "exam physics",
        [
            "The physics exam is tomorrow and I know nothing.",
            "He said that he would fail the exam anyway.",
            "We were up all night because of the physics exam.",
            "What if the exam has something about optics?",
            "I think she got the best mark in physics again.",
            "The exam was just one thing after another.",
            "After the exam they all looked really tired.",
        ],
    ),
];

/// What hosts and models put among keywords, whatever a text is about.
const FILLERS: &str = "the what there something really just good time still 还是 一个 就是 有点 什么 其实 没有 的时候 昨天 很多 \
                       こと もの 今日 昨日 時 一人 二人 本当 みんな ちょっと 最後 最初";

fn fillers() -> Vec<&'static str> {
    FILLERS.split_whitespace().collect()
}

fn mind(themes: &[Theme], keywords: impl Fn(usize, &str) -> Vec<String>) -> Mind {
    let mut mind = Mind::default();
    for (theme, (_, texts)) in themes.iter().enumerate() {
        for (place, text) in texts.iter().enumerate() {
            let number = theme * texts.len() + place;
            let memory = Memory {
                id: MemoryId::new(number as u64 + 1).expect("a number"),
                kind: Kind::Episodic,
                origin: Origin::Round,
                text: (*text).to_owned(),
                sources: Vec::new(),
                from: Vec::new(),
                about: Vec::new(),
                importance: 0.5,
                keywords: keywords(number, text),
                topics: Vec::new(),
                emotions: Vec::new(),
                tick: None,
                wall_ms: number as i64,
                model: None,
                revision: 1,
            };
            let held = Held {
                memory,
                holder: CharacterId::new("ann").expect("an id"),
                state: State::new(None, None),
                version: 0,
                live: true,
                summarised: None,
                superseded: None,
                refreshed: None,
            };
            // What a theme is, and a little of each memory's own.
            let mut values = vec![0.0f32; themes.len() + texts.len() + 1];
            values.iter_mut().take(1).for_each(|common| *common = 0.5);
            values.iter_mut().skip(1 + theme).take(1).for_each(|value| *value = 1.0);
            values.iter_mut().skip(1 + themes.len() + place).take(1).for_each(|value| *value = 0.1);
            let vectors: Vec<Vector> = Vector::normal(values).into_iter().collect();
            mind.put(Note::new(held, None, Vec::new(), None), &vectors);
        }
    }
    mind
}

/// The words of each part of a map.
fn names(mind: &Mind) -> Vec<Vec<String>> {
    let query = MapQuery { points: 100, cluster: None, when: When::default() };
    draw(mind, &query).expect("a map").clusters.into_iter().map(|cluster| cluster.words).collect()
}

fn check(what: &str, themes: &[Theme], names: &[Vec<String>]) {
    assert_eq!(names.len(), themes.len(), "{what}: {names:?}");
    for (expected, _) in themes {
        let is_named = |words: &&Vec<String>| {
            words.iter().take(3).any(|word| expected.split(' ').any(|expected| expected == word))
        };
        assert_eq!(names.iter().filter(is_named).count(), 1, "{what}: {expected} in {names:?}");
    }
    for word in names.iter().flatten() {
        assert!(!fillers().contains(&word.as_str()), "{what}: {word} in {names:?}");
    }
}

#[test]
fn themes_are_known_by_what_they_are_about() {
    for (what, themes) in [("Chinese", CHINESE), ("Japanese", JAPANESE), ("English", ENGLISH)] {
        check(what, &themes, &names(&mind(&themes, |_, _| Vec::new())));
        // A host that gives what is said, and a filler with it that all of a theme have.
        let given = |number: usize, text: &str| {
            let theme = themes.get(number / 7).map(|(words, _)| *words).unwrap_or_default();
            let said = theme.split(' ').filter(|word| text.contains(word)).map(str::to_owned);
            let filler = fillers().into_iter().cycle().skip(number / 7 * 9).take(3).map(str::to_owned);
            filler.chain(said).collect()
        };
        check(what, &themes, &names(&mind(&themes, given)));
    }
}

#[test]
fn a_poor_name_is_better_than_none() {
    let blank: [Theme; 1] = [("", ["……"; 7])];
    let poor = names(&mind(&blank, |_, _| vec!["就是".to_owned(), "the".to_owned()]));
    assert!(poor.iter().all(|words| words.len() == 1), "{poor:?}");
    let each_its_own = names(&mind(&blank, |number, _| vec![format!("词{number}")]));
    assert!(each_its_own.iter().all(|words| !words.is_empty()), "{each_its_own:?}");
}
