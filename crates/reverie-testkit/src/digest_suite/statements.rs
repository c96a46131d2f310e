//! Which statements of a model are believed, and what becomes of what was known?

use std::sync::Arc;

use reverie_core::memory::{Kind, Layer, Origin};
use reverie_core::world::WorldPatch;
use reverie_core::{Answered, Remember, Store};

use super::theatre::{Theatre, happened, id_of};

/// What was said, and what a model makes of it.
struct Claim {
    said: &'static str,
    answer: &'static str,
    /// What is remembered, or why not.
    outcome: Result<&'static str, &'static str>,
}

impl Theatre {
    /// A world in which models are asked at once what is worth keeping.
    pub fn asking(store: &Arc<dyn Store>, world: &str) -> Self {
        let theatre = Self::new(store.clone(), world);
        theatre.play("put digest.decide = false\nput digest.batch_seconds = 0");
        theatre
    }

    /// Something is said, and a model says what of it is worth keeping: one object, or several with commas.
    pub fn learn(&self, play: &str, statements: &str) -> Answered {
        self.play(play);
        self.play("digest now");
        let (mut memories, mut rejected) = (0, 0);
        // One for each group of those who know the same.
        for question in self.ask() {
            match self.answer(&question, &format!("{{\"memories\":[{statements}]}}")) {
                Answered::Taken { memories: made, rejected: not } => {
                    (memories, rejected) = (memories + made, rejected + not)
                }
                other => return other,
            }
        }
        Answered::Taken { memories, rejected }
    }

    pub fn statements_of(&self, name: &str) -> Vec<String> {
        let held = self.held_by(name).into_iter();
        held.filter(|held| held.memory.origin == Origin::Statement)
            .map(|held| held.text().to_owned())
            .collect()
    }

    pub(super) fn reasons(&self) -> Vec<String> {
        self.jobs().into_iter().flat_map(|job| job.rejects).map(|reject| reject.reason).collect()
    }
}

fn check(store: &Arc<dyn Store>, claims: &[Claim]) {
    for (number, Claim { said, answer, outcome }) in claims.iter().enumerate() {
        let theatre = Theatre::asking(store, &format!("claim {number}"));
        let name = said.split_once('\n').unwrap().0.trim_start_matches("set ").split(", ").next().unwrap();
        theatre.learn(said, answer);
        match outcome {
            Ok(text) => assert_eq!(theatre.statements_of(name), [*text], "{answer}: {:?}", theatre.reasons()),
            Err(reason) => {
                assert_eq!(theatre.statements_of(name), [""; 0], "{answer}");
                assert_eq!(theatre.reasons(), [*reason], "{answer}");
            }
        }
    }
}

