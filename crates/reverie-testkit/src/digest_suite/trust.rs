//! How often is a true statement turned down, and an invented one believed?
//!
//! Paraphrases as models write them, each with the lines that it cites. True ones say in other words what the lines say; the others
//! have a name, a number or a date that is nowhere in the lines. All of the first must pass, and none of the others.

use std::sync::Arc;

use reverie_core::Store;

use super::theatre::Theatre;

/// Who is there, what was said, and what a model makes of it: `张三, 李四 | @张三: 天黑了 / 李四: 嗯 | 张三说天黑了。`, one to a line.
/// With ` | L1` behind it only that line is cited, else the first two.
type Told = &'static str;

/// How many statements are remembered, and why not more.
fn told(store: &Arc<dyn Store>, number: usize, told: Told) -> (usize, Vec<String>) {
    let mut parts = told.split(" | ");
    let [people, said, statement] = [(); 3].map(|()| parts.next().unwrap());
    let cited = match parts.next() {
        Some(cited) => format!("\"{}\"", cited.replace(", ", "\",\"")),
        None => "\"L1\",\"L2\"".to_owned(),
    };
    let theatre = Theatre::asking(store, &format!("told {number}"));
    let name = people.split(", ").next().unwrap();
    let answer = format!("{{\"text\":\"{statement}\",\"lines\":[{cited}]}}");
    theatre.learn(&format!("set {people}\n{}", said.replace(" / ", "\n")), &answer);
    (theatre.statements_of(name).len(), theatre.reasons())
}

fn each(all: &'static str) -> impl Iterator<Item = (usize, Told)> {
    all.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate()
}

pub(super) fn all_pass(store: &Arc<dyn Store>, all: &'static str) {
    let turned_down = each(all).filter_map(|(number, one)| {
        let (believed, reasons) = told(store, number, one);
        (believed == 0).then(|| format!("{one}: {reasons:?}"))
    });
    assert_eq!(turned_down.collect::<Vec<_>>(), [""; 0], "of {} true ones", each(all).count());
}

pub(super) fn none_pass(store: &Arc<dyn Store>, all: &'static str) {
    let believed = each(all).filter_map(|(number, one)| {
        let (believed, reasons) = told(store, number, one);
        let is_named = reasons.iter().all(|reason| {
            reason.starts_with("its lines do not") || reason.starts_with("its lines say the opposite of")
        });
        (believed > 0 || !is_named).then(|| format!("{one}: {reasons:?}"))
    });
    assert_eq!(believed.collect::<Vec<_>>(), [""; 0], "of {} invented ones", each(all).count());
}

