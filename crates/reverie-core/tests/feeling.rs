//! What is felt in a text, what do labels mean, and how near are feelings to each other?

use proptest::prelude::*;
use reverie_core::feeling::Feeling::{self, *};
use reverie_core::feeling::{felt, label_nearness, named, nearness};

/// Each text, and what is felt in it and how much of it, in hundredths.
#[test]
fn what_is_felt_in_a_text() {
    let cases: &[(&str, &[(Feeling, u32)])] = &[
        // Chinese
        ("今天真开心！", &[(Joy, 100)]),
        ("今天真開心！", &[(Joy, 100)]),
        ("我不开心。", &[(Sadness, 100)]),
        ("他不太高兴", &[]),
        ("我并没有那么难过", &[]),
        ("我一点也不害怕。", &[]),
        ("别怕，有我在。", &[]),
        ("她再也不会感到孤独了", &[]),
        ("我怕黑，也怕打雷", &[(Fear, 100)]),
        ("恐怕要下雨了，哪怕小雨也麻烦", &[]),
        ("我特别开心", &[(Joy, 100)]),
        ("他忍不住笑了", &[(Joy, 100)]),
        ("她不得不难过地离开", &[(Sadness, 100)]),
        ("他不来，我很难过", &[(Sadness, 100)]),
        ("你不来我很难过", &[(Sadness, 100)]),
        ("离别悲伤，重逢喜悦", &[(Joy, 50), (Sadness, 50)]),
        ("高兴不起来", &[]),
        ("她一边笑着一边说：我讨厌你", &[(Joy, 50), (Disgust, 50)]),
        ("冷笑了一声", &[(Disgust, 100)]),
        ("我想你是对的", &[]),
        ("好想念你，恨不得马上飞回去", &[(Longing, 100)]),
        ("你是不是很开心？", &[(Joy, 100)]),
        ("总觉得有些不安", &[(Fear, 100)]),
        ("没有任何恐惧，心里很平静", &[(Calm, 100)]),
        ("對不起，我很內疚，也很後悔", &[(Shame, 100)]),
        ("生氣了？別生氣嘛", &[(Anger, 100)]),
        ("桌上有一包开心果", &[]),
        ("爱丽丝去了图书馆", &[]),
        ("我爱你，爱丽丝", &[(Love, 100)]),
        ("今天去买了三斤苹果。", &[]),
        // English
        ("I am so HAPPY today!", &[(Joy, 100)]),
        ("I'm not happy.", &[]),
        ("She wasn't really happy about it", &[]),
        ("She wasn’t happy", &[]),
        ("He is no longer afraid.", &[]),
        ("I was afraid, but not any more", &[(Fear, 100)]),
        ("I have never been so happy", &[(Joy, 100)]),
        ("We couldn't be more proud", &[(Joy, 100)]),
        ("He did not come, and I am sad.", &[(Sadness, 100)]),
        ("Not only angry but disgusted", &[(Anger, 50), (Disgust, 50)]),
        ("No, I love you", &[(Love, 100)]),
        ("The gladiator wept in the arena", &[(Sadness, 100)]),
        ("unhappy and lonely, then furious", &[(Sadness, 67), (Anger, 33)]),
        ("Miss Your sadistic calmest sadhu", &[]),
        ("I miss you. I'd love to come home", &[(Longing, 100)]),
        ("It doesn't make me sad at all", &[]),
        ("without fear, without a tear", &[]),
        ("ｈａｐｐｙ", &[(Joy, 100)]),
        ("今天很happy啊", &[(Joy, 100)]),
        ("The train leaves at nine.", &[]),
        // Japanese
        ("会えて嬉しいです", &[(Joy, 100)]),
        ("全然嬉しくない", &[]),
        ("嬉しくてたまらない", &[(Joy, 100)]),
        ("もう怖くないよ", &[]),
        ("とても怖かった", &[(Fear, 100)]),
        ("楽しかったけど、別れて悲しい", &[(Joy, 50), (Sadness, 50)]),
        ("あなたのことが大好き", &[(Love, 100)]),
        ("好きじゃない", &[]),
        ("怒っていないよ", &[]),
        ("怒ってるの？", &[(Anger, 100)]),
        ("びっくりした！恥ずかしい…", &[(Surprise, 50), (Shame, 50)]),
        ("安心できません", &[]),
        ("昔が懐かしい", &[(Longing, 100)]),
        ("明日は雨です。", &[]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        let found: Vec<(Feeling, u32)> =
            felt(text).into_iter().map(|(feeling, part)| (feeling, (part * 100.0).round() as u32)).collect();
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn what_labels_mean() {
    for (labels, expected) in [
        (
            &[
                "happy",
                "Joy",
                "开心",
                "開心的",
                "高兴",
                "嬉しい",
                "excitement",
                "喜",
                "very happy",
                " HAPPY ",
                "😊",
            ][..],
            Some(Joy),
        ),
        (&["love", "爱", "喜欢", "愛情", "大好き", "caring", "温柔"], Some(Love)),
        (&["calm", "平静", "冷静", "安心", "relief"], Some(Calm)),
        (&["surprise", "surprised", "惊讶", "驚き", "confusion"], Some(Surprise)),
        (&["longing", "想念", "懐かしい", "desire", "期待"], Some(Longing)),
        (&["sad", "难过", "難過", "傷心", "悲しい", "grief", "不开心", "有点难过"], Some(Sadness)),
        (&["angry", "生气", "生氣", "怒", "怒り", "annoyance", "mad", "a bit angry"], Some(Anger)),
        (&["fear", "害怕", "怖い", "nervousness", "紧张", "緊張"], Some(Fear)),
        (&["disgust", "讨厌", "厭惡", "嫌い", "disapproval"], Some(Disgust)),
        (&["shame", "害羞", "恥ずかしい", "embarrassment", "shy", "尴尬"], Some(Shame)),
        (
            &[
                "",
                " ",
                "neutral",
                "中性",
                "普通",
                "sleepy",
                "sad but happy",
                "not happy",
                "悲喜交加",
                "tsundere",
            ],
            None,
        ),
    ] {
        for label in labels {
            assert_eq!(named(label), expected, "{label}");
        }
    }
    for feeling in Feeling::ALL {
        assert_eq!(named(feeling.as_str()), Some(*feeling));
    }
}

type Felt<'a> = &'a [(Feeling, f32)];

#[test]
fn how_near_feelings_are() {
    let cases: &[(Felt<'_>, Felt<'_>, f32)] = &[
        (&[(Joy, 1.0)], &[(Joy, 1.0)], 1.0),
        (&[(Joy, 1.0)], &[(Joy, 0.2)], 1.0),
        (&[(Joy, 1.0)], &[(Love, 1.0)], 0.4),
        (&[(Sadness, 1.0)], &[(Fear, 3.0)], 0.4),
        (&[(Surprise, 1.0)], &[(Longing, 1.0)], 0.4),
        (&[(Joy, 1.0)], &[(Sadness, 1.0)], 0.0),
        (&[(Joy, 1.0)], &[(Surprise, 1.0)], 0.0),
        (&[(Joy, 0.5), (Sadness, 0.5)], &[(Sadness, 0.5), (Joy, 0.5)], 1.0),
        (&[(Joy, 0.5), (Sadness, 0.5)], &[(Joy, 1.0)], 0.5),
        (&[(Joy, 0.5), (Sadness, 0.5)], &[(Love, 0.5), (Sadness, 0.5)], 0.7),
        (&[(Joy, 0.25), (Joy, 0.25), (Fear, 0.5)], &[(Anger, 1.0)], 0.2),
        (&[], &[(Joy, 1.0)], 0.0),
        (&[], &[], 0.0),
        (&[(Joy, f32::NAN)], &[(Joy, 1.0)], 0.0),
        (&[(Joy, -1.0)], &[(Joy, 1.0)], 0.0),
        (&[(Joy, f32::INFINITY)], &[(Joy, 1.0)], 1.0),
    ];
    for (a, b, expected) in cases {
        assert_eq!(nearness(a, b), *expected, "{a:?} {b:?}");
        assert_eq!(nearness(b, a), *expected, "{b:?} {a:?}");
    }
}

#[test]
fn how_near_labels_are() {
    let cases: &[(&[&str], &[&str], f32)] = &[
        (&["happy"], &["开心"], 1.0),
        (&["開心", "joy"], &["嬉しい"], 1.0),
        (&["happy"], &["爱"], 0.4),
        (&["happy"], &["难过"], 0.0),
        (&["Sleepy"], &["ｓｌｅｅｐｙ"], 1.0),
        (&["傲嬌"], &["傲娇"], 1.0),
        (&["sleepy"], &["tsundere"], 0.0),
        (&["sleepy", "happy"], &["happy"], 0.5),
        (&["sleepy", "happy"], &["sleepy", "love"], 0.7),
        (&["neutral"], &["neutral"], 0.0),
        (&["neutral", "happy"], &["happy"], 1.0),
        (&[], &["happy"], 0.0),
    ];
    let owned = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>();
    for (a, b, expected) in cases {
        assert_eq!(label_nearness(&owned(a), &owned(b)), *expected, "{a:?} {b:?}");
        assert_eq!(label_nearness(&owned(b), &owned(a)), *expected, "{b:?} {a:?}");
    }
}

fn feelings() -> impl Strategy<Value = Vec<(Feeling, f32)>> {
    prop::collection::vec((prop::sample::select(Feeling::ALL), 0.0_f32..2.0), 0..6)
}

proptest! {
    #[test]
    fn nearness_has_bounds_and_no_order(a in feelings(), b in feelings()) {
        let near = nearness(&a, &b);
        prop_assert!((0.0..=1.0).contains(&near), "{near}");
        prop_assert_eq!(nearness(&b, &a).to_bits(), near.to_bits());
        let turned: Vec<_> = a.iter().rev().copied().collect();
        prop_assert_eq!(nearness(&turned, &b).to_bits(), near.to_bits());
    }

    #[test]
    fn any_text_can_be_read(text in "(不|没|别|怕|开心|happy|n't|not|ない|嬉し|’| |,|[a-z]|\\PC){0,12}") {
        let parts: f32 = felt(&text).iter().map(|(_, part)| part).sum();
        prop_assert!(parts == 0.0 || (parts - 1.0).abs() < 1e-5, "{parts}");
        let _ = named(&text);
    }
}
