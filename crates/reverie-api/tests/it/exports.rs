//! Does a world survive the journey, and does a broken parcel leave nothing behind?

use serde_json::{Value, json};

use crate::host::{Host, IMPORT_BYTES, encode};
use crate::script::talk_to;
use crate::stage::Stage;

/// A world with a bit of everything.
fn furnished() -> Stage {
    let stage = Stage::new(
        r#"{"calendar":{"kind":"rimworld"},"narrator":{"names":["说书人"]},"prompt":{"budget":9000}}"#,
    );
    stage
        .put_character("钦灵", r#"{"persona":"你叫钦灵","role_id":1}"#)
        .tell("钦灵、莱姆", "100 @莱姆: 你好\n钦灵: 【开心】来啦<はい>（摇尾巴）\n说书人: 天黑了")
        .tell("酒馆: 钦灵、莱姆", "200 @莱姆: 喝酒 🍶\n200 钦灵 →莱姆: 嘘");
    let path = "/v1/worlds/w/conversations/c1/lines";
    stage.host.done("POST", path, r#"{"swipe_of":"2","key":"k","lines":[{"speaker":"钦灵","attribute":"assistant","content":"另一种"}]}"#);
    stage.host.done("PUT", "/v1/worlds/w/checkpoints/early", "");
    stage.host.done("PUT", "/v1/worlds/w/conversations/c2/present", r#"{"present":["钦灵"]}"#);
    stage.host.done("PATCH", "/v1/worlds/w/lines/1", r#"{"content":"你好（改）"}"#);
    stage.host.done("PATCH", "/v1/worlds/w/lines/5", r#"{"hidden":true}"#);
    stage.tell("酒馆: 钦灵", "300 @莱姆: 再来");
    stage.host.done("PUT", "/v1/worlds/w/checkpoints/late", "");
    stage
}

/// Everything that can be read of a world, under whatever id.
fn all_reads(host: &Host, world: &str) -> Vec<Value> {
    let base = format!("/v1/worlds/{world}");
    let mut reads = vec![host.get(&base)];
    for list in ["characters?limit=1000", "conversations?limit=1000", "checkpoints?limit=1000"] {
        reads.push(host.get(&format!("{base}/{list}")));
    }
    for conversation in ["c1", "c2"] {
        for query in [
            "",
            "?tree=true",
            "?newest=true",
            &format!("?as={}", encode("莱姆")),
            "?children_of=1",
            "?children_of=root",
        ] {
            reads.push(host.get(&format!("{base}/conversations/{conversation}/lines{query}")));
        }
    }
    let (qin, lai) = (encode("钦灵"), encode("莱姆"));
    reads.push(host.get(&format!("{base}/history?participants={qin}&participants={lai}")));
    reads.push(host.get(&format!("{base}/history?participants={qin}&participants={lai}&as={lai}&also=c2")));
    for cue in [
        r#"{"character":"钦灵","conversation":"c1","message":"嗯"}"#,
        r#"{"character":{"role_id":1},"conversation":"c2"}"#,
        r#"{"character":"莱姆","participants":["钦灵","莱姆"],"also":["c2"]}"#,
    ] {
        reads.push(host.done("POST", &format!("{base}/recall"), cue));
    }
    for read in &mut reads {
        // A prompt's id says for which world it was made.
        if read["id"] == world || read["id"].as_str().is_some_and(|id| id.starts_with("rc1-")) {
            read["id"] = json!("it");
        }
    }
    reads
}

#[test]
fn a_round_trip_changes_no_read() {
    let stage = furnished();
    let before = all_reads(&stage.host, "w");
    for format in ["jsonl", "save"] {
        let parcel = stage.host.export("w", &format!("format={format}"));
        for host in [&Host::new(), &stage.host] {
            let id = format!("copy-{format}");
            let made = host.done("POST", &format!("/v1/import?world={id}"), &parcel);
            assert_eq!(made["id"], *id);
            assert_eq!(all_reads(host, &id), before, "{format}");
            let again = host.export(&id, "format=jsonl");
            let original = stage.host.export("w", "format=jsonl");
            assert_eq!(
                again.lines().skip(1).collect::<Vec<_>>(),
                original.lines().skip(1).collect::<Vec<_>>()
            );
        }
    }
    // What the log remembers besides: checkpoints can be restored, a key stands for the same batch, redo finds its line.
    let host = Host::new();
    host.done("POST", "/v1/import", &stage.host.export("w", "format=save"));
    for host in [&host, &stage.host] {
        let key = r#"{"swipe_of":"2","key":"k","lines":[{"speaker":"钦灵","attribute":"assistant","content":"另一种"}]}"#;
        assert_eq!(host.done("POST", "/v1/worlds/w/conversations/c1/lines", key)["replayed"], true);
        host.done("POST", "/v1/worlds/w/checkpoints/early/restore", "");
        host.done("PUT", "/v1/worlds/w/conversations/c1/head", r#"{"line":"3"}"#);
    }
    assert_eq!(all_reads(&host, "w"), all_reads(&stage.host, "w"));
}

#[test]
fn a_checkpoint_travels_as_it_was() {
    let stage = furnished();
    let parcel = stage.host.export("w", "checkpoint=early");
    let host = Host::new();
    host.done("POST", "/v1/import", &parcel);
    stage.host.done("POST", "/v1/worlds/w/checkpoints/early/restore", "");
    let (mut there, mut here) = (all_reads(&host, "w"), all_reads(&stage.host, "w"));
    // Beyond the moment: revisions, checkpoints and branches that came later.
    for reads in [&mut there, &mut here] {
        reads.retain(|read| {
            read["items"]
                .as_array()
                .is_none_or(|items| items.iter().all(|item| item.get("created").is_none()))
        });
        for read in reads.iter_mut().filter_map(Value::as_object_mut) {
            read.remove("revision");
        }
    }
    assert_eq!(there.len(), here.len());
    let is_tree = |read: &Value| {
        read["items"].as_array().is_some_and(|items| items.iter().any(|item| item["content"] == "再来"))
    };
    for (there, here) in there.iter().zip(&here).filter(|(_, here)| !is_tree(here)) {
        assert_eq!(there, here);
    }
    let readable = stage.host.export("w", "checkpoint=early&format=jsonl");
    assert!(readable.contains("你好") && !readable.contains("再来") && !readable.contains("（改）"));
}

/// A world in which things were remembered, changed, forgotten and summed up.
fn remembered() -> Stage {
    let stage = Stage::new(r#"{"calendar":{"kind":"rimworld"}}"#);
    stage.tell("钦灵、莱姆", "100 @莱姆: 我喜欢草莓。\n钦灵: 【开心】记住了。");
    talk_to(
        &stage.host,
        r#"
        POST /v1/worlds/w/conversations/c1/rounds {"present":["莱姆","钦灵"]}
          201 {"id":"1"}
        POST /v1/worlds/w/conversations/c1/lines {"lines":[{"speaker":"莱姆","attribute":"user","content":"唔","round":1},{"speaker":"钦灵","attribute":"assistant","content":"没人看见","round":1}]}
          201
        POST /v1/worlds/w/rounds/1/abort
          200
        POST /v1/worlds/w/events {"text":"下雨了 🌧","witnesses":["钦灵"],"importance":0.30000000000000004,"topics":["天气"],"key":"rain"}
          201
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"memories":2,"more":false}
        PUT /v1/worlds/w/checkpoints/early
          201
        PATCH /v1/worlds/w/memories/1 {"text":"下了大雨","pinned":true,"importance":0.1}
          200
        DELETE /v1/worlds/w/memories/2?holder=%E8%8E%B1%E5%A7%86&lines=true
          204
        POST /v1/worlds/w/conversations/c1/lines {"lines":[{"speaker":"莱姆","attribute":"user","content":"三周以后","tick":1260000}]}
          201
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"summaries":4,"more":false}
        POST /v1/worlds/w/conversations/c1/rounds {}
          201 {"state":"open"}
        PUT /v1/worlds/w/checkpoints/late
          201"#,
    );
    stage
}

/// Everything that can be read of what is remembered in a world.
fn memories_of(host: &Host, world: &str) -> Vec<Value> {
    let base = format!("/v1/worlds/{world}");
    let mut reads = vec![
        host.get(&format!("{base}/conversations/c1/rounds")),
        host.get(&format!("{base}/conversations/c1/lines?tree=true")),
        host.get(&format!("{base}/stats")),
    ];
    for who in ["钦灵", "莱姆"].map(encode) {
        let list = host.get(&format!("{base}/characters/{who}/memories?all=true"));
        for memory in list["items"].as_array().expect("a list") {
            let id = memory["id"].as_str().expect("an id");
            reads.push(host.get(&format!("{base}/memories/{id}/history?holder={who}")));
        }
        reads.push(list);
    }
    reads
}

#[test]
fn memories_travel_as_they_are() {
    let stage = remembered();
    let before = memories_of(&stage.host, "w");
    let lines = stage.host.export("w", "format=jsonl");
    assert!(lines.contains(r#""type":"world","version":3,"#));
    for format in ["jsonl", "save"] {
        let host = Host::new();
        host.done("POST", "/v1/import", &stage.host.export("w", &format!("format={format}")));
        assert_eq!(memories_of(&host, "w"), before, "{format}");
        assert_eq!(host.export("w", "format=jsonl"), lines, "{format}");
        // The same event is the same memory, a checkpoint brings back what was, and nothing is remembered twice.
        for host in [&host, &stage.host] {
            let rain = r#"{"text":"下雨了 🌧","witnesses":["钦灵"],"key":"rain"}"#;
            assert_eq!(host.send("POST", "/v1/worlds/w/events", rain).0, 200);
            assert_eq!(
                host.done("POST", "/v1/worlds/w/digest", r#"{"now":true,"slice_ms":10000}"#)["memories"],
                0
            );
        }
    }
    let (there, here) = (Host::new(), &stage.host);
    there.done("POST", "/v1/import", &here.export("w", "format=save"));
    for host in [&there, here] {
        host.done("POST", "/v1/worlds/w/checkpoints/early/restore", "");
    }
    assert_eq!(memories_of(&there, "w"), memories_of(here, "w"));
    assert_eq!(there.get("/v1/worlds/w/memories/1")["holders"][0]["pinned"], false);
}

/// One checkpoint of it has nothing of what came later.
#[test]
fn a_checkpoint_takes_its_own_memories_along() {
    let stage = remembered();
    let parcel = stage.host.export("w", "checkpoint=early&format=jsonl");
    assert!(!parcel.contains("下了大雨") && !parcel.contains("小结") && !parcel.contains("三周以后"));
    let host = Host::new();
    host.done("POST", "/v1/import", &parcel);
    let list = host.get(&format!("/v1/worlds/w/characters/{}/memories", encode("钦灵")));
    let texts: Vec<&Value> =
        list["items"].as_array().expect("a list").iter().map(|memory| &memory["text"]).collect();
    assert_eq!(texts.len(), 3, "{list}");
    host.done("POST", "/v1/worlds/w/fork", r#"{"id":"v","checkpoint":"early"}"#);
    assert_eq!(
        host.get(&format!("/v1/worlds/v/characters/{}/memories", encode("钦灵")))["items"],
        list["items"]
    );
}

/// Written before there were rounds and memories.
#[test]
fn an_export_of_before_is_read() {
    let lines = [
        r#"{"type":"world","version":1,"id":"old","created_ms":0,"revision":3,"next_line":2}"#,
        r#"{"type":"settings","version":0,"preset":"companion","pairs":{}}"#,
        r#"{"type":"character","id":"a","cards":[{"version":0,"kind":"person","display_name":"a"}],"revision":2}"#,
        r#"{"type":"conversation","id":"c1","participants":["a"],"revision":2}"#,
        r#"{"type":"line","id":1,"conversation":"c1","attribute":"user","speaker":"a","wordings":[{"content":"从前"}],"wall_ms":0,"present":["a"],"revision":3}"#,
        r#"{"type":"head","revision":3,"conversation":"c1","line":1}"#,
        r#"{"type":"end","records":6}"#,
    ];
    let host = Host::new();
    host.done("POST", "/v1/import", &lines.join("\n"));
    // The round, its day, and an era of half a century.
    assert_eq!(host.done("POST", "/v1/worlds/old/digest", r#"{"now":true,"slice_ms":10000}"#)["memories"], 3);
    assert_eq!(host.get("/v1/worlds/old/conversations/c1/rounds")["items"][0]["id"], "1");
}

/// What no world ever wrote does not come in.
#[test]
fn wrong_rounds_and_memories_are_refused() {
    let stage = remembered();
    let lines = stage.host.export("w", "format=jsonl");
    let host = Host::new();
    for (from, to) in [
        (r#""origin":"event""#, r#""origin":"dream""#),
        (r#""kind":"episodic""#, r#""kind":"vague""#),
        (r#""layer":"active""#, r#""layer":"deep""#),
        (r#""importance":0.30000000000000004"#, r#""importance":3"#),
        (r#""activity":1.0"#, r#""activity":-1"#),
        (r#""ending":"aborted""#, r#""ending":"happy""#),
        (r#""state":"closed""#, r#""state":"ajar""#),
        (r#""explicit":true"#, r#""explicit":"yes""#),
        (r#""fingerprint":""#, r#""fingerprint":"!"#),
        (r#""type":"holding","memory":1"#, r#""type":"holding","memory":99"#),
        (r#""type":"round","id":1"#, r#""type":"round","id":0"#),
    ] {
        assert!(lines.contains(from), "{from}");
        let (status, error) = host.send("POST", "/v1/import", &lines.replacen(from, to, 1));
        assert!((400..500).contains(&status), "{to}: {error}");
        assert_eq!(host.get("/v1/worlds")["items"], json!([]), "{to} left something behind");
    }
}

#[test]
fn a_save_is_one_word_that_any_file_can_carry() {
    let stage = furnished();
    for query in ["format=save", "checkpoint=early", "checkpoint=late&format=save"] {
        let save = stage.host.export("w", query);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_:/.-".contains(c);
        assert!(save.chars().all(is_plain), "{query}");
        assert!(save.starts_with("reverie-save/1:"));
        // A save file may have wrapped and indented it.
        let wrapped: String = save
            .as_bytes()
            .chunks(60)
            .map(|chunk| format!("  {}\r\n", String::from_utf8_lossy(chunk)))
            .collect();
        let host = Host::new();
        host.done("POST", "/v1/import", &wrapped);
        assert_eq!(
            host.get("/v1/worlds/w/conversations/c1/lines?limit=1")["items"].as_array().map(Vec::len),
            Some(1)
        );
    }
}

/// Whatever is wrong with it: refused as invalid, and not a trace of it stays.
#[track_caller]
fn refused(host: &Host, parcel: &str, what: &str) {
    let (status, error) = host.send("POST", "/v1/import", parcel);
    assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid")), "{what}: {error}");
    assert_eq!(host.get("/v1/worlds")["items"], json!([]), "{what} left something behind");
}

#[test]
fn newer_versions_are_refused() {
    let stage = furnished();
    let host = Host::new();
    refused(&host, "reverie-save/2:AAAA", "a newer save");
    let lines = stage.host.export("w", "");
    assert!(lines.contains(r#""type":"world","version":1,"#));
    refused(&host, &lines.replacen(r#""version":1,"#, r#""version":4,"#, 1), "a newer version");
    let (_, error) = host.send("POST", "/v1/import", "reverie-save/2:AAAA");
    assert_eq!(error["error"]["hint"], "update Reverie");
}

#[test]
fn a_truncated_parcel_is_refused_wherever_it_ends() {
    let stage = furnished();
    let host = Host::new();
    let lines = stage.host.export("w", "format=jsonl");
    let rows: Vec<&str> = lines.lines().collect();
    for count in 0..rows.len() {
        refused(&host, &rows[..count].join("\n"), &format!("{count} of {} lines", rows.len()));
    }
    refused(&host, &[rows.as_slice(), &rows[rows.len() - 2..]].concat().join("\n"), "lines behind the end");
    let save = stage.host.export("w", "format=save");
    for length in (0..save.len()).step_by(save.len() / 60) {
        refused(&host, &save[..length], &format!("{length} of {} characters", save.len()));
    }
    host.done("POST", "/v1/import", &lines);
}

#[test]
fn a_save_with_a_flipped_character_is_refused() {
    let stage = furnished();
    let host = Host::new();
    let save = stage.host.export("w", "format=save");
    for at in (0..save.len()).step_by(save.len() / 80) {
        let mut bytes = save.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        refused(&host, &String::from_utf8_lossy(&bytes), &format!("a flip at {at}"));
    }
}

#[test]
fn lines_that_do_not_fit_together_are_refused() {
    let stage = furnished();
    let host = Host::new();
    let lines = stage.host.export("w", "format=jsonl");
    let rows: Vec<&str> = lines.lines().collect();
    for missing in 0..rows.len() {
        let kept: Vec<&str> =
            (0..rows.len()).filter(|index| *index != missing).map(|index| rows[index]).collect();
        refused(&host, &kept.join("\n"), &format!("without line {missing}: {}", rows[missing]));
    }
    for (from, to) in [
        (r#""parent":1"#, r#""parent":99"#),
        (r#""parent":1"#, r#""parent":2"#),
        (r#""attribute":"user""#, r#""attribute":"shout""#),
        (r#""speaker":"莱姆""#, r#""speaker":"谁""#),
        (r#""tick":100"#, r#""tick":90071992547409930"#),
        (r#""type":"checkpoint""#, r#""type":"checkpoints""#),
        (r#""type":"world""#, r#""type":"worlds""#),
    ] {
        assert!(lines.contains(from), "{from}");
        refused(&host, &lines.replacen(from, to, 1), &format!("{from} to {to}"));
    }
    for nonsense in [
        "",
        "   ",
        "{}",
        "[]",
        "hello",
        "{\"type\":\"world\"}",
        "reverie-save/1:",
        "reverie-save/1:!!!!",
        "reverie-save/",
    ] {
        refused(&host, nonsense, nonsense);
    }
}

/// A small parcel that unfolds to a mountain is not unfolded to its end.
#[test]
fn a_parcel_that_unfolds_without_end_is_refused() {
    use base64::Engine as _;
    use std::io::Write as _;
    let stage = furnished();
    let head = stage.host.export("w", "format=jsonl").lines().next().expect("a world").to_owned();
    let mountains: [Box<dyn Fn() -> Vec<u8>>; 3] = [
        Box::new(|| vec![b' '; IMPORT_BYTES * 64]),
        Box::new(|| vec![b'\n'; IMPORT_BYTES * 64]),
        Box::new(|| {
            format!("{}{}\n", r#"{"type":"conversation","id":"c","present":["#, "[".repeat(IMPORT_BYTES * 64))
                .into_bytes()
        }),
    ];
    for mountain in mountains {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(format!("{head}\n").as_bytes()).expect("packed");
        packer.write_all(&mountain()).expect("packed");
        let packed = packer.finish().expect("packed");
        let save =
            format!("reverie-save/1:{}", base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(packed));
        assert!(save.len() < IMPORT_BYTES, "the parcel itself is small");
        let host = Host::new();
        refused(&host, &save, "a mountain");
        let (_, error) = host.send("POST", "/v1/import", &save);
        assert!(
            error["error"]["hint"].as_str().is_some_and(|hint| hint.contains("limits.import_bytes")),
            "{error}"
        );
    }
}

#[test]
fn an_import_never_overwrites() {
    let stage = furnished();
    let parcel = stage.host.export("w", "");
    let before = stage.host.export("w", "");
    let (status, error) = stage.host.send("POST", "/v1/import", &parcel);
    assert_eq!((status, &error["error"]["code"]), (409, &json!("conflict")));
    assert_eq!(stage.host.export("w", ""), before);
}

/// A save carries the past of its checkpoint, and nothing of what came after it.
#[test]
fn a_checkpoint_knows_nothing_of_what_came_later() {
    let host = Host::with_world("{}");
    talk_to(
        &host,
        r#"
        POST /v1/worlds/w/conversations {"name":"tavern","participants":["a","b"]}
          201
        PUT /v1/worlds/w/checkpoints/early
          201
        PUT /v1/worlds/w/characters/traitor {"persona":"a later secret"}
          201
        POST /v1/worlds/w/conversations {"name":"cellar","participants":["a","traitor"]}
          201
        POST /v1/worlds/w/checkpoints/early/restore
          200
        POST /v1/worlds/w/conversations {"name":"cellar","participants":["a"]}
          200 {"present":["a"],"participants":["a"]}
        GET /v1/worlds/w/characters/traitor
          200 {"persona":null}
        POST /v1/worlds/w/fork {"id":"v","checkpoint":"early"}
          201
        GET /v1/worlds/v/characters
          200 {"items":[{"id":"a"},{"id":"b"}]}
        GET /v1/worlds/v/conversations
          200 {"items":[{"name":"tavern","present":["a","b"]}]}"#,
    );
    let parcel = host.export("w", "checkpoint=early&format=jsonl");
    assert!(
        !parcel.contains("traitor") && !parcel.contains("later secret") && !parcel.contains("cellar"),
        "{parcel}"
    );
}