pub fn true_in_chinese(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        张三, 李四 | @张三: 我最怕打雷了，小时候被吓哭过 / 李四: 别怕 | 张三害怕打雷，小时候曾经被吓哭。
        张三, 李四 | @张三: 下个月我要去成都出差三天 / 李四: 好的 | 张三下个月要去成都出差3天。
        张三, 李四 | @张三: 我攒了三百五十块钱 / 李四: 不少 | 张三攒了350块钱。
        张三, 李四 | @张三: 我今年31，一九九二年生的 / 李四: 年轻 | 张三今年三十一，1992年出生。
        张三, 李四 | @张三: 我们约好明天早上八点在车站见 / 李四: 行 | 两人约好明天早上8点在车站见面。
        张三, 李四 | @张三: 我女儿今年上小学了，特别高兴 / 李四: 恭喜 | 张三的女儿今年上小学，张三十分高兴。
        张三, 李四 | @张三: 我姓张，做了十年的木匠 / 李四: 厉害 | 张三做了十年木匠。
        张三, 李四 | @张三: 昨天在公园里捡到一只小猫，我给它取名年糕 / 李四: 可爱 | 张三昨天在公园捡到一只小猫，取名叫年糕。
        张三, 李四 | @张三: 王芳要嫁人了 / 李四: 真的吗，嫁给谁 | 张三说王芳要嫁人了。
        张三, 李四 | @张三: 我不吃香菜，也不吃辣 / 李四: 记住了 | 张三不吃香菜和辣的东西。
        林小雨, 周明 | @林小雨: 我爸是医生，妈妈是老师 / 周明: 书香门第 | 林小雨的父亲是医生，妈妈是老师。
        林小雨, 周明 | @林小雨: 我想考北京的大学，学音乐 / 周明: 加油 | 林小雨的目标是考上北京的大学，学习音乐。
        林小雨, 周明 | @林小雨: 这周末我们去爬山吧 / 周明: 好，周六早上出发 | 林小雨和周明约定周六早上一起去爬山。
        林小雨, 周明 | @林小雨: 我养的狗叫大黄，已经五岁了 / 周明: 真好 | 林小雨养了一只名叫大黄的狗，今年5岁。
        林小雨, 周明 | @林小雨: 其实我一直很讨厌下雨天 / 周明: 为什么 | 林小雨一直讨厌下雨天。
        林小雨, 周明 | @林小雨: 我花了两千块买了一把二手吉他 / 周明: 值得 | 林小雨花2000块买了一把二手吉他。
        林小雨, 周明 | @林小雨: 高中的时候我是篮球队的队长 / 周明: 看不出来 | 林小雨高中时是篮球队队长。
        爱丽丝, 白王后 | @爱丽丝: 我昨晚梦见一座会飞的城堡 / 白王后: 那是预兆 | 爱丽丝昨晚梦见了一座会飞的城堡。
        爱丽丝, 白王后 | @爱丽丝: 白王后，请你教我念咒语 / 白王后: 我答应你 | 白王后答应教爱丽丝念咒语。
        阿杰, 小雪 | @阿杰: 我爷爷去年冬天去世了，我很想他 / 小雪: 节哀 | 阿杰的爷爷去年冬天去世，他非常想念爷爷。
        阿杰, 小雪 | @阿杰: 我打算辞职开一家咖啡店 / 小雪: 支持你 | 阿杰计划辞职，然后开一家咖啡店。
        阿杰, 小雪 | @阿杰: 医生说我血压高，不能喝酒 / 小雪: 那就别喝 | 医生说阿杰血压高，不能再喝酒。
        阿杰, 小雪 | @阿杰: 我们在一起三年了 / 小雪: 是啊，下个月就结婚 | 阿杰和小雪在一起三年了，下个月结婚。",
    );
}

pub fn invented_in_chinese(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        张三, 李四 | @张三: 我最怕打雷了，小时候被吓哭过 / 李四: 别怕 | 张三和王小明一样害怕打雷。
        张三, 李四 | @张三: 下个月我要去成都出差三天 / 李四: 好的 | 张三下个月要去成都出差五天。
        张三, 李四 | @张三: 我攒了三百五十块钱 / 李四: 不少 | 张三攒了三千五百块钱。
        张三, 李四 | @张三: 我们约好明天早上八点在车站见 / 李四: 行 | 张三约好明天早上九点在车站见。
        张三, 李四 | @张三: 我女儿今年上小学了 / 李四: 恭喜 | 张三的女儿朵朵今年上小学。
        张三, 李四 | @张三: 我做了十年的木匠 / 李四: 厉害 | 张三做了二十年的木匠。
        张三, 李四 | @张三: 昨天在公园里捡到一只小猫 / 李四: 可爱 | 张三昨天在公园里捡到一只小猫，取名叫雪球。
        张三, 李四 | @张三: 她要嫁人了 / 李四: 真的吗 | 张三说陈静要嫁人了。
        张三, 李四 | @张三: 我不吃香菜，也不吃辣 / 李四: 记住了 | 赵医生让张三不吃香菜和辣。
        张三, 李四 | @张三: 我昨天认识了一个新朋友 / 李四: 谁 | 张三昨天认识了新朋友小李。
        林小雨, 周明 | @林小雨: 我爸是医生，妈妈是老师 / 周明: 书香门第 | 林小雨的爸爸林建国是医生，妈妈是老师。
        林小雨, 周明 | @林小雨: 我想考北京的大学，学音乐 / 周明: 加油 | 林小雨想在2026年考北京的大学，学音乐。
        林小雨, 周明 | @林小雨: 这周末我们去爬山吧 / 周明: 好，周六早上出发 | 林小雨和周明约好周日早上出发去爬山。
        林小雨, 周明 | @林小雨: 我养的狗叫大黄，已经五岁了 / 周明: 真好 | 林小雨养的狗叫大黄，已经八岁了。
        林小雨, 周明 | @林小雨: 我一直很讨厌下雨天 / 周明: 为什么 | 林小雨和诸葛明都讨厌下雨天。
        林小雨, 周明 | @林小雨: 我花了两千块买了一把二手吉他 / 周明: 值得 | 林小雨花了两万块买了一把二手吉他。
        林小雨, 周明 | @林小雨: 高中的时候我是篮球队的队长 / 周明: 看不出来 | 林小雨高中的时候是篮球队的队长，教练姓孙。
        爱丽丝, 白王后 | @爱丽丝: 我昨晚梦见一座会飞的城堡 / 白王后: 那是预兆 | 爱丽丝昨晚梦见汤姆在一座会飞的城堡里。
        爱丽丝, 白王后 | @爱丽丝: 白王后，请你教我念咒语 / 白王后: 我答应你 | 白王后答应教爱丽丝念七条咒语。
        阿杰, 小雪 | @阿杰: 我爷爷去年冬天去世了，我很想他 / 小雪: 节哀 | 阿杰的爷爷去年12月去世了。
        阿杰, 小雪 | @阿杰: 我打算辞职开一家咖啡店 / 小雪: 支持你 | 阿杰打算和老陈一起辞职开一家咖啡店。
        阿杰, 小雪 | @阿杰: 医生说我血压高，不能喝酒 / 小雪: 那就别喝 | 刘医生说阿杰血压高，不能喝酒。
        阿杰, 小雪 | @阿杰: 我们在一起三年了 / 小雪: 是啊，下个月就结婚 | 阿杰和小雪在一起四年了，下个月就结婚。
        阿杰, 小雪 | @阿杰: 我明天要去医院 / 小雪: 我陪你 | 阿杰5月20日要去医院，小雪陪他。",
    );
}