pub fn believed(store: Arc<dyn Store>) {
    check(
        &store,
        &[
            Claim {
                said: "set 张三, 李四\n@张三: 我最喜欢吃火锅，每周吃2次\n李四: 哦",
                answer: r#"{"kind":"trait","text":"张三最喜欢吃火锅，每周吃2次。","lines":["L1"]}"#,
                outcome: Ok("张三最喜欢吃火锅，每周吃2次。"),
            },
            Claim {
                said: "set 张三, 李四\n@张三: 我今年二十五岁，住在三里屯\n李四: 哦",
                answer: r#"{"text":"张三今年25岁，住在三里屯。","lines":["[L1]"]}"#,
                outcome: Ok("张三今年（2024）25岁，住在三里屯。"),
            },
            Claim {
                said: "set Mira, Tom\n@Mira: I liked the old house in Oslo.\nTom: I see.",
                answer: r#"{"kind":"trait","text":"Mira likes the old house in Oslo.","lines":["l1", "1"]}"#,
                outcome: Ok("Mira likes the old house in Oslo."),
            },
            Claim {
                said: "set さくら, 太郎\n@さくら: 私は雷がとても怖いです\n太郎: そうか",
                answer: r#"{"kind":"trait","text":"さくらは雷がとても怖い。","lines":["L1"]}"#,
                outcome: Ok("さくらは雷がとても怖い。"),
            },
            Claim {
                said: "set Mira, Tom\n@Mira: I bought “Dune” for 12 euros.\nTom: Nice.",
                answer: r#"{"text":"Mira bought “Dune” for 12 euros.","lines":["L1"],"importance":7}"#,
                outcome: Ok("Mira bought “Dune” for 12 euros."),
            },
        ],
    );
    let theatre = Theatre::asking(&store, "every part of it");
    let taken = theatre.learn(
        "set 张三, 李四, 王五\n[77] @张三: 我答应李四教他骑马\n[78] 李四: 太好了",
        r#"{"kind":"promise","text":"张三答应教李四骑马。","about":["张三"],"lines":["L1"],
            "keywords":["骑马"],"topics":["承诺"],"emotions":["期待"],"importance":0.85}"#,
    );
    assert_eq!(taken, Answered::Taken { memories: 1, rejected: 0 });
    let held = theatre.held_by("王五").pop().unwrap();
    let memory = &held.memory;
    assert_eq!((memory.kind, memory.importance, memory.tick), (Kind::Goal, 0.85, Some(77)));
    assert_eq!(memory.about, [id_of("张三"), id_of("李四")], "those whom it names");
    assert_eq!(
        (memory.keywords[0].as_str(), &memory.topics, &memory.emotions),
        ("骑马", &vec!["承诺".into()], &vec!["期待".into()])
    );
    assert_eq!((memory.model.as_deref(), held.state.layer), (Some("model-x"), None));
    assert_eq!((memory.sources.len(), memory.sources[0].line.get()), (1, 1));
    let all = ["张三", "李四", "王五"].map(|name| theatre.held_by(name).pop().unwrap().memory.id);
    assert!(all.iter().all(|id| *id == memory.id), "all who saw it know it");
    assert_eq!(
        theatre.learn("@张三: 昨晚我们喝醉了", r#"{"kind":"episodic","text":"张三喝醉了。","lines":["L1"]}"#),
        Answered::Taken { memories: 1, rejected: 0 }
    );
    let lived = theatre.held_by("王五").pop().unwrap();
    assert_eq!((lived.memory.kind, lived.state.layer), (Kind::Episodic, Some(Layer::Events)));
}

