//! When does a model's telling of a day take the place of the rules'?

use std::sync::Arc;

use reverie_core::digest::Purpose;
use reverie_core::job::{JobKind, Stage};
use reverie_core::memory::{Held, Origin};
use reverie_core::{Answered, Store};

use super::theatre::Theatre;

/// Two rounds, and the day after.
fn a_day(store: &Arc<dyn Store>, world: &str) -> Theatre {
    let theatre = Theatre::new(store.clone(), world);
    theatre.play(
        "put layers.hour = 10
         put digest.batch_seconds = 31536000
         set 张三
         [0] 张三: 早上我去打猎
         digest now
         [50] 张三: 晚上我烤了鹿肉
         digest now
         [240] 张三: 第二天
         digest",
    );
    theatre
}

fn days(theatre: &Theatre) -> Vec<Held> {
    theatre.held_by("张三").into_iter().filter(|held| held.memory.origin == Origin::Day).collect()
}

const TOLD: &str = "张三早上去打猎，晚上烤了鹿肉。";

pub fn in_a_models_words(store: Arc<dyn Store>) {
    let theatre = a_day(&store, "世界");
    let by_rules = days(&theatre).remove(0);
    theatre.play(&format!("pin 张三 M{}", by_rules.memory.id));
    let asked = theatre.ask();
    let [question] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!((question.purpose, question.json), (Purpose::Retell, false));
    for word in ["张三: \"早上我去打猎\"", "张三: \"晚上我烤了鹿肉\"", "供 张三 日后回想"]
    {
        assert!(question.messages[0].1.contains(word), "{word} is not in {question:?}");
    }
    let taken = theatre.answer(question, &format!("<think>一天</think>\n{TOLD}"));
    assert_eq!(taken, Answered::Taken { memories: 1, rejected: 0 });
    let told = days(&theatre);
    let [day] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((day.text(), day.memory.model.as_deref()), (TOLD, Some("model-x")));
    assert_eq!((&day.memory.from, day.memory.tick), (&by_rules.memory.from, by_rules.memory.tick));
    assert!(day.state.pinned, "what was pinned stays pinned");
    let parts = theatre.held_by("张三").into_iter().filter(|held| held.memory.origin == Origin::Round);
    assert!(
        parts.filter(|held| held.summarised.is_some()).all(|held| held.summarised == Some(day.memory.id))
    );
    theatre.play("digest");
    assert_eq!((theatre.ask(), days(&theatre).len()), (vec![], 1), "it is told once");

    theatre.play("edit L1: 早上我去钓鱼\ndigest");
    assert_eq!(days(&theatre).len(), 1);
    assert!(days(&theatre)[0].text().contains("钓鱼"), "a day that changed is told anew, by rules first");
    theatre.play(&format!("forget 张三 M{}", days(&theatre)[0].memory.id));
    assert_eq!(days(&theatre), [], "what is forgotten does not come back in other words");
}

pub fn not_believed_in_the_end(store: Arc<dyn Store>) {
    let theatre = a_day(&store, "世界");
    for attempt in 1..=3 {
        let question = theatre.ask().remove(0);
        let taken = theatre.answer(&question, "张三早上去打猎，杀死了100个人。");
        match attempt {
            3 => assert_eq!(taken, Answered::Taken { memories: 0, rejected: 1 }),
            _ => {
                assert_eq!(taken, Answered::Again);
                let trouble = theatre.jobs().remove(0).trouble.unwrap();
                assert_eq!(
                    (trouble.code.as_str(), trouble.message.as_str()),
                    ("not_believed", "its lines do not say 100")
                );
                theatre.wait(300);
            }
        }
    }
    let job = theatre.jobs().remove(0);
    assert_eq!((job.kind, job.stage, job.rejects.len()), (JobKind::Retell, Stage::Done, 1));
    theatre.wait(30 * 86_400);
    theatre.play("张三: 很久以后");
    assert_eq!(theatre.ask().iter().filter(|question| question.purpose == Purpose::Retell).count(), 0);
    assert!(
        days(&theatre)[0].text().starts_with("[小结：2024-05-05；张三；2轮对话]"),
        "the rules' telling stays"
    );
}