pub fn true_in_japanese(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        さくら, 太郎 | @さくら: 私は雷がとても怖いです / 太郎: そうか | さくらは雷をとても怖がっている。
        さくら, 太郎 | @さくら: 来月、京都に引っ越します / 太郎: 寂しくなるね | さくらは来月京都に引っ越す予定だ。
        さくら, 太郎 | @さくら: 猫を三匹飼っています / 太郎: いいな | さくらは猫を3匹飼っている。
        さくら, 太郎 | @さくら: 猫の名前はミケです / 太郎: かわいい | さくらはミケという名前の猫を飼っている。
        さくら, 太郎 | @さくら: 田中さんに手紙を書きました / 太郎: へえ | さくらは田中さんに手紙を書いた。
        さくら, 太郎 | @さくら: お母さんが病気で入院しました / 太郎: 大変だね | さくらのお母さんは病気で入院している。
        さくら, 太郎 | @さくら: 明日の朝、駅で会いましょう / 太郎: わかった、七時に | さくらと太郎は明日の朝7時に駅で会う。
        さくら, 太郎 | @さくら: コーヒーは飲めません / 太郎: じゃあ紅茶を | さくらはコーヒーが飲めない。
        さくら, 太郎 | @さくら: 医者になるのが夢です / 太郎: すごい | さくらの夢は医者になることだ。
        さくら, 太郎 | @さくら: 去年の夏、海で溺れかけました / 太郎: 怖いね | さくらは去年の夏に海で溺れかけた。
        ケン, 花子 | @ケン: 僕はピアノを十年習っていました / 花子: 聴きたいな | ケンはピアノを10年習っていた。
        ケン, 花子 | @ケン: 花子さん、二人で映画を見に行きませんか / 花子: 喜んで | ケンは花子さんを映画に誘い、二人で見に行く。
        ケン, 花子 | @ケン: 妹の誕生日に三千円のケーキを買った / 花子: 優しいね | ケンは妹の誕生日に3000円のケーキを買った。",
    );
}

pub fn invented_in_japanese(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        さくら, 太郎 | @さくら: 私は雷がとても怖いです / 太郎: そうか | さくらと健太は雷がとても怖い。
        さくら, 太郎 | @さくら: 来月、京都に引っ越します / 太郎: 寂しくなるね | さくらは来月、山本さんと京都に引っ越す。
        さくら, 太郎 | @さくら: 猫を三匹飼っています / 太郎: いいな | さくらは猫を五匹飼っている。
        さくら, 太郎 | @さくら: 猫を飼っています / 太郎: いいな | さくらはミケという名前の猫を飼っている。
        さくら, 太郎 | @さくら: 友達に手紙を書きました / 太郎: へえ | さくらは友達のひかりちゃんに手紙を書いた。
        さくら, 太郎 | @さくら: お母さんが病気で入院しました / 太郎: 大変だね | さくらのお母さんは病気で2週間入院した。
        さくら, 太郎 | @さくら: 明日の朝、駅で会いましょう / 太郎: わかった、七時に | さくらと太郎は明日の朝八時に駅で会う。
        さくら, 太郎 | @さくら: コーヒーは飲めません / 太郎: じゃあ紅茶を | ジョンはコーヒーが飲めません。
        さくら, 太郎 | @さくら: 医者になるのが夢です / 太郎: すごい | さくらの夢は2030年に医者になることです。
        さくら, 太郎 | @さくら: 去年の夏、海で溺れかけました / 太郎: 怖いね | さくらは去年の夏、佐藤と海で溺れかけた。
        ケン, 花子 | @ケン: 僕はピアノを十年習っていました / 花子: 聴きたいな | ケンはピアノを二十年習っていました。
        ケン, 花子 | @ケン: 金曜日に映画を見に行きませんか / 花子: 喜んで | ケンは土曜日に花子と映画を見に行く。
        ケン, 花子 | @ケン: 妹の誕生日に三千円のケーキを買った / 花子: 優しいね | ケンは妹の誕生日に五千円のケーキを買った。",
    );
}

