//! Commands that end by themselves: config, token, notice, and every wrong command line.

use crate::run::{Directory, reverie, run};

#[test]
fn config_shows_every_value_with_its_origin_and_no_secret() {
    let directory = Directory::new();
    let file = directory.write("my.toml", "token = \"rv_swordfish\"\n[limits]\nqueue = 7\nconcurrent = 7\n");
    let mut command = reverie(&directory);
    command.args(["config", "--config", &file, "--limits-queue", "9"]);
    command.env("REVERIE_LIMITS_QUEUE", "8").env("REVERIE_LISTEN", "127.0.0.1:1");
    let text = run(&mut command);
    assert_eq!(text.code, Some(0), "{}", text.stderr);
    let json = run(command.arg("--json")).json();
    for (name, value, origin) in [
        ("limits.queue", "9", "--limits-queue"),
        ("limits.concurrent", "7", file.as_str()),
        ("listen", "127.0.0.1:1", "REVERIE_LISTEN"),
        ("limits.drain_timeout", "10s", "default"),
    ] {
        let row = text.stdout.lines().find(|line| line.starts_with(&format!("{name} = {value} "))).unwrap();
        assert!(row.ends_with(&format!("({origin})")), "{row}");
        assert_eq!(json["settings"][name], serde_json::json!({"value": value, "origin": origin}));
    }
    assert_eq!(json["settings"]["token"]["value"], serde_json::json!(["rv_[hidden]"]));
    assert!(!format!("{}{}{json}", text.stdout, text.stderr).contains("swordfish"));
}

/// Also where there is none: somebody is about to write it.
#[test]
fn config_tells_where_the_settings_file_is_looked_for() {
    let directory = Directory::new();
    let shown = |arguments: &[&str]| run(reverie(&directory).arg("config").args(arguments));
    let place = shown(&["--json"]).json()["settings_file"].clone();
    let path = place["path"].as_str().unwrap().to_owned();
    assert!(path.starts_with(directory.path().to_str().unwrap()), "{path}");
    assert!(std::path::Path::new(&path).ends_with("reverie/reverie.toml"), "{path}");
    assert_eq!(place["exists"], false);
    let text = shown(&[]).stdout;
    assert!(text.starts_with(&format!("settings file: {path} (there is none yet)\n")), "{text}");
    std::fs::create_dir_all(std::path::Path::new(&path).parent().unwrap()).unwrap();
    std::fs::write(&path, "listen = \"127.0.0.1:4\"").unwrap();
    assert_eq!(shown(&["--json"]).json()["settings_file"]["exists"], true);
    assert!(shown(&[]).stdout.starts_with(&format!("settings file: {path}\n")));
    let named = directory.write("named.toml", "");
    let text = shown(&["--config", &named]).stdout;
    assert!(text.starts_with(&format!("settings file: {named}\n")), "{text}");
}

/// What is not set is left out.
#[test]
fn config_as_json_holds_no_nulls() {
    let directory = Directory::new();
    let ended = run(reverie(&directory).args(["config", "--json"]));
    assert!(!ended.stdout.contains("null"), "{}", ended.stdout);
    let settings = ended.json()["settings"].clone();
    let is_told = |row: &serde_json::Value| row["origin"].is_string();
    assert!(settings.as_object().unwrap().values().all(is_told), "{settings}");
}

