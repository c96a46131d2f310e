//! How are settings shown: the effective ones with their origin, and the reference of all?

use serde_json::{Map, Value, json};

use super::table::{Default, Kind, Setting, TABLE};
use super::{Resolved, Settings};

/// Where the settings file is, then `listen = 127.0.0.1:7878    (default)`, a line each.
pub(crate) fn config_text(settings: &Settings) -> String {
    let left: Vec<String> = settings.resolved.iter().map(left_side).collect();
    // Very long values do not push all the others to the right.
    let width = left.iter().map(|text| text.chars().count()).filter(|n| *n <= 60).max().unwrap_or(0);
    let rows = settings.resolved.iter().zip(&left);
    let rows: String = rows.map(|(row, left)| format!("{left:width$}  ({})\n", row.origin)).collect();
    match settings.sources.settings_file() {
        Some((path, true)) => format!("settings file: {}\n\n{rows}", path.display()),
        Some((path, false)) => format!("settings file: {} (there is none yet)\n\n{rows}", path.display()),
        None => rows,
    }
}

fn left_side(row: &Resolved) -> String {
    let value = if row.shown.is_empty() { "(none)".to_owned() } else { row.shown.join(", ") };
    format!("{} = {value}", row.setting.name)
}

pub(crate) fn config_json(settings: &Settings) -> Value {
    let rows = settings.resolved.iter().map(|row| {
        let value = match row.setting.kind {
            Kind::One(_) | Kind::Secret | Kind::Object => row.shown.first().map(|first| json!(first)),
            Kind::Many(_) | Kind::Secrets => Some(json!(row.shown)),
        };
        let mut entry = json!({"origin": row.origin.to_string()});
        if let (Some(value), Some(entry)) = (value, entry.as_object_mut()) {
            entry.insert("value".to_owned(), value);
        }
        (row.setting.name.to_owned(), entry)
    });
    let mut json = json!({"settings": rows.collect::<Map<_, _>>(), "warnings": settings.warnings});
    if let (Some((path, is_there)), Some(json)) = (settings.sources.settings_file(), json.as_object_mut()) {
        json.insert("settings_file".to_owned(), json!({"path": path.to_string_lossy(), "exists": is_there}));
    }
    json
}

/// A markdown page of all settings.
pub(crate) fn reference() -> String {
    let mut page = String::from(
        "# Settings\n\n\
         A flag wins over the environment, the environment over the file, the file over the default.\n\
         The file is TOML: the one that `--config` or `REVERIE_CONFIG` names, or else `reverie/reverie.toml` in the\n\
         platform's config directory. Variables with several values separate them by commas; flags are repeated.\n\
         Sizes are bytes or take KiB, MiB, GiB; times are seconds or take ms, s, min, h.\n\n\
         | name | flag | variable | default | meaning |\n|---|---|---|---|---|\n",
    );
    for setting in TABLE {
        let flag = setting.flag.map_or_else(|| "none".to_owned(), |flag| format!("`--{flag}`"));
        let default = match setting.default {
            Default::Text(text) => format!("`{text}`"),
            Default::Platform(text) => text.to_owned(),
            Default::Empty => "none".to_owned(),
        };
        page.push_str(&format!(
            "| `{}` | {flag} | `{}` | {default} | {} |\n",
            setting.name, setting.env, setting.meaning
        ));
    }
    page
}

pub(super) fn default_text(setting: &Setting) -> &'static str {
    match setting.default {
        Default::Text(text) | Default::Platform(text) => text,
        Default::Empty => "",
    }
}