pub fn true_in_english(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        Mira, Tom | @Mira: I am terrified of spiders. / Tom: Noted. | Mira is terrified of spiders.
        Mira, Tom | @Mira: I moved to Oslo three years ago. / Tom: Wow. | Mira moved to Oslo 3 years ago.
        Mira, Tom | @Mira: My brother Jan plays the cello. / Tom: Lovely. | Mira's brother Jan plays the cello.
        Mira, Tom | @Mira: Let's meet at the station tomorrow at 8. / Tom: Fine. | Mira and Tom will meet at the station tomorrow at eight.
        Mira, Tom | @Mira: I saved 1,200 euros for the trip. / Tom: Great. | Mira saved 1200 euros for the trip.
        Mira, Tom | @Mira: I cannot eat peanuts, I am allergic. / Tom: Careful. | Mira is allergic to peanuts and cannot eat them.
        Mira, Tom | @Mira: I want to become a pilot. / Tom: You will. | Mira wants to become a pilot.
        Mira, Tom | @Mira: My cat died last winter and I still miss her. / Tom: I am sorry. | Mira's cat died last winter. She still misses her.
        Mira, Tom | @Mira: Twenty-five people came to my party. / Tom: So many! | 25 people came to Mira's party.
        Mira, Tom | @Mira: I bought a red bicycle on Friday. / Tom: Nice. | Mira bought a red bicycle on Friday.
        Mira, Tom | @Mira: Promise me to feed the dog. / Tom: I promise. | Tom promised Mira to feed the dog.
        Mira, Tom | @Mira: I am 31 and have three cats. / Tom: Nice. | Mira is thirty-one and has 3 cats.
        Mira, Tom | @Mira: I am 31 and have three cats. / Tom: Nice. | Mira is thirty one.
        Mira, Tom | @Mira: I was born in nineteen ninety two in Oslo. / Tom: Nice. | Mira was born in 1992 in Oslo.
        Mira, Tom | @Mira: I was born in 1992 in Oslo. / Tom: Nice. | Mira was born in nineteen ninety-two in Oslo.
        Mira, Tom | @Mira: The library has 2,450 books. / Tom: Wow. | The library has two thousand four hundred and fifty books, says Mira.",
    );
}

pub fn invented_in_english(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        Mira, Tom | @Mira: I am terrified of spiders. / Tom: Noted. | Mira and Oscar are terrified of spiders.
        Mira, Tom | @Mira: I moved to Oslo three years ago. / Tom: Wow. | Mira moved to Oslo five years ago.
        Mira, Tom | @Mira: My brother plays the cello. / Tom: Lovely. | Marcus is a brother who plays the cello.
        Mira, Tom | @Mira: Let's meet at the station tomorrow at 8. / Tom: Fine. | Mira and Tom meet at the station tomorrow at 9.
        Mira, Tom | @Mira: I saved 1,200 euros for the trip. / Tom: Great. | Mira saved twelve thousand euros for the trip.
        Mira, Tom | @Mira: I cannot eat peanuts, I am allergic. / Tom: Careful. | Mira is allergic to peanuts since 2019.
        Mira, Tom | @Mira: I want to become a pilot. / Tom: You will. | Mira wants to become a pilot at Lufthansa.
        Mira, Tom | @Mira: My cat died last winter. / Tom: I am sorry. | Mira's cat “Pixel” died last winter.
        Mira, Tom | @Mira: Twenty-five people came to my party. / Tom: So many! | Thirty-five people came to Mira's party.
        Mira, Tom | @Mira: I bought a red bicycle on Friday. / Tom: Nice. | Mira bought a red bicycle on Tuesday.
        Mira, Tom | @Mira: Promise me to feed the dog. / Tom: I promise. | Tom promised Mira to feed the two dogs.
        Mira, Tom | @Mira: I am 31 and have three cats. / Tom: Nice. | Mira is thirty-three and has 3 cats.
        Mira, Tom | @Mira: I was born in nineteen ninety two in Oslo. / Tom: Nice. | Mira was born in 1929 in Oslo.
        Mira, Tom | @Mira: I was born in 1992 in Oslo. / Tom: Nice. | Mira was born in nineteen eighty-two in Oslo.",
    );
}

