//! Is the table readable that says why each memory is in a prompt or is not?

use crate::run::{Directory, reverie, run};

/// What two of them know, and what one of them alone does.
const LAMP: &str = r#"{"attribute":"user","display_name":"小夏","content":"灯塔的灯坏了。"}
{"attribute":"assistant","display_name":"阿默","content":"我明天去修灯塔。"}
"#;

const OF_ONE: &str = "
  #  score  near   kind  age   words  mean   key    time   mood   rel    fate             memory
  1  0.037  0.037  1.00  1.00    ·      ·      ·      ·      ·    0.248  kept (constant)  3 [trait] 阿默怕黑
  2  0.884  0.990  0.90  1.00  0.737  1.000  0.333    ·      ·      ·    kept             1 [semantic] 灯塔有三十米高

2 memories came to mind, 2 of them in the prompt
";

const OF_TWO: &str = "
  #  score  near   kind  age   words  mean   key    time   mood   rel    fate                 memory
  1  0.037  0.037  1.00  1.00    ·      ·      ·      ·      ·    0.248  kept (constant)      3 [trait] {阿默} 阿默怕黑
  2  0.893  0.990  0.90  1.00  0.723  1.000  0.333    ·      ·      ·    kept                 2 [semantic] {小夏, 阿默} 灯塔有三十米高。
  3  0.884  0.990  0.90  1.00  0.737  1.000  0.333    ·      ·      ·    near_duplicate of 2  1 [semantic] {阿默, 小夏} 灯塔有三十米高

3 memories came to mind, 2 of them in the prompt
";

/// Who lacks what is kept from them stands there by name.
#[test]
fn who_lacks_it_is_named() {
    let data = Directory::new();
    data.write("lamp.jsonl", LAMP);
    let told = |arguments: &[&str]| {
        let ended = run(reverie(&data).args(arguments).args(["--data", "d"]));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    told(&["import", "lamp.jsonl", "--world", "lamp"]);
    told(&["memory", "create", "lamp", "阿默", "灯塔有三十米高", "--kind", "semantic"]);
    let exported = told(&["export", "lamp"]);
    let strict = exported
        .replace(r#""pairs":{}"#, r#""pairs":{"audience":"strict"}"#)
        .replace(r#""kind":"person","display_name":"小夏""#, r#""kind":"person","display_name":"老夏""#);
    data.write("strict.jsonl", &strict);
    told(&["import", "strict.jsonl", "--world", "strict"]);
    let asked = ["recall", "strict", "阿默", "--among", "阿默", "--among", "小夏", "--among", "路人"];
    let asked = [&asked[..], &["--message", "灯塔有多高", "--explain"]].concat();
    let table = told(&asked);
    assert!(table.contains("  audience (unknown to 老夏, 路人)  1 [semantic] 灯塔有三十米高\n"), "{table}");
    let json = told(&[&asked[..], &["--json"]].concat());
    assert!(json.contains(r#""lacked_by":["小夏","路人"]"#), "{json}");
}

#[test]
fn columns_are_as_wide_as_what_stands_in_them() {
    let data = Directory::new();
    data.write("lamp.jsonl", LAMP);
    let told = |arguments: &[&str]| {
        let ended = run(reverie(&data).args(arguments).args(["--data", "d"]));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    told(&["import", "lamp.jsonl", "--world", "lamp"]);
    told(&["memory", "create", "lamp", "阿默", "灯塔有三十米高", "--kind", "semantic"]);
    told(&["memory", "create", "lamp", "小夏", "灯塔有三十米高。", "--kind", "semantic"]);
    told(&["memory", "create", "lamp", "阿默", "阿默怕黑", "--kind", "trait"]);
    let asked = ["recall", "lamp", "阿默", "--among", "阿默", "--among", "小夏", "--message", "灯塔有多高"];
    let explained = |more: &[&str]| told(&[&asked[..], &["--explain"], more].concat());
    for (more, expected) in [(&[][..], OF_ONE), (&["--with", "小夏"], OF_TWO)] {
        let table = explained(more);
        assert!(table.starts_with(expected.trim_start_matches('\n')), "{table}");
    }
    let prompt = told(&[&asked[..], &["--with", "小夏"]].concat());
    assert!(
        prompt.contains("- 【阿默、小夏】灯塔有三十米高。\n### 特质记忆\n- 【阿默】阿默怕黑\n"),
        "{prompt}"
    );
}
