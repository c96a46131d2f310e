//! What becomes of empty parts, empty lines, seams and whispers, in both profiles?

use reverie_testkit::check_perspective_in_both as check_both;

/// The same in both profiles.
#[track_caller]
fn check(target: &str, dialogue: &str, expected: &str) {
    check_both(target, dialogue, expected, expected);
}

#[test]
fn a_direction_is_its_content_only() {
    check("钦灵", "#钦灵: 【严肃】你叫钦灵<tts>（无）", "system | 你叫钦灵");
}

#[test]
fn absent_and_empty_parts_leave_no_brackets() {
    check("钦灵", "钦灵: 【】一<>（）", "assistant | 一");
    check("钦灵", "钦灵: 【喜】一", "assistant | 【喜】一");
    check("钦灵", "钦灵: 一<いち>", "assistant | 一<いち>");
    check("钦灵", "钦灵: 一（点头）", "assistant | 一（点头）");
    check("钦灵", "钦灵: （点头）", "assistant | （点头）");
    check_both("钦灵", "旁白: 【】一<>（）", "user | {旁白：一}", "user | {旁白: 一}");
}

/// A line may say nothing and still be a turn; it is never dropped.
#[test]
fn empty_lines_are_lines() {
    check("钦灵", "钦灵:", "assistant |");
    check("钦灵", "@莱姆:", "user |");
    check_both("钦灵", "旁白:", "user | {旁白：}", "user | {旁白: }");
    check_both(
        "钦灵",
        "
        旁白: 一
        @莱姆:
        钦灵: 二",
        "
        user      | {旁白：一}⏎
        assistant | 二",
        "
        user      | {旁白: 一} ⏎␠
        assistant | 二",
    );
}

#[test]
fn own_lines_join_without_a_seam() {
    check(
        "Alice",
        "
        Alice: 【happy】Hello!<hello>（waves）
        Alice: How are you?
        Alice: 【旅】また明日<また あした>",
        "assistant | 【happy】Hello!<hello>（waves）How are you?【旅】また明日<また あした>",
    );
}

#[test]
fn unwitnessed_lines_vanish_and_part_nothing() {
    let dialogue = "
        钦灵: 一
        白小喵 →莱姆: 别告诉钦灵
        钦灵: 二
        @莱姆 →白小喵: 不告诉她
        白小喵 →莱姆、钦灵: 三";
    check_both(
        "钦灵",
        dialogue,
        "
        assistant | 一二
        user      | {白小喵：三}",
        "
        assistant | 一二
        user      | {白小喵: 三}",
    );
    check_both(
        "白小喵",
        dialogue,
        "
        user      | {钦灵：一}
        assistant | 别告诉钦灵
        user      | {钦灵：二}⏎不告诉她
        assistant | 三",
        "
        user      | {钦灵: 一}
        assistant | 别告诉钦灵
        user      | {钦灵: 二} ⏎ 不告诉她
        assistant | 三",
    );
}
