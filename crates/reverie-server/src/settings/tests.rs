//! Which place wins, and what do wrong settings say?

use super::*;

const TOML: &str = r#"
listen = "127.0.0.1:3"
allow_host = ["memory.local", "bot:7878"]
token = "rv_from_the_file"
[limits]
queue = 3
request_bytes = "3 MiB"
"#;

fn file(text: &str) -> ConfigFile {
    ConfigFile { path: "/etc/reverie.toml".into(), text: text.to_owned() }
}

/// Whatever the file says, its settings are understood or refused, and a secret is never shown.
#[test]
fn any_file_is_understood_or_refused() {
    let pieces = [
        "listen",
        "token",
        "allow_host",
        "allow_origin",
        "[limits]",
        "[log]",
        "queue",
        "request_bytes",
        "level",
        "=",
        "\"",
        "'",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "#",
        "\n",
        "\\u0000",
        "\u{FEFF}",
        "127.0.0.1:1",
        "rv_swordfish_swordfish",
        "-1",
        "9e99",
        "3 MiB",
        "true",
        "龙",
        "*",
        "http://",
        "[::1]",
        "0x",
        "1979-05-27",
    ];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most.max(1) as u64) as usize
    };
    let mut understood = 0;
    for _ in 0..3000 {
        let mut text = if below(2) == 0 { TOML.to_owned() } else { String::new() };
        for _ in 0..below(8) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (at, to) = (places[below(places.len())], places[below(places.len())]);
            match below(3) {
                0 if at < to => text.replace_range(at..to, ""),
                _ => text.insert_str(at, pieces[below(pieces.len())]),
            }
        }
        let env = Environment::of(&[("HOME", "/home/mei")]);
        if let Ok(settings) = Settings::resolve(&Flags::default(), &env, Some(&file(&text))) {
            understood += 1;
            let told = format!("{settings:?}");
            let is_hidden = |token: &Secret| !told.contains(token.reveal());
            assert!(settings.tokens.iter().all(is_hidden), "{text}\n{told}");
        }
    }
    assert!(understood > 100, "{understood}");
}

fn origin(settings: &Settings, setting: &Setting) -> String {
    settings.resolved.iter().find(|row| row.setting.name == setting.name).unwrap().origin.to_string()
}

