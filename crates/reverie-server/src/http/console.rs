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
    "pages/map.css"
    "pages/map.js"
    "pages/map/colours.js"
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
    "pages/settings.css"
    "pages/settings.js"
    "pages/start.css"
    "pages/start.js"
    "pages/start/connect.js"
    "pages/start/first.js"
    "pages/start/models.js"
    "pages/start/recipes.js"
    "pages/why.css"
    "pages/why.js"
    "pages/world.js"
    "pages/worlds.css"
    "pages/worlds.js"
    "parts.css"
    "parts/copy.js"
    "parts/dialog.js"
    "parts/drop.js"
    "parts/files/archive.js"
    "parts/files/arrival.js"
    "parts/files/bring.js"
    "parts/files/picture.js"
    "parts/files/recognise.js"
    "parts/icon.js"
    "parts/incoming.js"
    "parts/panzoom.js"
    "parts/portrait.js"
    "parts/snippet.js"
    "parts/states.js"
    "parts/tabs.js"
    "parts/toast.js"
    "parts/token.js"
    "parts/virtual.js"
    "parts/world-choice.js"
    "router.js"
    "shell.js"
    "words.js"
    "words/files.js"
    "words/health.js"
    "words/map.js"
    "words/shell.js"
    "words/start.js"
    "words/terms.js"
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
}