pub fn not_believed(store: Arc<dyn Store>) {
    check(
        &store,
        &[
            Claim {
                said: "set 张三, 李四\n@张三: 我有两只猫\n李四: 哦",
                answer: r#"{"text":"张三有7只猫。","lines":["L1"]}"#,
                outcome: Err("its lines do not say 7"),
            },
            Claim {
                said: "set 张三, 李四\n@张三: 我今天见到了李四\n李四: 嗯",
                answer: r#"{"text":"张三杀死了李四。","lines":["L1"]}"#,
                outcome: Err("its lines do not say 杀死"),
            },
            Claim {
                said: "set Mira, Tom\n@Mira: I will go to the market.\nTom: Fine.",
                answer: r#"{"text":"Mira will go to the market with Gandalf.","lines":["L1"]}"#,
                outcome: Err("its lines do not name Gandalf"),
            },
            Claim {
                said: "set 张三, 李四\n@张三: 我喜欢火锅\n李四: 哦",
                answer: r#"{"text":"Zhang San likes hotpot very much.","lines":["L1"]}"#,
                outcome: Err("it is in another language than its lines"),
            },
            Claim {
                said: "set さくら, 太郎\n@さくら: 私は猫が大好きです\n太郎: うん",
                answer: r#"{"text":"樱花非常喜欢猫咪这种动物。","lines":["L1"]}"#,
                outcome: Err("it is in another language than its lines"),
            },
            Claim {
                said: "set 张三, 李四\n@张三: 我喜欢火锅\n李四: 哦",
                answer: r#"{"text":"张三喜欢火锅。"}"#,
                outcome: Err("it cites no line"),
            },
            Claim {
                said: "set 张三, 李四\n@张三: 我喜欢火锅\n李四: 哦",
                answer: r#"{"text":"张三喜欢火锅。","lines":["L1","L12"]}"#,
                outcome: Err("it cites \"L12\", and there is no such line"),
            },
            Claim {
                said: "set Mira, Tom\n@Mira: The weather is nice today.\nTom: Yes.",
                answer: r#"{"text":"Mira secretly hates everybody around here.","lines":["L1"]}"#,
                outcome: Err("its lines say something else"),
            },
            Claim {
                said: "set 张三, 李四\n@张三: 我读了一本书\n李四: 哦",
                answer: r#"{"text":"张三读了《红楼梦》这本书。","lines":["L1"]}"#,
                outcome: Err("its lines do not name 红楼梦"),
            },
            Claim {
                said: "set 张三, 李四\n@张三: 我读了一本书\n李四: 哦",
                answer: r#"{"text":"  ","lines":["L1"]}"#,
                outcome: Err("it is empty or too long"),
            },
        ],
    );
    let theatre = Theatre::asking(&store, "somebody of the cast who is not there");
    theatre.play("set Sam, Kim");
    theatre.learn(
        "set 张三, 李四\n@张三: 我要去钓鱼\n李四: 好",
        r#"{"text":"张三要和Kim去钓鱼。","lines":["L1"]}, {"text":"张三要去钓鱼。","lines":["L1"]},
           {"text":"张三要去钓鱼","lines":["L1"]}"#,
    );
    assert_eq!(theatre.statements_of("张三"), ["张三要去钓鱼。"]);
    assert_eq!(theatre.reasons(), ["its lines do not name Kim", "it is said twice"]);
    let theatre = Theatre::asking(&store, "a name inside a word is no name");
    theatre.play("set Sam, Al");
    theatre.learn(
        "set Samantha, Bob\n@Samantha: I also like almonds.\nBob: OK.",
        r#"{"text":"Samantha likes almonds.","lines":["L1"]}"#,
    );
    assert_eq!(theatre.statements_of("Bob"), ["Samantha likes almonds."], "{:?}", theatre.reasons());
    let theatre = Theatre::asking(&store, "too much at once");
    let many: Vec<String> =
        (0..20).map(|n| format!(r#"{{"text":"{}{n}","lines":["L1"]}}"#, "甲乙丙丁".repeat(n + 1))).collect();
    let taken = theatre.learn("set 张三, 李四\n@张三: 无所谓", &many.join(","));
    assert_eq!(taken, Answered::Taken { memories: 0, rejected: 16 });
}

pub fn reconciled(store: Arc<dyn Store>) {
    let theatre = Theatre::asking(&store, "世界");
    let statement = |text: &str, replaces: &str| format!(r#"{{"text":"{text}","lines":["L1"]{replaces}}}"#);
    let first = "李四住在上海浦东的一栋老房子里";
    theatre.learn(&format!("set 李四, 王五\n@李四: {first}"), &statement(first, ""));
    let same = theatre.learn(&format!("@李四: 我说过，{first}"), &statement(&format!("{first}。"), ""));
    assert_eq!(same, Answered::Taken { memories: 0, rejected: 1 });
    assert_eq!(theatre.reasons(), ["it is known already"]);
    assert_eq!(theatre.statements_of("王五"), [first]);

    let theatre = Theatre::asking(&store, "refined");
    theatre.learn(
        "set 李四, 王五\n@李四: 李四在上海浦东的一栋老房子里住了十年",
        &statement("李四在上海浦东的一栋老房子里住了十年", ""),
    );
    let before = theatre.held_by("王五").pop().unwrap();
    theatre.play(&format!("pin 王五 M{}", before.memory.id));
    theatre.learn(
        "@李四: 李四在上海浦东的一栋老房子里住了十年多",
        &statement("李四在上海浦东的一栋老房子里住了十年多", ""),
    );
    for (name, pinned) in [("李四", false), ("王五", true)] {
        assert_eq!(theatre.statements_of(name), ["李四在上海浦东的一栋老房子里住了十年多"]);
        assert_eq!(theatre.held_by(name).pop().unwrap().state.pinned, pinned, "what was pinned stays pinned");
    }

    let theatre = Theatre::asking(&store, "superseded");
    theatre.learn("set Mira, Tom\n[10] @Mira: I live in Rome.", &statement("Mira lives in Rome.", ""));
    theatre.play("[20] @Mira: I moved to Oslo last week.\ndigest now");
    let question = theatre.ask().remove(0);
    assert!(question.messages[0].1.contains("[K1] Mira lives in Rome."), "{question:?}");
    let answer = format!(r#"{{"memories":[{}]}}"#, statement("Mira moved to Oslo.", r#","replaces":"K1""#));
    assert_eq!(theatre.answer(&question, &answer), Answered::Taken { memories: 1, rejected: 0 });
    assert_eq!(theatre.statements_of("Tom"), ["Mira moved to Oslo."]);
    let old = theatre.all_of("Tom", true).into_iter().map(|one| one.held);
    let old =
        old.filter(|held| held.text() == "Mira lives in Rome.").map(|held| held.memory.id).next().unwrap();
    let validity = || {
        let one = theatre.engine.memory(&theatre.world, old).unwrap().pop().unwrap();
        let past =
            theatre.engine.memory_history(&theatre.world, old, Some(&one.holder)).unwrap().pop().unwrap();
        let replaced = past.replaced.values().next().copied();
        assert_eq!(
            (past.valid_from, replaced),
            (one.valid_from(), one.valid_until()),
            "its history says the same"
        );
        (one.valid_from().and_then(|from| from.tick), one.valid_until().and_then(|until| until.tick))
    };
    assert_eq!(validity(), (Some(10), Some(20)), "what was so is kept, with when it was");
    theatre.play("hide L2");
    assert_eq!(theatre.statements_of("Tom"), ["Mira lives in Rome."], "it counts while the other does");
    assert_eq!(validity(), (Some(10), None));
    theatre.play("show L2");
    assert_eq!(validity(), (Some(10), Some(20)));
    theatre.play("save moved\nundo 1");
    assert_eq!(validity(), (Some(10), None), "nobody moved on this path");
    theatre.play("load moved");
    assert_eq!(validity(), (Some(10), Some(20)));
    assert_eq!(theatre.statements_of("Tom"), ["Mira moved to Oslo."]);
    let newer = theatre.held_by("Tom").pop().unwrap().memory.id;
    theatre.play(&format!("forget Tom M{newer}"));
    assert_eq!(theatre.statements_of("Tom"), [""; 0], "what it took the place of does not come back instead");
    theatre.play(&format!("unforget Tom M{newer}"));
    assert_eq!(theatre.statements_of("Tom"), ["Mira moved to Oslo."]);
}

/// What all know is told as known; and a newcomer, who knows nothing, does not keep the others from knowing better.
pub fn reconciled_beside_a_newcomer(store: Arc<dyn Store>) {
    for (what, known, moved, old, new) in [
        ("中文", "李四", "我搬到成都了", "李四住在上海。", "李四搬到成都了。"),
        ("日本語", "健", "大阪に引っ越しました", "健は東京に住んでいます。", "健は大阪に引っ越しました。"),
        ("English", "Mira", "I moved to Oslo.", "Mira lives in Rome.", "Mira moved to Oslo."),
    ] {
        let theatre = Theatre::asking(&store, what);
        let statement =
            |text: &str, replaces: &str| format!(r#"{{"text":"{text}","lines":["L1"]{replaces}}}"#);
        theatre.learn(&format!("scene 屋: {known}, Tom\n@{known}: {old}"), &statement(old, ""));
        theatre.play(&format!("present {known}, Tom, Kim\n@{known}: {moved}\ndigest now"));
        let questions = theatre.ask();
        let told: Vec<bool> = questions
            .iter()
            .map(|question| question.messages[0].1.contains(&format!("[K1] {old}")))
            .collect();
        assert_eq!(told, [true, false], "{what}: those who know it, and the one who does not");
        assert_eq!(theatre.ask(), [], "{what}: all of it was asked");
        let answers = [statement(new, r#","replaces":"K1""#), statement(new, "")];
        for (question, answer) in questions.iter().zip(&answers) {
            let taken = theatre.answer(question, &format!(r#"{{"memories":[{answer}]}}"#));
            assert!(
                matches!(taken, Answered::Taken { rejected: 0, .. }),
                "{what}: {taken:?} {:?}",
                theatre.reasons()
            );
        }
        for name in [known, "Tom", "Kim"] {
            assert_eq!(theatre.statements_of(name), [new], "{what}: {name}");
        }
        let shared: Vec<_> =
            [known, "Tom", "Kim"].map(|name| theatre.held_by(name).pop().unwrap().memory.id).into();
        assert!(shared.windows(2).all(|two| two[0] == two[1]), "{what}: it is one memory of all three");
        assert_eq!(theatre.ask(), [], "{what}: nobody is asked again");
        theatre.play("hide L3");
        assert_eq!(theatre.statements_of("Tom"), [old], "{what}: it counts while the other does");
        assert_eq!(theatre.statements_of("Kim"), [""; 0], "{what}");
    }
}

/// However differently they know each other: not everybody is asked about alone.
pub fn few_questions_about_many(store: Arc<dyn Store>) {
    let theatre = Theatre::asking(&store, "many");
    theatre.play("set Ann, Bob, Cid, Dee, Eve, Fay");
    for (holder, facts) in [("Bob", 1), ("Cid", 2), ("Dee", 3), ("Eve", 4), ("Fay", 5)] {
        for number in 0..facts {
            let text = format!("{holder} knows trick number {number}.");
            let fact = Remember { kind: Kind::Semantic, ..happened(holder, &text) };
            theatre.engine.remember(&theatre.world, fact).unwrap();
        }
    }
    theatre.play("@Ann: I moved to Oslo.\ndigest now");
    let questions = theatre.ask();
    let told: Vec<usize> = questions.iter().map(|one| one.messages[0].1.matches("[K").count()).collect();
    assert_eq!(told, [5, 4, 3, 0], "those who know least are asked about together");
}

pub fn forgotten_for_good(store: Arc<dyn Store>) {
    let theatre = Theatre::asking(&store, "世界");
    let secret = r#"{"kind":"trait","text":"さくらは高い所が苦手です。","lines":["L1"]}"#;
    theatre.learn("set さくら, 太郎\n@さくら: 私は高い所が苦手です", secret);
    let memory = theatre.held_by("太郎").pop().unwrap().memory.id;
    theatre.play(&format!("forget 太郎 M{memory}"));
    for said in ["私は高い所が苦手です", "やっぱり高い所が苦手なんです"] {
        theatre.learn(&format!("@さくら: {said}"), secret);
        assert_eq!(theatre.statements_of("太郎"), [""; 0], "{said}");
        assert_eq!(theatre.statements_of("さくら").len(), 1, "the other one still knows");
    }
    assert!(
        theatre
            .reasons()
            .iter()
            .all(|reason| reason == "it was forgotten" || reason == "it is known already")
    );

    let theatre = Theatre::asking(&store, "about somebody who is not there");
    theatre.play("set Gandalf, Frodo");
    let gossip = r#"{"text":"Gandalf owes Tom twelve gold coins.","lines":["L1"]}"#;
    theatre.learn("set Mira, Tom\n@Mira: Gandalf owes Tom twelve gold coins.", gossip);
    assert_eq!(theatre.statements_of("Mira"), ["Gandalf owes Tom twelve gold coins."]);
    let memory = theatre.held_by("Mira").pop().unwrap().memory.id;
    theatre.play(&format!("forget Mira M{memory}"));
    theatre.learn("@Tom: Gandalf owes Tom twelve gold coins.", gossip);
    assert_eq!(theatre.statements_of("Mira"), [""; 0]);

    let theatre = Theatre::asking(&store, "a round that was forgotten is not asked about");
    theatre.play("set 张三, 李四\n@张三: 我偷了马\ndigest now\nforget 张三 M1\nforget 李四 M1");
    assert_eq!(theatre.ask(), []);
}

/// What is left of a statement's keywords, topics and emotions: those that its lines bear out, or anybody's words.
pub fn labels_come_from_the_lines(store: Arc<dyn Store>) {
    for (said, text, labels, kept, left_out) in [
        (
            "set Ann, Bob\n@Ann: I have three cats.\nBob: Nice.",
            "Ann has 3 cats.",
            r#""keywords":["Paris","cats","42 dogs"],"topics":["Hogwarts","Pets","family life"],"emotions":["joy","Voldemort"]"#,
            (vec!["cats", "Ann"], vec!["Pets", "family life"], vec!["joy"]),
            vec!["Paris", "42 dogs", "Hogwarts", "Voldemort"],
        ),
        (
            "set 张三, 李四\n@张三: 我养了三只猫。\n李四: 真好",
            "张三养了三只猫。",
            r#""keywords":["巴黎","三只猫","王小明"],"topics":["宠物","赵医生"],"emotions":["高兴"]"#,
            (vec!["三只猫", "张三"], vec!["宠物"], vec!["高兴"]),
            vec!["巴黎", "王小明", "赵医生"],
        ),
        (
            "set さくら, 太郎\n@さくら: 私は猫を飼っています。\n太郎: いいね",
            "さくらは猫を飼っている。",
            r#""keywords":["パリ","猫"],"topics":["ペット","田中さん"],"emotions":["喜び"]"#,
            (vec!["猫", "さくら"], vec!["ペット"], vec!["喜び"]),
            vec!["パリ", "田中さん"],
        ),
    ] {
        let theatre = Theatre::asking(&store, said);
        let taken = theatre.learn(said, &format!(r#"{{"text":"{text}","lines":["L1"],{labels}}}"#));
        assert_eq!(taken, Answered::Taken { memories: 1, rejected: 0 }, "{text}: {:?}", theatre.reasons());
        let name = said.split_once(',').unwrap().0.trim_start_matches("set ");
        let memory = theatre.held_by(name).pop().unwrap().memory;
        let keywords: Vec<&str> = memory.keywords.iter().take(kept.0.len()).map(String::as_str).collect();
        assert_eq!(
            (keywords, memory.topics, memory.emotions),
            (kept.0, owned(&kept.1), owned(&kept.2)),
            "{text}"
        );
        let told = theatre.jobs().into_iter().flat_map(|job| job.rejects);
        assert_eq!(told.map(|reject| reject.text).collect::<Vec<_>>(), left_out, "{text}: the job tells");
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub fn whom_it_is_about(store: Arc<dyn Store>) {
    let theatre = Theatre::asking(&store, "世界");
    theatre.play("set 张三#2, 李四");
    theatre.learn(
        "set 张三#1, 王五\n@张三#1: 我会弹琴\n王五: 真好",
        r#"{"kind":"trait","text":"张三会弹琴。","about":["张三"],"lines":["L1"]}"#,
    );
    let held = theatre.held_by("王五").pop().unwrap();
    assert_eq!(held.memory.about, [id_of("张三#1")], "of two with one name the one who was there");
    theatre.learn("@王五: 今天很热", r#"{"text":"今天很热。","lines":["L1"]}"#);
    assert_eq!(theatre.held_by("王五").pop().unwrap().memory.about, [id_of("王五")], "else whoever says so");
    let theatre = Theatre::asking(&store, "somebody whom nobody knows");
    for (about, said, text, expected) in [
        (r#"["Carl"]"#, "I heard that Carl is pregnant.", "Carl is pregnant.", vec![]),
        ("[]", "Dora moved to Oslo.", "Dora moved to Oslo.", vec![]),
        (r#"["Carl","Ann"]"#, "Carl owes me ten euros.", "Carl owes ten euros.", vec![id_of("Ann")]),
        (r#"["user"]"#, "The weather is awful.", "The weather is awful.", vec![id_of("Ann")]),
    ] {
        theatre.learn(
            &format!("set Ann, Bob\n@Ann: {said}\nBob: Hm."),
            &format!(r#"{{"text":"{text}","about":{about},"lines":["L1"]}}"#),
        );
        let held = theatre.held_by("Bob").pop().unwrap();
        assert_eq!((held.text(), &held.memory.about), (text, &expected), "{:?}", theatre.reasons());
    }
    let again =
        theatre.learn("@Ann: Dora moved to Oslo.", r#"{"text":"Dora moved to Oslo.","lines":["L1"]}"#);
    assert_eq!(again, Answered::Taken { memories: 0, rejected: 1 }, "it is known already");
}

pub fn days_get_dates(store: Arc<dyn Store>) {
    let at = |world: &str, settings: &str, said: &str, text: &str| {
        let theatre = Theatre::asking(&store, world);
        theatre.play(settings);
        theatre.learn(said, &format!(r#"{{"kind":"goal","text":"{text}","lines":["L1"]}}"#));
        let known = theatre.statements_of("张三");
        assert_eq!(known.len(), 1, "{:?}", theatre.reasons());
        known[0].clone()
    };
    assert_eq!(
        at("wall", "", "set 张三\n@张三: 我明天去成都", "张三明天去成都。"),
        "张三明天（2024-05-06）去成都。"
    );
    let said = "set 张三\n[120000] @张三: 我后天去成都";
    assert_eq!(
        at("game", "put calendar.kind = rimworld", said, "张三后天去成都。"),
        "张三后天（5500年春季第5天）去成都。",
        "nobody spoke of an hour"
    );
    assert_eq!(
        at("ticks alone", "", said, "张三后天去成都。"),
        "张三后天去成都。",
        "nobody knows which day it is in the game"
    );
    let pairs = [
        ("calendar.kind", "custom"),
        ("calendar.units.0.name", "dawn"),
        ("calendar.units.0.size", "10"),
        ("calendar.format.zh", "[第{dawn}个黎明]"),
    ];
    let theatre = Theatre::asking(&store, "nobody knows how long a day is");
    let settings = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    theatre.engine.put_world(&theatre.world, WorldPatch { preset: None, settings }).unwrap();
    theatre.learn("set 张三\n[25] @张三: 我明天去成都", r#"{"text":"张三明天去成都。","lines":["L1"]}"#);
    assert_eq!(theatre.statements_of("张三"), ["张三明天去成都。"]);
    assert_eq!(
        at("said as a date", "", "set 张三\n@张三: 我明天去成都", "张三2024年5月6日去成都。"),
        "张三2024年5月6日去成都。"
    );
}