#[test]
fn flag_wins_over_environment_over_file_over_default() {
    let home = ("HOME", "/home/mei");
    let port = |flags: &[(&'static str, &str)], env: &[(&str, &str)], toml: &str| {
        let file = file(toml);
        let settings = Settings::resolve(&Flags::of(flags), &Environment::of(env), Some(&file)).unwrap();
        (settings.listen.port(), origin(&settings, &LISTEN))
    };
    let flag = ("listen", "127.0.0.1:1");
    let env = ("REVERIE_LISTEN", "127.0.0.1:2");
    assert_eq!(port(&[flag], &[home, env], TOML), (1, "--listen".into()));
    assert_eq!(port(&[], &[home, env], TOML), (2, "REVERIE_LISTEN".into()));
    assert_eq!(port(&[], &[home, ("REVERIE_LISTEN", "")], TOML), (3, "/etc/reverie.toml".into()));
    assert_eq!(port(&[], &[home], ""), (7878, "default".into()));
}

/// Whoever uses the library gets what whoever uses the server gets.
#[test]
fn the_defaults_are_those_of_the_engine() {
    let env = Environment::of(&[("HOME", "/home/mei")]);
    let settings = Settings::resolve(&Flags::default(), &env, None).unwrap();
    assert_eq!(settings.limits.of_engine(), reverie_core::Limits::default());
}

/// Each limit of the engine follows its setting, and no other.
#[test]
fn every_limit_of_the_engine_is_a_setting() {
    let of_engine = |env: &[(&str, &str)]| {
        let env = Environment::of(&[&[("HOME", "/home/mei")], env].concat());
        Settings::resolve(&Flags::default(), &env, None).unwrap().limits.of_engine()
    };
    let changed = |setting: &str| {
        let (before, after) = (of_engine(&[]), of_engine(&[(setting, "777")]));
        let fields = |limits| format!("{limits:#?}").lines().map(str::to_owned).collect::<Vec<_>>();
        let pairs = fields(before).into_iter().zip(fields(after));
        pairs.filter(|(before, after)| before != after).map(|(_, after)| after).collect::<Vec<_>>()
    };
    for (setting, field) in [
        ("LINES", "lines_per_append"),
        ("CONTENT_BYTES", "bytes_per_text"),
        ("PARTICIPANTS", "people"),
        ("PERSONA_BYTES", "bytes_per_persona"),
        ("NAME_BYTES", "bytes_per_name"),
        ("KEY_BYTES", "bytes_per_key"),
        ("SETTINGS", "settings"),
        ("SETTING_BYTES", "bytes_per_setting"),
        ("ALSO", "also"),
        ("BUDGET", "budget"),
        ("WINDOW_LINES", "window_lines"),
        ("MINDS_BYTES", "minds_bytes"),
        ("PAGE", "page"),
        ("HISTORY", "history"),
    ] {
        assert_eq!(changed(&format!("REVERIE_LIMITS_{setting}")), [format!("    {field}: 777,")]);
    }
}

#[test]
fn lists_come_from_repeated_flags_commas_and_arrays() {
    let hosts = |flags: &[(&'static str, &str)], env: &[(&str, &str)]| {
        let env = [&[("HOME", "/home/mei")], env].concat();
        let settings =
            Settings::resolve(&Flags::of(flags), &Environment::of(&env), Some(&file(TOML))).unwrap();
        settings.allow_host.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(hosts(&[("allow-host", "a"), ("allow-host", "b:1")], &[]), ["a", "b:1"]);
    assert_eq!(hosts(&[], &[("REVERIE_ALLOW_HOST", "a, b:1,")]), ["a", "b:1"]);
    assert_eq!(hosts(&[], &[]), ["memory.local", "bot:7878"]);
}

#[test]
fn nothing_shows_a_token() {
    let env = Environment::of(&[("HOME", "/home/mei"), ("REVERIE_TOKEN", "rv_one_secret,rv_two_secret")]);
    let settings = Settings::resolve(&Flags::default(), &env, None).unwrap();
    assert_eq!(settings.tokens.len(), 2);
    let shown = format!("{settings:?}{}{}", config_text(&settings), config_json(&settings));
    assert!(!shown.contains("secret"), "{shown}");
    assert!(config_text(&settings).contains("token = rv_[hidden], rv_[hidden]"));
}

#[test]
fn wrong_settings_say_what_would_be_right() {
    for (toml, env, message, hint) in [
        ("lisen = 1", "", "unknown setting `lisen` in /etc/reverie.toml", "`listen`"),
        ("[limits]\nqeue = 1", "", "unknown setting `limits.qeue` in", "`limits.queue`"),
        ("queue = 1", "", "unknown setting `queue` in", "`limits.queue`"),
        ("[limit]\nqueue = 1", "", "unknown setting `limit` in", "config --reference"),
        ("colour = 1", "", "unknown setting `colour`", "config --reference"),
        ("listen = true", "", "`listen` in /etc/reverie.toml is not a text", ""),
        ("a = 1\ntoken = rv_swordfish", "", "/etc/reverie.toml is not valid TOML: line 2", "quotation marks"),
        (
            "token = \"swordfish\"",
            "",
            "a token from /etc/reverie.toml does not begin with rv_",
            "reverie token",
        ),
        (
            "listen = \"somewhere\"",
            "",
            "`listen` cannot be \"somewhere\" (from /etc/reverie.toml)",
            "127.0.0.1:7878",
        ),
        ("", "many", "`limits.queue` cannot be \"many\" (from REVERIE_LIMITS_QUEUE)", "whole number"),
        ("allow_origin = \"*\"", "", "`allow_origin` cannot be \"*\"", "each origin"),
        ("allow_origin = \"https://a/b\"", "", "`allow_origin` cannot be", "https://app.example"),
        ("allow_host = \"http://a\"", "", "`allow_host` cannot be", "without http://"),
        ("limits.buffered_bytes = 1", "", "limits.buffered_bytes is smaller", "raise it"),
    ] {
        let env = Environment::of(&[("HOME", "/home/mei"), ("REVERIE_LIMITS_QUEUE", env)]);
        let error = Settings::resolve(&Flags::default(), &env, Some(&file(toml))).unwrap_err();
        assert!(error.message().contains(message), "{toml}: {error}");
        assert!(error.hint_text().unwrap_or_default().contains(hint), "{toml}: {:?}", error.hint_text());
        assert!(!format!("{error:?}").contains("swordfish"), "{error:?}");
    }
}

#[test]
fn a_misspelt_variable_is_a_warning() {
    let env = Environment::of(&[("HOME", "/home/mei"), ("REVERIE_TOKN", "rv_x"), ("REVERIE_CONFIG", "x")]);
    let settings = Settings::resolve(&Flags::default(), &env, None).unwrap();
    assert_eq!(settings.warnings.len(), 1);
    assert!(settings.warnings[0].contains("did you mean `REVERIE_TOKEN`"), "{:?}", settings.warnings);
}

#[test]
fn without_a_home_the_data_directory_must_be_named() {
    if Platform::here() == Platform::Windows {
        return;
    }
    let error = Settings::resolve(&Flags::default(), &Environment::of(&[]), None).unwrap_err();
    assert!(error.message().contains("`data` has no value here"), "{error}");
    Settings::resolve(&Flags::of(&[("data", "/tmp")]), &Environment::of(&[]), None).unwrap();
}

#[test]
fn the_reference_names_every_setting() {
    let page = reference();
    for setting in TABLE {
        assert!(page.contains(&format!("| `{}` |", setting.name)), "{}", setting.name);
    }
}