pub fn others_that_are_true(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        苏晴, 顾言 | @苏晴: 我从小跟着外婆在乡下长大 / 顾言: 难怪你认得这么多草药 | 苏晴小时候跟外婆在乡下生活，认得许多草药。
        苏晴, 顾言 | @苏晴: 我对花粉过敏，春天总是打喷嚏 / 顾言: 我去买口罩 | 苏晴对花粉过敏，每到春天都会打喷嚏。
        苏晴, 顾言 | @苏晴: 下周三我要做手术 / 顾言: 我请假陪你 | 苏晴下周三要做手术，顾言会请假陪她。
        苏晴, 顾言 | @苏晴: 那条项链是妈妈留给我的 / 顾言: 一定很珍贵 | 苏晴的项链是妈妈留下的，对她来说很珍贵。
        苏晴, 顾言 | @苏晴: 我欠房东一千二百块房租 / 顾言: 我先借你 | 苏晴欠房东1200块房租，顾言愿意借钱给她。
        苏晴, 顾言 | @苏晴: 我弟弟马上高考了，压力很大 / 顾言: 让他放松点 | 苏晴的弟弟即将高考，压力很大。
        老周, 阿宁 | @老周: 当年我在船上干过八年 / 阿宁: 您见过鲸鱼吗 | 老周曾经在船上干了八年。
        老周, 阿宁 | @老周: 我把钥匙藏在石头下面了 / 阿宁: 我知道了 | 老周告诉阿宁，钥匙藏在石头下面。
        老周, 阿宁 | @老周: 我不信神，只信自己的刀 / 阿宁: 好气魄 | 老周不信神，只相信自己的刀。
        美月, 蓮 | @美月: 来週の土曜日に引っ越すことになりました / 蓮: 手伝うよ | 美月は来週の土曜日に引っ越し、蓮が手伝う。
        美月, 蓮 | @美月: 犬が苦手なんです、昔噛まれたので / 蓮: そうだったのか | 美月は昔犬に噛まれたことがあり、犬が苦手だ。
        美月, 蓮 | @美月: 毎朝六時に起きて走っています / 蓮: 偉いね | 美月は毎朝6時に起きて走っている。
        美月, 蓮 | @美月: お兄さんとはもう三年会っていません / 蓮: 会いたい？ | 美月はお兄さんと3年会っていない。
        Nora, Sam | @Nora: My grandmother taught me how to bake bread. / Sam: It smells great. | Nora learned to bake bread from her grandmother.
        Nora, Sam | @Nora: I quit smoking two months ago. / Sam: Proud of you. | Nora quit smoking two months ago.
        Nora, Sam | @Nora: I am moving to Lisbon in March. / Sam: I will visit you. | Nora is moving to Lisbon in March, and Sam will visit her.
        Nora, Sam | @Nora: I hate it when people whistle. / Sam: Sorry. | Nora hates whistling.
        Nora, Sam | @Nora: My rent is nine hundred euros. / Sam: That is a lot. | Nora pays a rent of 900 euros.",
    );
}

