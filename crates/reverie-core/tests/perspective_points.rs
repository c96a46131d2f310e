//! Is every point that the design leaves open settled as documented, in both profiles?

use reverie_testkit::check_perspective_in_both as check_both;

/// The same in both profiles.
#[track_caller]
fn check(target: &str, dialogue: &str, expected: &str) {
    check_both(target, dialogue, expected, expected);
}

#[test]
fn emotions_are_passed_on_as_they_are() {
    check("钦灵", "钦灵: 【开兴】好", "assistant | 【开兴】好");
    check("钦灵", "钦灵: 【开心】好", "assistant | 【开心】好");
}

#[test]
fn separator_behind_a_name() {
    check_both("钦灵", "旁白: 天黑了", "user | {旁白：天黑了}", "user | {旁白: 天黑了}");
}

#[test]
fn emotion_and_speech_and_action_in_the_scene() {
    check_both(
        "钦灵",
        "白小喵: 【开心】好<はい>（笑）",
        "user | {白小喵：好（笑）}",
        "user | {白小喵: 【开心】好（笑）}",
    );
}

#[test]
fn between_scene_and_addressed() {
    check_both(
        "钦灵",
        "
        旁白: 天黑了
        @莱姆: 晚安",
        "user | {旁白：天黑了}⏎晚安",
        "user | {旁白: 天黑了} ⏎ 晚安",
    );
}

#[test]
fn joining_addressed_lines() {
    check_both(
        "钦灵",
        "
        @莱姆: 一
        @莱姆: 二
        @ライム: 三",
        "user | 一二三",
        "user | 一 二 三",
    );
}

#[test]
fn ids_compare_inside_one_namespace() {
    let dialogue = "
        [role_id=1]: 一
        [script_role_id=1]: 二";
    check_both(
        "[role_id=1]",
        dialogue,
        "
        assistant | 一
        user      | {未知：二}",
        "
        assistant | 一
        user      | {未知: 二}",
    );
    check_both(
        "[script_role_id=1]",
        dialogue,
        "
        user      | {未知：一}
        assistant | 二",
        "
        user      | {未知: 一}
        assistant | 二",
    );
}

#[test]
fn a_name_decides_only_where_one_side_has_no_id() {
    check("钦灵[role_id=1]", "钦灵: 一", "assistant | 一");
    check("钦灵", "钦灵[role_id=1]: 一", "assistant | 一");
    check("钦灵[role_id=1]", "琴铃[role_id=1]: 一", "assistant | 一");
    for dialogue in ["钦灵[role_id=2]: 一", "钦灵[script_role_id=1]: 一"] {
        check_both("钦灵[role_id=1]", dialogue, "user | {钦灵：一}", "user | {钦灵: 一}");
    }
}

#[test]
fn nobody_is_nobody() {
    check_both("[role_id=1]", ": 一", "user | {未知：一}", "user | {未知: 一}");
    check_both("", ": 一", "user | {未知：一}", "user | {未知: 一}");
}

#[test]
fn ids_are_text() {
    check("[role_id=一号]", "[role_id=一号]: 好", "assistant | 好");
    check_both("[role_id=1]", "[role_id=01]: 好", "user | {未知：好}", "user | {未知: 好}");
}

#[test]
fn a_player_who_speaks_as_the_character_is_the_player() {
    check("钦灵[role_id=1]", "@钦灵[role_id=1]: 我是钦灵", "user | 我是钦灵");
    check_both(
        "钦灵",
        "
        @钦灵: 我是钦灵
        旁白: 真的吗",
        "user | {钦灵：我是钦灵⏎旁白：真的吗}",
        "user | {钦灵: 我是钦灵⏎旁白: 真的吗}",
    );
}

#[test]
fn what_a_player_line_shows_besides_content() {
    check("钦灵", "@莱姆: 【高兴】早<おはよう>（挥手）", "user | 早");
    check_both(
        "钦灵",
        "
        @莱姆: 【高兴】早<おはよう>（挥手）
        旁白: 天亮了",
        "user | {莱姆：早（挥手）⏎旁白：天亮了}",
        "user | {莱姆: 早（挥手）⏎旁白: 天亮了}",
    );
}

