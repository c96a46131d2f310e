//! Is every day that a statement names one that its lines name, and does a memory say which day that was?

use std::sync::Arc;

use reverie_core::Store;

use super::theatre::Theatre;

/// All is said at noon on Sunday, 2024-05-05. Who is there, what was said, what a model makes of it, and what is remembered; the
/// last part is missing where that is the same, and `not` with a word where that word is not believed.
fn check(store: &Arc<dyn Store>, all: &'static str) {
    let cases = all.lines().map(str::trim).filter(|line| !line.is_empty());
    let wrong = cases.enumerate().filter_map(|(number, case)| {
        let parts: Vec<&str> = case.split(" | ").collect();
        let [people, said, statement] = parts[..3] else { panic!("{case}") };
        let theatre = Theatre::asking(store, &format!("time {number}"));
        let answer = format!("{{\"text\":\"{statement}\",\"lines\":[\"L1\"]}}");
        theatre.learn(&format!("set {people}\n{}", said.replace(" / ", "\n")), &answer);
        let known = theatre.statements_of(people.split(", ").next().unwrap());
        let told = known.first().cloned().unwrap_or_else(|| theatre.reasons().join("; "));
        let expected = match parts.get(3).copied().unwrap_or(statement) {
            refused if refused.starts_with("not ") => refused.replacen("not ", "its lines do not say ", 1),
            text => text.to_owned(),
        };
        (told != expected).then(|| format!("\n{case}\n  became {told}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>().concat(), "");
}

pub fn as_they_were_said(store: Arc<dyn Store>) {
    check(
        &store,
        "
        张三 | @张三: 我下周五去成都出差 | 张三下周五去成都出差。 | 张三下周五（2024-05-10）去成都出差。
        张三 | @张三: 我下周五去成都出差 | 张三5月10日去成都出差。
        张三 | @张三: 我下周五去成都出差 | 张三2024年5月10日要去成都出差。
        张三 | @张三: 我下周五去成都出差 | 张三下周要去成都出差。 | 张三下周（2024-05-06至2024-05-12）要去成都出差。
        张三 | @张三: 大后天考试，好紧张 | 张三大后天考试，很紧张。 | 张三大后天（2024-05-08）考试，很紧张。
        张三 | @张三: 大后天考试，好紧张 | 张三周三考试，很紧张。 | 张三周三（2024-05-08）考试，很紧张。
        张三 | @张三: 我明晚请客吃火锅 | 张三明晚请客吃火锅。 | 张三明晚（2024-05-06）请客吃火锅。
        张三 | @张三: 我明晚请客吃火锅 | 张三明天晚上请客吃火锅。 | 张三明天（2024-05-06）晚上请客吃火锅。
        张三 | @张三: 三天前我丢了钱包 | 张三3天前丢了钱包。 | 张三3天前（2024-05-02）丢了钱包。
        张三 | @张三: 三天前我丢了钱包 | 张三在2024年5月2日丢了钱包。
        张三 | @张三: 两周后我要搬家 | 张三两周后要搬家。 | 张三两周后（2024-05-13至2024-05-19）要搬家。
        张三 | @张三: 两周后我要搬家 | 张三5月19日要搬家。
        张三 | @张三: 去年冬天我摔断了腿 | 张三去年冬天摔断了腿。 | 张三去年冬天（2023-12/2024-02）摔断了腿。
        张三 | @张三: 上个月我换了工作 | 张三上个月换了工作。 | 张三上个月（2024-04）换了工作。
        张三 | @张三: 上个月我换了工作 | 张三2024年4月换了工作。
        张三 | @张三: 我2019年来到这座城市 | 张三2019年来到这座城市。
        张三 | @张三: 我生日是五月三号 | 张三的生日是5月3日。
        张三 | @张三: 每周五我都去打球 | 张三每周五去打球。
        张三 | @张三: 我今年二十五岁了 | 张三今年25岁。 | 张三今年（2024）25岁。
        张三 | @张三: 我刚才摔了一跤 | 张三在2024年5月5日摔了一跤。
        张三 | @张三: 我喜欢下棋 | 2024年5月5日，张三说自己喜欢下棋。
        張三 | @張三: 下週五我請客 | 張三下週五請客。 | 張三下週五（2024-05-10）請客。
        さくら | @さくら: 来週の金曜日に京都へ行きます | さくらは来週の金曜日に京都へ行く。 | さくらは来週の金曜日（2024-05-10）に京都へ行く。
        さくら | @さくら: 来週の金曜日に京都へ行きます | さくらは5月10日に京都へ行く。
        さくら | @さくら: おととい財布をなくしました | さくらはおととい財布をなくした。 | さくらはおととい（2024-05-03）財布をなくした。
        さくら | @さくら: おととい財布をなくしました | さくらは二日前に財布をなくした。 | さくらは二日前（2024-05-03）に財布をなくした。
        さくら | @さくら: 先週は風邪で寝ていました | さくらは先週、風邪で寝ていた。 | さくらは先週（2024-04-22〜2024-04-28）、風邪で寝ていた。
        さくら | @さくら: 来月引っ越します | さくらは来月引っ越す。 | さくらは来月（2024-06）引っ越す。
        さくら | @さくら: 去年の冬に祖母が亡くなりました | さくらの祖母は去年の冬に亡くなった。 | さくらの祖母は去年の冬（2023-12/2024-02）に亡くなった。
        さくら | @さくら: 金曜日に映画を見ます | さくらは金曜日に映画を見る。 | さくらは金曜日（2024-05-05の話）に映画を見る。
        Mira | @Mira: I am leaving for Oslo in three days. | Mira is leaving for Oslo in three days. | Mira is leaving for Oslo in three days (2024-05-08).
        Mira | @Mira: I am leaving for Oslo in three days. | Mira is leaving for Oslo on May 8th.
        Mira | @Mira: I am leaving for Oslo in three days. | Mira is leaving for Oslo on 2024-05-08.
        Mira | @Mira: I met him two weeks ago. | Mira met him two weeks ago. | Mira met him two weeks ago (2024-04-15 to 2024-04-21).
        Mira | @Mira: I met him two weeks ago. | Mira met him on April 21, 2024.
        Mira | @Mira: I lost my ring last Friday. | Mira lost her ring last Friday. | Mira lost her ring last Friday (2024-05-03).
        Mira | @Mira: We married last winter. | Mira married last winter. | Mira married last winter (2023-12/2024-02).
        Mira | @Mira: I bought a red bicycle on Friday. | Mira bought a red bicycle on Friday. | Mira bought a red bicycle on Friday (said 2024-05-05).
        Mira | @Mira: I start the new job next Friday. | Mira starts the new job next Friday. | Mira starts the new job next Friday (2024-05-10).
        Mira | @Mira: I swim every Monday. | Mira swims every Monday.
        Mira | @Mira: I have lived here since 2019. | Mira has lived here since 2019.
        Mira | @Mira: My exam is on May 20th. | Mira's exam is on May 20.
        Mira | @Mira: I quit my job yesterday. | Mira quit her job yesterday. | Mira quit her job yesterday (2024-05-04).
        张三 | @张三: 去年国庆我去了西藏 | 张三去年国庆去了西藏。 | 张三去年国庆（2023-10-01至2023-10-07）去了西藏。
        张三 | @张三: 去年圣诞我摔断了腿 | 张三2023年12月25日摔断了腿。
        张三 | @张三: 我最近睡不好 | 张三最近睡不好。
        张三 | @张三: 前几天我丢了钱包 | 张三前几天丢了钱包。
        张三 | @张三: 去年年底我换了工作 | 张三去年年底换了工作。 | 张三去年（2023）年底换了工作。
        さくら | @さくら: 去年のクリスマスに転びました | さくらは去年のクリスマスに転んだ。 | さくらは去年のクリスマス（2023-12-25）に転んだ。
        Mira | @Mira: I met him last Christmas. | Mira met him last Christmas. | Mira met him last Christmas (2023-12-25).
        Mira | @Mira: I met him at Christmas. | Mira met him at Christmas.
        Mira | @Mira: I lost my ring a few days ago. | Mira lost her ring a few days ago.",
    );
}

pub fn made_up(store: Arc<dyn Store>) {
    check(
        &store,
        "
        张三 | @张三: 我下周五去成都出差 | 张三明天去成都出差。 | not 明天
        张三 | @张三: 我下周五去成都出差 | 张三这周五去成都出差。 | not 这周五
        张三 | @张三: 我下周五去成都出差 | 张三5月17日去成都出差。 | not 5月17日
        张三 | @张三: 我下周五去成都出差 | 张三2024年5月11日去成都出差。 | not 2024年5月11日
        张三 | @张三: 我下周去成都出差 | 张三下周五去成都出差。 | not 下周五
        张三 | @张三: 我要去成都出差 | 张三明天要去成都出差。 | not 明天
        张三 | @张三: 我要去成都出差 | 张三2024年要去成都出差。 | not 2024年
        张三 | @张三: 我去过成都出差 | 张三今天去成都出差。 | not 今天
        张三 | @张三: 三天前我丢了钱包 | 张三昨天丢了钱包。 | not 昨天
        张三 | @张三: 三天前我丢了钱包 | 张三五天前丢了钱包。 | not 五天前
        张三 | @张三: 去年冬天我摔断了腿 | 张三去年夏天摔断了腿。 | not 去年夏天
        张三 | @张三: 去年冬天我摔断了腿 | 张三2022年冬天摔断了腿。 | not 2022年冬天
        张三 | @张三: 上个月我换了工作 | 张三上周换了工作。 | not 上周
        张三 | @张三: 我生日是五月三号 | 张三的生日是5月13日。 | not 5月13日
        张三 | @张三: 下周五我去打球 | 张三每周五去打球。 | not 周五
        张三 | @张三: 大后天考试 | 张三后天考试。 | not 后天
        张三 | @张三: 去年圣诞我摔断了腿 | 张三去年元旦摔断了腿。 | not 去年元旦
        张三 | @张三: 去年国庆我去了西藏 | 张三2023年10月3日去了西藏。 | not 2023年10月3日
        张三 | @张三: 前几天我丢了钱包 | 张三昨天丢了钱包。 | not 昨天
        Mira | @Mira: I met him last Christmas. | Mira met him on December 24, 2023. | not December 24, 2023
        Mira | @Mira: I lost my ring recently. | Mira lost her ring last week. | not last week
        さくら | @さくら: 来週の金曜日に京都へ行きます | さくらは明日京都へ行く。 | not 明日
        さくら | @さくら: 来週の金曜日に京都へ行きます | さくらは来週の木曜日に京都へ行く。 | not 来週の木曜日
        さくら | @さくら: 来週の金曜日に京都へ行きます | さくらは5月9日に京都へ行く。 | not 5月9日
        さくら | @さくら: 京都へ行きます | さくらは来月京都へ行く。 | not 来月
        さくら | @さくら: おととい財布をなくしました | さくらは昨日財布をなくした。 | not 昨日
        さくら | @さくら: 去年の冬に転びました | さくらは一昨年の冬に転んだ。 | not 一昨年の冬
        さくら | @さくら: 先週は寝ていました | さくらは先々月寝ていた。 | not 先々月
        Mira | @Mira: I am leaving for Oslo in three days. | Mira is leaving for Oslo tomorrow. | not tomorrow
        Mira | @Mira: I am leaving for Oslo in three days. | Mira is leaving for Oslo on May 9th. | not May 9th
        Mira | @Mira: I am leaving for Oslo. | Mira is leaving for Oslo next week. | not next week
        Mira | @Mira: I met him two weeks ago. | Mira met him two months ago. | not two months ago
        Mira | @Mira: I met him last week. | Mira met him last Tuesday. | not last Tuesday
        Mira | @Mira: I lost my ring last Friday. | Mira lost her ring last Saturday. | not last Saturday
        Mira | @Mira: I married last winter. | Mira married last summer. | not last summer
        Mira | @Mira: I live here. | Mira has lived here since 2019. | not 2019
        Mira | @Mira: My exam is on May 20th. | Mira's exam is on May 21st. | not May 21st
        Mira | @Mira: I swim on Monday. | Mira swims on Tuesday. | not Tuesday
        Mira | @Mira: I quit my job yesterday. | Mira quit her job today. | not today",
    );
}

/// Lines of several days: each word counts from the day of its own line.
pub fn each_from_its_own_day(store: Arc<dyn Store>) {
    let on = |world: &str, statement: &str| {
        let theatre = Theatre::asking(&store, world);
        theatre.play("set 张三, 李四\n张三: 我明天去成都\nwait 200000\n李四: 我明天去杭州");
        let answer = format!("{{\"text\":\"{statement}\",\"lines\":[\"L1\",\"L2\"]}}");
        let asked = theatre.learn("李四: 嗯", &answer);
        (asked, theatre.statements_of("张三").pop().unwrap_or_else(|| theatre.reasons().join("; ")))
    };
    assert_eq!(on("by date", "张三2024年5月6日去成都。").1, "张三2024年5月6日去成都。");
    assert_eq!(on("by the other date", "李四5月8日去杭州。").1, "李四5月8日去杭州。");
    assert_eq!(on("neither", "李四5月7日去杭州。").1, "its lines do not say 5月7日");
    assert_eq!(on("who knows", "张三明天去成都。").1, "张三明天去成都。", "of two days neither is put there");
}

/// What a model is told about the days on which lines were spoken.
pub fn questions_say_when(store: Arc<dyn Store>) {
    for (world, settings, play, expected) in [
        (
            "中文",
            "",
            "set 张三, 李四\n@张三: 我明天去成都\n李四: 好\nwait 86400\n张三: 到了",
            "（2024-05-05，星期日）\n[L1] 张三: 我明天去成都\n[L2] 李四: 好\n（2024-05-06，星期一）\n[L3] 张三: 到了\n",
        ),
        ("English", "", "set Ann\n@Ann: See you.", "(2024-05-05, Sunday)\n[L1] Ann: See you.\n"),
        (
            "日本語",
            "",
            "set さくら\n@さくら: またあした",
            "（2024-05-05、日曜日）\n[L1] さくら: またあした\n",
        ),
        (
            "边缘世界",
            "put calendar.kind = rimworld",
            "set 张三\n[120000] 张三: 早\n[130000] 张三: 午\n[180000] 张三: 次日",
            "（5500年春季第3天, 0时）\n[L1] 张三: 早\n[L2] 张三: 午\n（5500年春季第4天, 0时）\n[L3] 张三: 次日\n",
        ),
    ] {
        for decide in [true, false] {
            let theatre = Theatre::asking(&store, &format!("{world} {decide}"));
            theatre.play(&format!("put digest.decide = {decide}\n{settings}"));
            theatre.play(&format!("{play}\ndigest now"));
            let asked: String = theatre.ask().iter().map(|question| question.messages[0].1.clone()).collect();
            assert!(asked.contains(expected), "{asked}");
        }
    }
    let theatre = Theatre::new(store.clone(), "told again");
    theatre.play(
        "put layers.hour = wall
         put digest.batch_seconds = 31536000
         set 张三
         张三: 我明天去打猎
         digest now
         wait 172800
         张三: 回来了
         digest",
    );
    let question = theatre.ask().remove(0);
    assert!(question.messages[0].1.contains("（2024-05-05，星期日）\n[对话参与者：张三]"), "{question:?}");
    theatre.answer(&question, "张三打算明天去打猎。");
    let days = theatre.held_by("张三").into_iter().map(|held| held.text().to_owned());
    assert!(days.collect::<Vec<_>>().contains(&"张三打算明天（2024-05-06）去打猎。".to_owned()));
}