pub fn eras_and_days(store: Arc<dyn Store>) {
    let theatre = a_day(&store, "世界");
    theatre.play("put layers.era_days = 2\n[480] 张三: 第三天\ndigest");
    let mut asked = theatre.ask();
    assert_eq!(asked.len(), 2, "the day and the era");
    let day = asked.iter().position(|question| question.id.contains(":3:")).unwrap();
    let day = asked.remove(day);
    assert_eq!(theatre.answer(&day, TOLD), Answered::Taken { memories: 1, rejected: 0 });
    let era = asked.remove(0);
    assert_eq!(
        theatre.answer(&era, "张三早上打猎，晚上烤鹿肉。"),
        Answered::Taken { memories: 1, rejected: 0 },
        "a day that was told better meanwhile is still a part of its era"
    );
    let eras: Vec<Held> =
        theatre.held_by("张三").into_iter().filter(|held| held.memory.origin == Origin::Era).collect();
    assert_eq!((eras.len(), eras[0].text()), (1, "张三早上打猎，晚上烤鹿肉。"));
    let day = days(&theatre).remove(0);
    assert_eq!((day.text(), day.summarised.is_some()), (TOLD, true));
    assert_eq!(theatre.ask(), []);
}

/// What one said of themselves stays theirs when a day is told, one to a line: what was said, how it is told, of whom it is not.
pub fn by_whom_it_was_said(store: Arc<dyn Store>) {
    let cases = "
        张三: 我从小怕打雷 / 李四: 我昨天买了一匹马 | 张三从小怕打雷，李四昨天买了一匹马。 |
        张三: 我从小怕打雷 / 李四: 我昨天买了一匹马 | 李四从小怕打雷。 | 李四
        张三: 李四，我从小怕打雷 / 李四: 别怕 | 李四从小怕打雷。 | 李四
        张三: 李四，我从小怕打雷 / 李四: 别怕 | 张三说自己从小怕打雷，李四让他别怕。 |
        Ann: I bought a horse. / Bob: And I sold a cow. | Ann bought a horse and Bob sold a cow. It was a good day. |
        Ann: I bought a horse. / Bob: And I sold a cow. | Ann sold a cow. | Ann
        Ann: I bought a horse. / Bob: And I sold a cow. | Bob bought a horse, and Ann was glad. | Bob
        Ann: Hey Bob! I lost my left arm in the war. / Bob: I am sorry. | Bob lost his left arm in the war. | Bob
        さくら: 健太、私は雷が怖い / 健太: 俺は馬を買った | さくらは雷が怖い。健太は馬を買った。 |
        さくら: 健太、私は雷が怖い / 健太: 俺は馬を買った | 健太は雷が怖い。 | 健太";
    for (number, case) in cases.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
        let (story, wronged) = case.rsplit_once('|').unwrap();
        let (said, told) = story.split_once(" | ").unwrap();
        let lines: Vec<&str> = said.split(" / ").collect();
        let names: Vec<&str> = lines.iter().map(|line| line.split_once(':').unwrap().0).collect();
        let theatre = Theatre::new(store.clone(), &format!("told {number}"));
        theatre.play("put layers.hour = wall\nput digest.batch_seconds = 31536000");
        theatre.play(&format!("set {}\n@{}\ndigest now", names.join(", "), lines.join("\n")));
        theatre.play(&format!("wait 172800\n{}: …\ndigest", names[0]));
        let question = theatre.ask().remove(0);
        let answered = theatre.answer(&question, told.trim());
        let troubles =
            theatre.jobs().into_iter().filter_map(|job| job.trouble).map(|trouble| trouble.message);
        let reason = troubles.collect::<Vec<_>>().join("; ");
        match wronged.trim() {
            "" => assert_eq!(answered, Answered::Taken { memories: 1, rejected: 0 }, "{case}: {reason}"),
            name => {
                let expected = format!("do not say so of {name}:");
                assert!(answered == Answered::Again && reason.contains(&expected), "{case}: {reason:?}");
            }
        }
    }
}

