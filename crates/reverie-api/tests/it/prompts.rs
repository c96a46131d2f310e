//! Which messages does a character get? Whole prompts, in Chinese and English worlds.

use crate::stage::Stage;

const EVENING: &str = "
    #钦灵: 你叫钦灵
    #白小喵: 你叫白小喵
    旁白: 只见钦灵连忙躲开
    @莱姆: 啊啊！
    @莱姆: 我回避一下！
    钦灵: 【难为情】谁知道你提前来了！<早く来たなって>（捂脸）";

#[test]
fn own_system_lines_are_the_persona_and_stand_in_place() {
    Stage::new("{}")
        .tell("钦灵、莱姆、白小喵", EVENING)
        .tell("钦灵、莱姆、白小喵", "#钦灵: 现在说得短一些")
        .check(
            r#"{"character":"钦灵","message":"换好了吗？"}"#,
            "
        system    | 你叫钦灵
        user      | {旁白：只见钦灵连忙躲开}⏎啊啊！我回避一下！
        assistant | 【难为情】谁知道你提前来了！<早く来たなって>（捂脸）
        system    | 现在说得短一些
        user      | 换好了吗？",
        );
}

#[test]
fn the_persona_comes_from_one_source() {
    let stage = Stage::new("{}");
    stage
        .tell("钦灵、莱姆、白小喵", EVENING)
        .tell("钦灵、莱姆、白小喵", "#钦灵: 现在说得短一些\n#: 幕间休息");
    let rest = "
        user      | {旁白：只见钦灵连忙躲开}⏎啊啊！我回避一下！
        assistant | 【难为情】谁知道你提前来了！<早く来たなって>（捂脸）
        system    | 幕间休息
        user      | 换好了吗？";
    stage
        .put_character("钦灵", r#"{"persona":"你是钦灵，一只狐娘"}"#)
        .check(
            r#"{"character":"钦灵","message":"换好了吗？"}"#,
            &format!("system | 你是钦灵，一只狐娘{rest}"),
        )
        .check(
            r#"{"character":"钦灵","message":"换好了吗？","system":"You are Qinling."}"#,
            &format!("system | You are Qinling.{rest}"),
        )
        .check(
            r#"{"character":"钦灵","message":"换好了吗？","system":""}"#,
            &format!("system | 你是钦灵，一只狐娘{rest}"),
        )
        .put_character("钦灵", r#"{"persona":null}"#)
        .check(
            r#"{"character":"钦灵"}"#,
            "
        system    | 你叫钦灵
        user      | {旁白：只见钦灵连忙躲开}⏎啊啊！我回避一下！
        assistant | 【难为情】谁知道你提前来了！<早く来たなって>（捂脸）
        system    | 现在说得短一些
        system    | 幕间休息",
        );
}

#[test]
fn a_general_direction_before_the_first_word_is_persona_too() {
    let stage = Stage::new("{}");
    stage.tell("钦灵、莱姆", "#: 这是一个童话\n@莱姆: 你好\n#: 天黑了\n@莱姆: 晚安");
    stage
        .check(r#"{"character":"钦灵"}"#, "system | 这是一个童话\nuser | 你好\nsystem | 天黑了\nuser | 晚安")
        .check(
            r#"{"character":"钦灵","system":"你叫钦灵"}"#,
            "system | 你叫钦灵\nuser | 你好\nsystem | 天黑了\nuser | 晚安",
        );
}

/// The scene and other data stand right before the newest message, so that all before them stays the same.
#[test]
fn scene_and_other_data_stand_before_the_newest_message() {
    let cue = r#"{"character":"钦灵","message":"走吧","scene":{"time":"黄昏","place":"港口","people":["钦灵","莱姆"],"event":"起雾","气味":"海盐"},
        "other":{"天气":"小雨","参考":["第一章","第二章"],"温度":12,"无":null}}"#;
    let stage = Stage::new("{}");
    stage.tell("钦灵、莱姆", "@莱姆: 你好\n钦灵: 来啦").check(
        cue,
        "
        user      | 你好
        assistant | 来啦
        system    | [场景]⏎时间：黄昏⏎地点：港口⏎人物：钦灵、莱姆⏎事件：起雾⏎气味：海盐⏎⏎[其他资料]⏎天气：小雨⏎参考：第一章、第二章⏎温度：12
        user      | 走吧",
    );
    stage.check(
        r#"{"character":"钦灵","scene":{"place":"港口"}}"#,
        "
        user      | 你好
        assistant | 来啦
        system    | [场景]⏎地点：港口",
    );
    stage.tell("钦灵、莱姆", "@莱姆: 走吧\n#钦灵: 简短").check(
        r#"{"character":"钦灵","scene":{"place":"港口"}}"#,
        "
        user      | 你好
        assistant | 来啦
        system    | [场景]⏎地点：港口
        user      | 走吧
        system    | 简短",
    );
    Stage::new(r#"{"language":"en"}"#).tell("Alice、Bob", "@Alice: Hi\nBob: Hello").check(
        r#"{"CurrentParticipants":["Alice","Bob"],"character":"Bob","SystemPrompt":"You are Bob.","message":{"content":"Let us go","speaker":"Alice"},
            "Scene":{"time":"dusk","place":"harbour","people":["Alice","Bob"],"event":"fog"},"OtherData":{"Weather":"drizzle"},"HistoryLimit":10}"#,
        "
        system           | You are Bob.
        user(Alice)      | Hi
        assistant(Bob)   | Hello
        system           | [Scene]⏎Time: dusk⏎Place: harbour⏎People: Alice, Bob⏎Event: fog⏎⏎[Other information]⏎Weather: drizzle
        user(Alice)      | Let us go",
    );
}

/// Seed 002's factory: background with stamps, primary history with one stamp a message.
#[test]
fn background_and_history_carry_the_calendars_stamps() {
    let calendar = r#"{"calendar":{"kind":"rimworld","base_year":2500}}"#;
    let tell = |stage: &Stage| {
        stage
            .tell("player、zorg、mia", "11000000 mia: 反应堆又响了（皱眉）\n11002500 @player: 明天再修\n11002500 旁白: 灯闪了一下")
            .tell("player、zorg", "#zorg: 你叫zorg\n11072500 @player: 早\n11072500 zorg: 【困】早<おはよう>\n11075000 旁白: 钟响了\n@player: 走吧");
    };
    let stage = Stage::new(calendar);
    tell(&stage);
    stage.check(
        r#"{"character":"zorg"}"#,
        "
        system          | 你叫zorg
        system          | [背景参考资料]⏎[时间: 2503年春季第4天, 8时] mia：反应堆又响了（皱眉）⏎[时间: 2503年春季第4天, 9时] player：明天再修⏎[时间: 2503年春季第4天, 9时] 旁白：灯闪了一下
        user(player)    | [时间: 2503年春季第5天, 13时] 早
        assistant(zorg) | [时间: 2503年春季第5天, 13时] 【困】早<おはよう>
        user(player)    | [时间: 2503年春季第5天, 14时] {旁白：钟响了}⏎走吧",
    );
    stage.check(
        r#"{"character":"zorg","message":"快点","tick":11077500,"history_limit":1}"#,
        "
        system          | 你叫zorg
        system          | [背景参考资料]⏎[时间: 2503年春季第4天, 8时] mia：反应堆又响了（皱眉）⏎[时间: 2503年春季第4天, 9时] player：明天再修⏎[时间: 2503年春季第4天, 9时] 旁白：灯闪了一下
        user            | [时间: 2503年春季第5天, 15时] 走吧快点",
    );
    let stage = Stage::new("{}");
    tell(&stage);
    stage.check(
        r#"{"character":"zorg"}"#,
        "
        system          | 你叫zorg
        system          | [背景参考资料]⏎mia：反应堆又响了（皱眉）⏎player：明天再修⏎旁白：灯闪了一下
        user(player)    | 早
        assistant(zorg) | 【困】早<おはよう>
        user(player)    | {旁白：钟响了}⏎走吧",
    );
    let stage =
        Stage::new(r#"{"language":"en","calendar":{"kind":"gregorian","time_zone":"Asia/Shanghai"}}"#);
    tell(&stage);
    stage.check(
        r#"{"character":"zorg","history_scope":"conversation","history_limit":1,"message":{"content":"Now","speaker":"player"}}"#,
        "
        system       | 你叫zorg
        system       | [Background]⏎[Time: 2026-01-31 16:15] mia：反应堆又响了（皱眉）⏎[Time: 2026-01-31 16:15] player：明天再修⏎[Time: 2026-01-31 16:15] 旁白：灯闪了一下
        user(player) | [Time: 2026-01-31 16:15] 走吧⏎Now",
    );
}

#[test]
fn the_primary_history_is_that_of_all_conversations_of_exactly_these() {
    let stage = Stage::new("{}");
    stage
        .tell("钦灵、莱姆", "100 @莱姆: 一\n100 钦灵: 二")
        .tell("酒馆: 钦灵、莱姆", "200 @莱姆: 三\n400 钦灵: 六")
        .tell("花园: 钦灵、莱姆、白小喵", "250 白小喵: 别处")
        .tell("钦灵、莱姆", "300 @莱姆: 四\n300 @莱姆: 五");
    let told = "
        system    | [背景参考资料]⏎白小喵：别处
        user      | 一
        assistant | 二
        user      | 三四五
        assistant | 六";
    stage
        .check(r#"{"character":"钦灵"}"#, told)
        .check(r#"{"character":"钦灵","participants":["莱姆","钦灵"]}"#, told);
    stage.check(
        r#"{"character":"钦灵","history_scope":"conversation"}"#,
        "
        system    | [背景参考资料]⏎白小喵：别处
        user      | 一
        assistant | 二
        user      | 四五",
    );
}

/// The court that quotes an earlier confession: marked, and only for this one prompt.
#[test]
fn granted_conversations_are_marked_and_hold_no_directions() {
    let stage = Stage::new("{}");
    let confession = stage.open("张三、警官");
    stage
        .tell("张三、警官", "#张三: 你叫张三，嫌疑人\n警官: 是你吗？\n张三: 【低声】是我（低头）")
        .tell("法官、律师", "@律师: 请传唤证人\n法官: 准许");
    let cue = format!(r#"{{"character":"法官","message":"有证词吗？","also":["{confession}"]}}"#);
    stage.check(
        &cue,
        "
        system    | [背景参考资料：引用的对话]⏎警官：是你吗？⏎张三：是我（低头）
        user      | 请传唤证人
        assistant | 准许
        user      | 有证词吗？",
    );
    let answer = stage.recall(&cue);
    let blocks = answer["blocks"].as_array().expect("blocks");
    assert_eq!(blocks[0]["position"], "granted");
    assert_eq!(blocks[0]["sources"].as_array().map(Vec::len), Some(2));
    stage.check(
        r#"{"character":"法官","message":"有证词吗？"}"#,
        "user | 请传唤证人\nassistant | 准许\nuser | 有证词吗？",
    );
    let (status, error) = stage.ask(r#"{"character":"法官","also":["nowhere"]}"#);
    assert_eq!((status, &error["error"]["code"]), (404, &"not_found".into()));
}

#[test]
fn an_inline_history_is_used_and_recorded_nowhere() {
    let stage = Stage::new(r#"{"calendar":{"kind":"rimworld"}}"#);
    stage.tell("钦灵、莱姆", "@莱姆: 已经记录");
    let before = stage.host.export("w", "");
    stage.check(
        r#"{"character":{"role_id":1,"display_name":"钦灵"},"message":"换好了吗？","tick":5000,"history":[
            {"attribute":"system","content":"你叫钦灵","role_id":1},
            {"attribute":"system","content":"你叫白小喵","script_role_id":1},
            {"attribute":"assistant","content":"你好呀","display_name":"白小喵","script_role_id":1,"tick":2500},
            {"attribute":"user","content":"你好","display_name":"莱姆"},
            {"Role":"character","Content":"悄悄话","ParticipantId":"x","witnesses":["x","y"]},
            {"attribute":"assistant","content":"好啦","emotion":"难为情","role_id":"1"}]}"#,
        "
        system    | 你叫钦灵
        user      | [时间: 5500年春季第1天, 1时] {白小喵：你好呀}⏎你好
        assistant | 【难为情】好啦
        user      | [时间: 5500年春季第1天, 2时] 换好了吗？",
    );
    stage.check(
        r#"{"character":"b","history_limit":2,"message":"c","history":[
            {"attribute":"system","content":"s","speaker":"b"},
            {"attribute":"user","content":"old","speaker":"p"},
            {"attribute":"assistant","content":"a","speaker":"b"},
            {"attribute":"user","content":"q","speaker":"p"}]}"#,
        "
        system | s
        user   | qc",
    );
    // As chat models take it: nobody is named, and nobody needs to be.
    stage.check(
        r#"{"character":"钦灵","message":"换好了吗？","history":[
            {"role":"user","content":"你好"},
            {"role":"assistant","content":"你好呀"},
            {"role":"assistant","content":"等我一下"},
            {"role":"user","content":"好"}]}"#,
        "
        user      | 你好
        assistant | 你好呀等我一下
        user      | 好换好了吗？",
    );
    assert_eq!(stage.host.export("w", ""), before);
}

#[test]
fn a_stamp_that_the_model_echoes_is_not_recorded() {
    let stage = Stage::new(r#"{"calendar":{"kind":"rimworld"}}"#);
    stage.tell(
        "钦灵、莱姆",
        "0 @莱姆: [时间: 5500年春季第1天, 0时] 我自己写的
         2500 钦灵: [时间: 5503年夏季第9天, 3时] [Time: day 1 of spring 5500, 1h]  来啦
         2500 钦灵: [时间] 不是时间",
    );
    stage.check(
        r#"{"character":"钦灵"}"#,
        "
        user      | [时间: 5500年春季第1天, 0时] [时间: 5500年春季第1天, 0时] 我自己写的
        assistant | [时间: 5500年春季第1天, 1时] 来啦[时间] 不是时间",
    );
}

/// As docs/concepts has it.
#[test]
fn an_english_world_brings_its_own_marks() {
    let page = include_str!("../../../../docs/concepts/perspective-and-history.md");
    let block =
        page.split("```json").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of JSON");
    let settings = serde_json::from_str::<serde_json::Value>(block).expect("JSON")["settings"].to_string();
    Stage::new(&settings)
        .tell(
            "Zorg、Ann、Player",
            "Ann: 【worried】It hums again.（points at the reactor）
             @Player: What now?
             @Player: Hello?
             Zorg: 【calm】We wait.（sits down）
             Zorg: And listen.",
        )
        .check(
            r#"{"character":"Zorg"}"#,
            "user(Player) | {Ann: It hums again. (points at the reactor)}⏎What now?⏎Hello?
             assistant(Zorg) | [calm] We wait. (sits down)⏎And listen.",
        );
}