/// Wherever a token comes from, and whatever else is wrong.
#[test]
fn no_command_tells_a_token() {
    let directory = Directory::new();
    let tokens = directory.write("tokens", "rv_angelfish\n");
    directory.write("bad.toml", "token = \"rv_goldfish\"\nlisten = 7");
    for arguments in [
        vec!["config", "--token-file", &tokens],
        vec!["config", "--token-file", &tokens, "--json"],
        vec!["config", "--config", "bad.toml"],
        vec!["config", "--limits-queue", "rv_swordfish"],
        vec!["--listen", "0.0.0.0:99999"],
        vec!["doctor"],
    ] {
        let ended = run(reverie(&directory).args(&arguments).env("REVERIE_TOKEN", "rv_clownfish"));
        let said = format!("{}{}", ended.stdout, ended.stderr);
        for secret in ["angelfish", "goldfish", "clownfish"] {
            assert!(!said.contains(secret), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn the_platform_s_own_file_is_found() {
    let directory = Directory::new();
    let config = match () {
        () if cfg!(windows) => directory.path().join("reverie"),
        () if cfg!(target_os = "macos") => directory.path().join("Library/Application Support/reverie"),
        () => directory.path().join(".config/reverie"),
    };
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("reverie.toml"), "listen = \"127.0.0.1:4\"").unwrap();
    let json = run(reverie(&directory).args(["config", "--json"])).json();
    assert_eq!(json["settings"]["listen"]["value"], "127.0.0.1:4");
    let named = directory.write("named.toml", "listen = \"127.0.0.1:5\"");
    let json = run(reverie(&directory).args(["config", "--json"]).env("REVERIE_CONFIG", named)).json();
    assert_eq!(json["settings"]["listen"]["value"], "127.0.0.1:5");
}

#[test]
fn wrong_command_lines_and_settings_end_with_2_and_say_why() {
    let directory = Directory::new();
    let file = directory.write("bad.toml", "[limits]\nqeue = 1");
    for (arguments, message, hint) in [
        (vec!["--config", &file], "unknown setting `limits.qeue` in ", "did you mean `limits.queue`?"),
        (vec!["--config", "nowhere.toml"], "cannot read the settings file nowhere.toml", ""),
        (
            vec!["--limits-queue", "many"],
            "`limits.queue` cannot be \"many\" (from --limits-queue)",
            "whole number",
        ),
        (vec!["serve", "--lisen", "x"], "unexpected argument '--lisen'", "--listen"),
        (vec!["dance"], "unrecognized subcommand 'dance'", ""),
        (vec!["--listen", "0.0.0.0:0"], "0.0.0.0:0 can be reached from other machines", "`reverie token`"),
        (vec!["--listen", "[::]:0"], "no token is set", "REVERIE_TOKEN"),
        (vec!["--allow-origin", "*"], "`allow_origin` cannot be \"*\"", "name each origin"),
    ] {
        let ended = run(reverie(&directory).args(&arguments));
        assert_eq!(ended.code, Some(2), "{arguments:?}");
        assert!(ended.stderr.starts_with("error: "), "{}", ended.stderr);
        assert!(ended.stderr.contains(message) && ended.stderr.contains(hint), "{}", ended.stderr);
        assert_eq!(ended.stdout, "");
        let json = run(reverie(&directory).args(&arguments).arg("--json"));
        assert_eq!(json.code, Some(2));
        let error = &json.json()["error"];
        assert!(error["message"].as_str().unwrap().contains(message), "{error}");
        assert!(["invalid", "denied", "unavailable"].contains(&error["code"].as_str().unwrap()), "{error}");
    }
}

#[test]
fn tokens_are_fresh_and_of_our_kind() {
    let directory = Directory::new();
    let token =
        || run(reverie(&directory).args(["token", "--json"])).json()["token"].as_str().unwrap().to_owned();
    let (one, two) = (token(), token());
    assert_ne!(one, two);
    assert!(one.starts_with("rv_") && one.len() == 67, "{one}");
    assert!(run(reverie(&directory).arg("token")).stdout.starts_with("rv_"));
}

#[test]
fn a_misspelt_variable_is_mentioned() {
    let directory = Directory::new();
    let ended = run(reverie(&directory).arg("config").env("REVERIE_LISTN", "x"));
    assert_eq!(ended.code, Some(0));
    assert!(ended.stderr.contains("did you mean `REVERIE_LISTEN`?"), "{}", ended.stderr);
}

#[test]
fn the_reference_is_markdown() {
    let ended = run(reverie(&Directory::new()).args(["config", "--reference"]));
    assert!(ended.stdout.contains("| `listen` | `--listen` | `REVERIE_LISTEN` | `127.0.0.1:7878` |"));
}

/// A program is passed on without the repository beside it.
#[test]
fn the_program_itself_says_whose_data_is_in_it() {
    let directory = Directory::new();
    let told = run(reverie(&directory).arg("notice"));
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    for wanted in [
        "CC-CEDICT",
        "CC BY-SA 4.0",
        "all-MiniLM-L6-v2",
        "OpenCC",
        "Sun Junyi",
        "Permission is hereby granted",
    ] {
        assert!(told.stdout.contains(wanted), "{wanted}");
    }
    let json = run(reverie(&directory).args(["notice", "--json"])).json();
    assert_eq!(json["notice"].as_str().unwrap().trim_end(), told.stdout.trim_end());
}