pub fn others_that_are_invented(store: Arc<dyn Store>) {
    none_pass(
        &store,
        "
        苏晴, 顾言 | @苏晴: 我从小跟着外婆在乡下长大 / 顾言: 难怪你认得这么多草药 | 苏晴从小跟着外婆赵秀兰在乡下长大。
        苏晴, 顾言 | @苏晴: 我对花粉过敏，春天总是打喷嚏 / 顾言: 我去买口罩 | 苏晴对花粉过敏，打了三十个喷嚏。
        苏晴, 顾言 | @苏晴: 下周三我要做手术 / 顾言: 我请假陪你 | 苏晴下周四要做手术，顾言请假陪她。
        苏晴, 顾言 | @苏晴: 那条项链是妈妈留给我的 / 顾言: 一定很珍贵 | 那条项链是1998年妈妈留给苏晴的。
        苏晴, 顾言 | @苏晴: 我欠房东一千二百块房租 / 顾言: 我先借你 | 苏晴欠房东马先生一千二百块房租。
        苏晴, 顾言 | @苏晴: 我弟弟马上高考了，压力很大 / 顾言: 让他放松点 | 苏晴的弟弟小刚马上高考，压力很大。
        老周, 阿宁 | @老周: 当年我在船上干过八年 / 阿宁: 您见过鲸鱼吗 | 老周当年和徐海在船上干过八年。
        老周, 阿宁 | @老周: 我把钥匙藏在石头下面了 / 阿宁: 我知道了 | 老周把两把钥匙藏在石头下面。
        老周, 阿宁 | @老周: 我不信神，只信自己的刀 / 阿宁: 好气魄 | 老周不信神，只信自己的刀，刀名叫破军。
        美月, 蓮 | @美月: 来週の土曜日に引っ越すことになりました / 蓮: 手伝うよ | 美月は来週の日曜日に引っ越すことになった。
        美月, 蓮 | @美月: 犬が苦手なんです、昔噛まれたので / 蓮: そうだったのか | 美月は昔ポチという犬に噛まれたので、犬が苦手だ。
        美月, 蓮 | @美月: 毎朝六時に起きて走っています / 蓮: 偉いね | 美月は毎朝六時に起きて10キロ走っています。
        美月, 蓮 | @美月: お兄さんとはもう三年会っていません / 蓮: 会いたい？ | 美月は大樹さんともう三年会っていません。
        Nora, Sam | @Nora: My grandmother taught me how to bake bread. / Sam: It smells great. | Nora's grandmother Edith taught her how to bake bread.
        Nora, Sam | @Nora: I quit smoking two months ago. / Sam: Proud of you. | Nora quit smoking six months ago.
        Nora, Sam | @Nora: I am moving to Lisbon in March. / Sam: I will visit you. | Nora is moving to Lisbon in April.
        Nora, Sam | @Nora: I hate it when people whistle. / Sam: Sorry. | Gregor said he hates it when people whistle.
        Nora, Sam | @Nora: My rent is nine hundred euros. / Sam: That is a lot. | Nora's rent is 950 euros.",
    );
}

pub fn words_that_resemble_names(store: Arc<dyn Store>) {
    all_pass(
        &store,
        "
        张三, 李四 | @张三: 白天太热了，我晚上才出门 / 李四: 是啊 | 张三嫌白天太热，一般晚上才出门。
        张三, 李四 | @张三: 昨天跟高中同学聚会，花了不少钱 / 李四: 开心吗 | 张三昨天和高中同学聚会，花钱不少。
        张三, 李四 | @张三: 老板又让我加班到十点 / 李四: 太狠了 | 张三的老板让他加班到晚上10点。
        张三, 李四 | @张三: 天天加班，周末我只想睡觉 / 李四: 好好休息 | 张三天天加班，周末只想睡觉。
        张三, 李四 | @张三: 我家的马生了小马，金色的 / 李四: 恭喜 | 张三家的马生下一匹金色的小马。
        张三, 李四 | @张三: 万一下雨，我们就不去江边了 / 李四: 好 | 如果下雨，张三和李四就不去江边。
        张三, 李四 | @张三: 我方向感很差，常常迷路 / 李四: 看地图 | 张三的方向感很差，经常迷路。
        张三, 李四 | @张三: 谢谢你送我的花 / 李四: 不客气 | 李四送给张三一束花，张三表示感谢。
        张三, 李四 | @张三: 我和王大妈吵架了 / 李四: 为什么 | 张三跟王大妈发生了争吵。
        张三, 李四 | @张三: 国王派我去北方 / 李四: 一路小心 | 国王派张三前往北方。
        さくら, 太郎 | @さくら: 猫の様子がおかしいの / 太郎: 病院に行こう | さくらは猫の様子を心配している。
        さくら, 太郎 | @さくら: お客さんが多くて大変だった / 太郎: お疲れ様 | さくらはお客さんが多くて大変だった。
        さくら, 太郎 | @さくら: 十分寝たのに眠い / 太郎: 疲れてるね | さくらは十分に寝たのに眠い。
        Mira, Tom | @Mira: Will you marry me? / Tom: Yes! | Mira asked Tom to marry her.
        Mira, Tom | @Mira: Mark my words, rain is coming. / Tom: Okay. | Rain is coming, says Mira.",
    );
}
