//! Which files is the console made of? They are part of the program, as they stand in `console/`: nothing is built or fetched.

/// The one page; its script draws the rest.
pub(super) const INDEX: &str = include_str!("../console/index.html");

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../console/", $name)))),*]
    };
}

const FILES: &[(&str, &str)] = files! {
    "api.js"
    "base.css"
    "dom.js"
    "icon.svg"
    "live.js"
    "main.js"
    "pages.css"
    "pages/conversations.css"
    "pages/conversations.js"
    "pages/conversations/acts.js"
    "pages/conversations/branches.js"
    "pages/conversations/line.js"
    "pages/conversations/list.js"
    "pages/conversations/present.js"
    "pages/conversations/rounds.js"
    "pages/conversations/stream.js"
    "pages/conversations/swipes.js"
    "pages/conversations/talk.js"
    "pages/conversations/write.js"
    "pages/health.css"
    "pages/health.js"
    "pages/health/backups.js"
    "pages/health/dependencies.js"
    "pages/health/jobs.js"
    "pages/health/latencies.js"
    "pages/health/look.js"
    "pages/health/overview.js"
    "pages/health/sizes.js"
    "pages/lore.css"
    "pages/lore.js"
    "pages/lore/about.js"
    "pages/lore/book.js"
    "pages/lore/bring.js"
    "pages/lore/controls.js"
    "pages/lore/editor.js"
    "pages/lore/fields.js"
    "pages/lore/highlight.js"
    "pages/lore/home.js"
    "pages/lore/pattern-worker.js"
    "pages/lore/raw.js"
    "pages/lore/reasons.js"
    "pages/lore/rows.js"
    "pages/lore/stack.js"
    "pages/lore/store.js"
    "pages/lore/try.js"
    "pages/map.css"
    "pages/map.js"
    "pages/map/colours.js"
    "pages/map/labels.js"
    "pages/map/layout.js"
    "pages/map/legend.js"
    "pages/map/list.js"
    "pages/map/painter.js"
    "pages/map/picture.js"
    "pages/map/sharing.js"
    "pages/map/slider.js"
    "pages/map/tip.js"
    "pages/memories.css"
    "pages/memories.js"
    "pages/memories/asking.js"
    "pages/memories/changing.js"
    "pages/memories/creating.js"
    "pages/memories/editor.js"
    "pages/memories/facts.js"
    "pages/memories/filters.js"
    "pages/memories/history.js"
    "pages/memories/holders.js"
    "pages/memories/list.js"
    "pages/memories/panel.js"
    "pages/memories/row.js"
    "pages/memories/saying.js"
    "pages/memories/selection.js"
    "pages/memories/shelves.js"
    "pages/memories/sources.js"
    "pages/memories/stats.js"
    "pages/memories/suggestions.js"
    "pages/memories/timeline.js"
    "pages/settings.css"
    "pages/settings.js"
    "pages/settings/calendar.js"
    "pages/settings/catalogue.js"
    "pages/settings/connection.js"
    "pages/settings/control.js"
    "pages/settings/files.js"
    "pages/settings/models.js"
    "pages/settings/table.js"
    "pages/settings/template.js"
    "pages/settings/values.js"
    "pages/start.css"
    "pages/start.js"
    "pages/start/connect.js"
    "pages/start/first.js"
    "pages/start/models.js"
    "pages/start/recipes.js"
    "pages/why.css"
    "pages/why.js"
    "pages/why/besides.js"
    "pages/why/budget.js"
    "pages/why/candidates.js"
    "pages/why/cue.js"
    "pages/why/entries.js"
    "pages/why/notes.js"
    "pages/why/prompt.js"
    "pages/why/trial.js"
    "pages/world.js"
    "pages/world/cast.js"
    "pages/world/character.js"
    "pages/world/checkpoints.js"
    "pages/world/copies.js"
    "pages/worlds.css"
    "pages/worlds.js"
    "pages/worlds/card.js"
    "pages/worlds/importing.js"
    "pages/worlds/making.js"
    "parts.css"
    "parts/copy.js"
    "parts/counts.js"
    "parts/dates.js"
    "parts/dialog.js"
    "parts/drafts.js"
    "parts/drop.js"
    "parts/files/archive.js"
    "parts/files/arrival.js"
    "parts/files/bring.js"
    "parts/files/picture.js"
    "parts/files/recognise.js"
    "parts/files/stray.js"
    "parts/icon.js"
    "parts/incoming.js"
    "parts/paged.js"
    "parts/panzoom.js"
    "parts/portrait.js"
    "parts/said.js"
    "parts/seen.js"
    "parts/since.js"
    "parts/snippet.js"
    "parts/states.js"
    "parts/tabs.js"
    "parts/talk-name.js"
    "parts/toast.js"
    "parts/token.js"
    "parts/translated.js"
    "parts/trouble.js"
    "parts/virtual.js"
    "parts/world-choice.js"
    "router.js"
    "shell.js"
    "words.js"
    "words/conversations.js"
    "words/files.js"
    "words/health.js"
    "words/lore-fields.js"
    "words/lore-reasons.js"
    "words/lore.js"
    "words/map.js"
    "words/memories.js"
    "words/options.js"
    "words/server.js"
    "words/settings.js"
    "words/shell.js"
    "words/start.js"
    "words/terms.js"
    "words/troubles.js"
    "words/why.js"
    "words/worlds.js"
};

/// Content type and text of a file, by its path below `console/`.
pub(super) fn find(name: &str) -> Option<(&'static str, &'static str)> {
    let index = FILES.binary_search_by_key(&name, |(name, _)| name).ok()?;
    let (name, text) = FILES.get(index)?;
    let content_type = match name.rsplit_once('.')?.1 {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    Some((content_type, text))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{FILES, find};

    #[test]
    fn every_file_of_the_console_is_served() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/console");
        let mut folders = vec![root.clone()];
        let mut names = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the console's files") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&root).expect("below the console").to_string_lossy();
                    names.push(name.replace('\\', "/"));
                }
            }
        }
        names.retain(|name| name != "index.html");
        names.sort();
        let served: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(served, names, "the list in http/console.rs, sorted");
        assert!(names.iter().all(|name| find(name).is_some()), "each has a content type");
    }

    /// What characters and cards say is text, whatever it looks like.
    #[test]
    fn nothing_is_made_of_markup_or_run_as_a_program() {
        for (name, text) in FILES {
            for way in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
            {
                assert!(!text.contains(way), "{name} contains {way}");
            }
        }
    }
}
