//! Does something new take the place of what was known, is it known already, or is it another thing?

use std::sync::Arc;

use reverie_core::memory::Origin;
use reverie_core::{Answered, Store};

use super::theatre::Theatre;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Becomes {
    /// The first is remembered alone.
    Known,
    /// The second is remembered alone.
    Instead,
    Both,
}

/// The kind, what is learned first, and what is learned a day later; both are said as they are remembered.
fn check(store: &Arc<dyn Store>, becomes: Becomes, all: &'static str) {
    let cases = all.lines().map(str::trim).filter(|line| !line.is_empty());
    let wrong = cases.enumerate().filter_map(|(number, case)| {
        let [kind, first, second] = case.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        let theatre = Theatre::asking(store, &format!("{becomes:?} {number}"));
        let name = ["Mira", "张三", "さくら"].into_iter().find(|name| first.contains(name)).unwrap();
        let learn = |text: &str, play: &str| {
            let told = format!(r#"{{"kind":"{kind}","text":"{text}","about":["{name}"],"lines":["L1"]}}"#);
            theatre.learn(&format!("{play}\n@{name}: {text}"), &told)
        };
        let taken = learn(first, &format!("set {name}"));
        assert_eq!(taken, Answered::Taken { memories: 1, rejected: 0 }, "{case}: {:?}", theatre.reasons());
        learn(second, "wait 86400");
        let known = theatre.statements_of(name);
        let expected = match becomes {
            Becomes::Known => vec![first],
            Becomes::Instead => vec![second],
            Becomes::Both => vec![first, second],
        };
        (known != expected).then(|| format!("\n{case}\n  became {known:?} {:?}", theatre.reasons()))
    });
    assert_eq!(wrong.collect::<Vec<_>>().concat(), "");
}

pub fn another_number_name_date_or_no(store: Arc<dyn Store>) {
    check(
        &store,
        Becomes::Instead,
        "
        semantic | Mira lives in a small flat with her two old cats in Berlin. | Mira lives in a small flat with her two old cats in Hamburg.
        semantic | Mira lives in a small flat with her two old cats in Berlin. | Mira lives in a small flat with her three old cats in Berlin.
        semantic | The meeting of Mira and the lawyer is on 2024-06-03. | The meeting of Mira and the lawyer is on 2024-06-10.
        trait | Mira really likes the taste of strong black coffee in the morning. | Mira really dislikes the taste of strong black coffee in the morning.
        semantic | Mira lives in Berlin. | Mira lives in Hamburg.
        trait | Mira likes strong coffee. | Mira does not like strong coffee.
        semantic | Mira is 20 years old. | Mira is 21 years old.
        semantic | 张三住在杭州。 | 张三住在苏州。
        semantic | 张三住在杭州。 | 张三现在住在苏州。
        semantic | 张三现在住在杭州。 | 张三如今住在苏州。
        semantic | Mira lives in Rome. | Mira now lives in Oslo.
        semantic | Mira lives in Rome. | Mira lives in Oslo now.
        semantic | さくらは奈良に住んでいる。 | さくらは今では大阪に住んでいる。
        semantic | さくらは奈良に住んでいる。 | さくらは今、大阪に住んでいる。
        trait | 张三喜欢咖啡。 | 张三不喜欢咖啡。
        semantic | 张三的生日是5月3日。 | 张三的生日是5月8日。
        semantic | さくらは京都に住んでいる。 | さくらは大阪に住んでいる。
        trait | さくらは納豆が好きだ。 | さくらは納豆が好きではない。
        semantic | Mira works as an accountant in the large office beside the station. | Mira does not work as an accountant in the large office beside the station.
        semantic | 张三住在杭州西湖旁边的一栋老房子里，和父母一起生活 | 张三住在苏州西湖旁边的一栋老房子里，和父母一起生活
        semantic | 张三在城东的铁匠铺里当了五年的学徒，每天起得很早 | 张三在城东的铁匠铺里当了八年的学徒，每天起得很早
        goal | 张三答应在2024年6月3日之前把修好的马车送回去给村长 | 张三答应在2024年6月8日之前把修好的马车送回去给村长
        trait | 张三非常喜欢一个人在下雨天坐在窗边安安静静地喝茶 | 张三非常讨厌一个人在下雨天坐在窗边安安静静地喝茶
        semantic | 张三说过自己在北方的军队里和弟弟一起打过仗 | 张三说过自己没在北方的军队里和弟弟一起打过仗
        semantic | さくらは京都の古い家に両親と妹と一緒に暮らしている | さくらは大阪の古い家に両親と妹と一緒に暮らしている
        semantic | さくらは駅前の花屋で三年間アルバイトを続けている | さくらは駅前の花屋で五年間アルバイトを続けている
        trait | さくらは雨の日に窓のそばで静かに本を読むのが好きだ | さくらは雨の日に窓のそばで静かに本を読むのが嫌いだ
        semantic | さくらは毎朝駅前のカフェでコーヒーを飲んでから出かける | さくらは毎朝駅前のカフェでコーヒーを飲まないで出かける",
    );
}

pub fn the_same_in_other_words(store: Arc<dyn Store>) {
    check(
        &store,
        Becomes::Known,
        "
        trait | Mira likes strong coffee. | Mira loves strong coffee.
        trait | Mira is afraid of spiders. | Mira is very afraid of spiders.
        trait | Mira really likes strong coffee in the morning. | Mira likes strong coffee.
        goal | Mira wants to become a pilot. | Mira hopes to become a pilot.
        goal | Mira plans to open a bakery in Rome. | Mira wants to open a bakery.
        semantic | Mira lives in Rome with her brother. | Mira lives in Rome.
        semantic | Mira lives in Rome. | Mira resides in Rome.
        trait | 张三喜欢火锅。 | 张三非常喜欢火锅。
        trait | 张三害怕打雷。 | 张三怕打雷。
        trait | 张三喜欢吃重庆火锅。 | 张三喜欢火锅。
        goal | 张三打算开一家茶馆。 | 张三计划开一家茶馆。
        goal | 张三想要开一家茶馆。 | 张三希望开一家茶馆。
        semantic | 张三住在杭州。 | 张三居住在杭州。
        semantic | 张三在杭州的茶馆工作。 | 张三在茶馆工作。
        trait | さくらは雷が怖い。 | さくらは雷をとても怖がる。
        trait | さくらは抹茶が好きだ。 | さくらは抹茶が大好きだ。
        semantic | さくらは京都に住んでいる。 | さくらは京都に住む。
        goal | さくらは将来医者になりたい。 | さくらは医者になりたい。",
    );
}

pub fn the_same_and_more(store: Arc<dyn Store>) {
    check(
        &store,
        Becomes::Instead,
        "
        trait | Mira likes strong coffee. | Mira likes strong coffee with cinnamon.
        goal | Mira wants to open a bakery. | Mira plans to open a bakery in Rome.
        semantic | Mira lives in Rome. | Mira lives in Rome near the river.
        trait | 张三喜欢火锅。 | 张三喜欢吃重庆火锅。
        goal | 张三打算开一家茶馆。 | 张三打算在杭州开一家茶馆。
        semantic | 张三在茶馆工作。 | 张三在杭州的茶馆工作。
        trait | さくらは抹茶が好きだ。 | さくらは京都の抹茶が好きだ。
        goal | さくらは医者になりたい。 | さくらは京都で医者になりたい。",
    );
}

pub fn another_thing(store: Arc<dyn Store>) {
    check(
        &store,
        Becomes::Both,
        "
        trait | Mira likes strong coffee. | Mira likes long walks.
        trait | Mira likes coffee. | Mira sells coffee.
        trait | Mira likes tea. | Mira's brother likes tea.
        semantic | Mira lived in Berlin. | Mira lives in Hamburg.
        semantic | Mira has a dog called Rex. | Mira has a horse called Star.
        goal | Mira wants to become a pilot. | Mira wants to learn the violin.
        episodic | Mira won the chess game against the old baker in the park. | Mira won the chess game against the old barber in the park.
        trait | 张三喜欢火锅。 | 张三喜欢下棋。
        trait | 张三喜欢火锅。 | 张三的弟弟喜欢火锅。
        goal | 张三打算开一家茶馆。 | 张三打算学骑马。
        semantic | 张三有一只猫。 | 张三有一匹马。
        episodic | 张三在山上的破庙里打败了五个拿刀的强盗 | 张三在山上的破庙里打败了九个拿刀的强盗
        trait | さくらは抹茶が好きだ。 | さくらは猫が好きだ。
        trait | さくらは抹茶が好きだ。 | さくらの妹は抹茶が好きだ。
        goal | さくらは医者になりたい。 | さくらは京都に行きたい。",
    );
}

/// What a model names as replaced is replaced, however much alike both are; and what piled up gives way together.
pub fn by_name_and_together(store: Arc<dyn Store>) {
    let theatre = Theatre::asking(&store, "replaced by name");
    let said = |text: &str, replaces: &str| format!(r#"{{"text":"{text}","lines":["L1"]{replaces}}}"#);
    let first = "Mira lives in a small flat with her two old cats near the river.";
    theatre.learn(&format!("set Mira, Tom\n@Mira: {first}"), &said(first, ""));
    let second = "Mira lives in a large flat with her two old cats near the river.";
    theatre.learn(&format!("@Mira: {second}"), &said(second, r#","replaces":"K1""#));
    assert_eq!(theatre.statements_of("Tom"), [second], "{:?}", theatre.reasons());
    let old = theatre.all_of("Tom", true).into_iter().map(|one| one.held);
    let old: Vec<_> =
        old.filter(|held| held.memory.origin == Origin::Statement && held.text() == first).collect();
    assert!(
        old.iter().all(|held| held.state.superseded_by.is_some()) && old.len() == 1,
        "the old one is kept: {old:?}"
    );

    let theatre = Theatre::asking(&store, "several at once");
    for text in ["Mira likes coffee in the morning.", "Mira likes coffee with cinnamon."] {
        theatre.learn(
            &format!("set Mira, Tom\n@Mira: {text}"),
            &format!(r#"{{"kind":"trait","text":"{text}","lines":["L1"]}}"#),
        );
    }
    assert_eq!(theatre.statements_of("Tom").len(), 2);
    let all = "Mira likes coffee with cinnamon in the morning.";
    theatre.learn(&format!("@Mira: {all}"), &format!(r#"{{"kind":"trait","text":"{all}","lines":["L1"]}}"#));
    assert_eq!(theatre.statements_of("Tom"), [all], "{:?}", theatre.reasons());

    let theatre = Theatre::asking(&store, "another kind");
    for kind in ["semantic", "trait"] {
        theatre.learn(
            "set Mira, Tom\n@Mira: I like strong coffee.",
            &format!(r#"{{"kind":"{kind}","text":"Mira likes strong coffee.","lines":["L1"]}}"#),
        );
    }
    assert_eq!(theatre.statements_of("Tom"), ["Mira likes strong coffee."]);
}