#[test]
fn a_scene_at_the_end_is_told() {
    check_both(
        "钦灵",
        "
        钦灵: 再见
        旁白: 钦灵走了",
        "
        assistant | 再见
        user      | {旁白：钦灵走了}",
        "
        assistant | 再见
        user      | {旁白: 钦灵走了}",
    );
}

#[test]
fn player_lines_at_the_end_are_addressed() {
    check_both(
        "钦灵",
        "
        旁白: 门开了
        @莱姆: 在吗
        白小喵: 不在
        @莱姆: 钦灵？",
        "user | {旁白：门开了⏎莱姆：在吗⏎白小喵：不在}⏎钦灵？",
        "user | {旁白: 门开了⏎莱姆: 在吗⏎白小喵: 不在} ⏎ 钦灵？",
    );
}

#[test]
fn player_lines_before_a_foreign_line_are_scene() {
    check_both(
        "钦灵",
        "
        @莱姆: 小喵在吗
        白小喵: 在
        钦灵: 我也在",
        "
        user      | {莱姆：小喵在吗⏎白小喵：在}
        assistant | 我也在",
        "
        user      | {莱姆: 小喵在吗⏎白小喵: 在}
        assistant | 我也在",
    );
}

#[test]
fn own_directions_stay_in_place_and_part_the_talk() {
    check_both(
        "钦灵",
        "
        #钦灵: 你叫钦灵
        #钦灵: 你是猫娘
        旁白: 天黑了
        @莱姆: 一
        #钦灵: 现在你很困
        @莱姆: 二
        钦灵: 三
        #: 圣诞节到了
        钦灵: 四",
        "
        system    | 你叫钦灵
        system    | 你是猫娘
        user      | {旁白：天黑了}⏎一
        system    | 现在你很困
        user      | 二
        assistant | 三
        system    | 圣诞节到了
        assistant | 四",
        "
        system    | 你叫钦灵
        system    | 你是猫娘
        user      | {旁白: 天黑了} ⏎ 一
        system    | 现在你很困
        user      | 二
        assistant | 三
        system    | 圣诞节到了
        assistant | 四",
    );
}

#[test]
fn directions_to_somebody_else_part_nothing() {
    check_both(
        "钦灵[role_id=1]",
        "
        钦灵[role_id=1]: 一
        #白小喵: 你叫白小喵
        钦灵[role_id=1]: 二
        旁白: 三
        #钦灵[role_id=2]: 你是另一个钦灵
        旁白: 四
        @莱姆: 五
        #[script_role_id=1]: 你是猫娘
        @莱姆: 六",
        "
        assistant | 一二
        user      | {旁白：三⏎旁白：四}⏎五六",
        "
        assistant | 一二
        user      | {旁白: 三⏎旁白: 四} ⏎ 五 六",
    );
}

#[test]
fn a_missing_name_in_the_scene() {
    for speaker in ["", "[display_name=]", "[role_id=9]"] {
        let dialogue = format!("{speaker}: 嘘");
        check_both("钦灵", &dialogue, "user | {未知：嘘}", "user | {未知: 嘘}");
    }
}

#[test]
fn marks_inside_content_are_untouched() {
    check_both(
        "钦灵",
        r"
        旁白: {一}【二】<三>（四）五：六\（七\）
        @莱姆: {八}\【九】
        钦灵: \【十】}{",
        "
        user      | {旁白：{一}【二】<三>（四）五：六（七）}⏎{八}【九】
        assistant | 【十】}{",
        "
        user      | {旁白: {一}【二】<三>（四）五：六（七）} ⏎ {八}【九】
        assistant | 【十】}{",
    );
}

#[test]
fn empty_input() {
    check("钦灵", "", "");
    check("钦灵", "#白小喵: 你叫白小喵", "");
}