/// A day in a model's words, one to a line: what was said, how it is told, and the word that is not believed, if any.
pub fn told_or_made_up(store: Arc<dyn Store>) {
    let cases = "
        张三: 早上我去打猎 / 张三: 晚上我烤了鹿肉 | 张三早上去打猎，晚上烤了鹿肉，过得很开心。 |
        张三: 早上我去打猎 / 张三: 晚上我烤了鹿肉 | 2024年5月5日，张三早上去打猎，晚上烤了鹿肉。 |
        张三: 我在杭州见到了师父 / 张三: 他教了我一套剑法 | 张三在杭州见到师父，师父教给他一套剑法。 |
        张三: 我在杭州见到了师父 / 张三: 他教了我一套剑法 | 张三在苏州见到师父，师父教给他一套剑法。 | 苏州
        张三: 早上我去打猎 / 张三: 晚上我烤了鹿肉 | 张三早上去长白山打猎，晚上烤了鹿肉。 | 长白山
        张三: 早上我去打猎 / 张三: 晚上我烤了鹿肉 | 张三昨天早上去打猎，晚上烤了鹿肉。 | 昨天
        张三: 早上我去打猎 / 张三: 晚上我烤了鹿肉 | 2023年5月5日，张三去打猎。 | 2023年5月5日
        张三: 我不喜欢打猎 / 张三: 我喜欢烤肉 | 张三去打猎，烤了九次肉。 | 九
        Mira: I met my master in Rome. / Mira: He showed me a strange map. | Mira met her master in Rome, and he showed her a strange map. It was a cheerful gathering. |
        Mira: I met my master in Rome. / Mira: He showed me a strange map. | Mira met her master in Paris, and he showed her a strange map. | Paris
        Mira: I met my master in Rome. / Mira: He showed me a strange map. | Mira met her master in paris, and he showed her a strange map. | paris
        Mira: I met my master in Rome. / Mira: He showed me a strange map. | Mira met her master Yoda in Rome. | Yoda
        Mira: I met my master in Rome. / Mira: He showed me a strange map. | Yesterday Mira met her master in Rome. | Yesterday
        さくら: 京都で師匠に会いました / さくら: 古い地図をもらいました | さくらは京都で師匠に会い、古い地図をもらった。 |
        さくら: 京都で師匠に会いました / さくら: 古い地図をもらいました | さくらは大阪で師匠に会い、古い地図をもらった。 | 大阪
        さくら: 京都で師匠に会いました / さくら: 古い地図をもらいました | さくらは京都でユキに会い、古い地図をもらった。 | ユキ
        さくら: 京都で師匠に会いました / さくら: 古い地図をもらいました | さくらは先週、京都で師匠に会った。 | 先週";
    let cases = cases.lines().map(str::trim).filter(|line| !line.is_empty());
    for (number, case) in cases.enumerate() {
        let (story, made_up) = case.rsplit_once('|').unwrap();
        let (said, told) = story.split_once(" | ").unwrap();
        let name = said.split_once(':').unwrap().0;
        let theatre = Theatre::new(store.clone(), &format!("day {number}"));
        theatre.play(&format!("put layers.hour = wall\nput digest.batch_seconds = 31536000\nset {name}"));
        for line in said.split(" / ") {
            theatre.play(&format!("{line}\ndigest now"));
        }
        theatre.play(&format!("wait 172800\n{name}: …\ndigest"));
        let question = theatre.ask().remove(0);
        let answered = theatre.answer(&question, told.trim());
        let reason = theatre.jobs().remove(0).trouble.map(|trouble| trouble.message).unwrap_or_default();
        match made_up.trim() {
            "" => assert_eq!(answered, Answered::Taken { memories: 1, rejected: 0 }, "{case}: {reason}"),
            word => assert!(answered == Answered::Again && reason.ends_with(word), "{case}: {reason:?}"),
        }
    }
}
