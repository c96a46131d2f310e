//! What can be set about a world? Prints the tables of docs/reference/settings.md, in Markdown.

use std::fmt::Write as _;
use std::io::Write as _;

use reverie_core::perspective::Profile;
use reverie_core::{digest, layers, settings, time};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut page = String::new();
    writeln!(page, "| key | default | meaning |\n|---|---|---|")?;
    for (key, default, meaning) in settings::KEYS {
        writeln!(page, "| `{key}` | {} | {meaning} |", shown(default))?;
    }
    writeln!(page, "\n### The calendar\n\n| key | default | meaning |\n|---|---|---|")?;
    for (key, default, meaning) in time::KEYS {
        writeln!(page, "| `calendar.{key}` | {} | {meaning} |", shown(default))?;
    }
    for (title, keys) in [
        ("What becomes a memory", digest::KEYS),
        ("How memories fade", layers::KEYS),
        ("What comes to mind", settings::recall::KEYS),
    ] {
        writeln!(page, "\n### {title}\n\n| key | default | meaning |\n|---|---|---|")?;
        for (key, default, meaning) in keys {
            writeln!(page, "| `{key}` | {} | {meaning} |", shown(default))?;
        }
    }
    writeln!(page, "\n### The profile of a perspective\n")?;
    writeln!(
        page,
        "Each replaces one part of the profile that `perspective.profile` names; a value has at most 64 bytes.\n"
    )?;
    writeln!(page, "| key | meaning |\n|---|---|")?;
    for (key, meaning) in Profile::KEYS {
        writeln!(page, "| `perspective.{key}` | {meaning} |")?;
    }
    std::io::stdout().write_all(page.as_bytes())?;
    Ok(())
}

/// A default that is prose with values in it stays as it is written.
fn shown(default: &str) -> String {
    match default {
        "" => "none".to_owned(),
        prose if prose.contains(['`', '(']) => prose.to_owned(),
        value => format!("`{value}`"),
    }
}
