//! Do texts that mean alike stand nearer to each other than others, within and across languages?

use reverie_core::embed::Vector;
use reverie_offline::OfflineEmbedder;

fn nearest<'a>(query: &str, among: &[&'a str]) -> &'a str {
    let embedder = OfflineEmbedder::new();
    let place = |text: &str| Vector(embedder.vectors(&[text]).remove(0).into());
    let asked = place(query);
    let nearest = among.iter().max_by(|a, b| asked.cosine(&place(a)).total_cmp(&asked.cosine(&place(b))));
    nearest.expect("there is something to choose from")
}

#[test]
fn a_question_finds_its_answer() {
    let chinese = [
        "我最爱吃四川火锅",
        "昨天和妈妈去公园散步",
        "他的狗叫旺财，是一只金毛",
        "我在银行上班，工作很忙",
        "下周要考数学，好紧张",
        "她买了一辆新自行车",
    ];
    let english = [
        "I love Sichuan hot pot more than anything",
        "Went for a walk in the park with my mother yesterday",
        "His dog is a golden retriever called Lucky",
        "I work at a bank and it is very busy",
        "There is a maths exam next week, I am nervous",
        "She bought a new bicycle",
    ];
    let questions = [
        ("他喜欢什么辣的食物", "What spicy food does he like?", 0),
        ("你家人上次出去玩是什么时候", "When was the family's last outing to the gardens?", 1),
        ("他养了什么宠物", "Which pet does he keep?", 2),
        ("你的职业是什么", "What is your job at the company?", 3),
        ("最近有什么考试让你焦虑", "Which test makes you anxious?", 4),
        ("她骑什么车", "What does she ride?", 5),
    ];
    for (in_chinese, in_english, answer) in questions {
        for query in [in_chinese, in_english] {
            for among in [&chinese, &english] {
                assert_eq!(nearest(query, among), among[answer], "{query}");
            }
        }
    }
}

#[test]
fn japanese_finds_what_shares_its_characters_and_letters() {
    let among = ["今日の天気は雨です", "桜の写真を撮った", "コーヒーを飲みました", "駅で友達に会った"];
    for (query, expected) in [
        ("天気予報", among[0]),
        ("樱花照片", among[1]),
        ("コーヒーが好き", among[2]),
        ("在车站见朋友", among[3]),
    ] {
        assert_eq!(nearest(query, &among), expected, "{query}");
    }
}
