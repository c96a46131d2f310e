//! Where do settings and data live on this platform?
//!
//! A pure function of the environment, so that tests need no machine of each kind.

use std::path::PathBuf;

use super::sources::Environment;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Platform {
    Windows,
    Mac,
    /// Linux and the BSDs: the XDG base directories.
    Xdg,
}

impl Platform {
    pub(crate) fn here() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Mac
        } else {
            Self::Xdg
        }
    }
}

/// The directory that holds `reverie.toml`.
pub(crate) fn config_directory(platform: Platform, env: &Environment) -> Option<PathBuf> {
    let base = match platform {
        Platform::Windows => env.path("APPDATA")?,
        Platform::Mac => env.home()?.join("Library/Application Support"),
        Platform::Xdg => {
            absolute(env, "XDG_CONFIG_HOME").or_else(|| env.home().map(|home| home.join(".config")))?
        }
    };
    Some(base.join("reverie"))
}

/// The directory that holds the data file. On Windows not the roaming one: databases do not roam.
pub(crate) fn data_directory(platform: Platform, env: &Environment) -> Option<PathBuf> {
    let base = match platform {
        Platform::Windows => env.path("LOCALAPPDATA")?,
        Platform::Mac => env.home()?.join("Library/Application Support"),
        Platform::Xdg => {
            absolute(env, "XDG_DATA_HOME").or_else(|| env.home().map(|home| home.join(".local/share")))?
        }
    };
    Some(base.join("reverie"))
}

/// The XDG specification asks to ignore relative paths in these variables.
fn absolute(env: &Environment, name: &str) -> Option<PathBuf> {
    env.path(name).filter(|path| path.is_absolute())
}

// The paths below are absolute only on Unix.
#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn each_platform_has_its_directories() {
        let home = ("HOME", "/home/mei");
        for (platform, variables, config, data) in [
            (Platform::Xdg, vec![home], "/home/mei/.config/reverie", "/home/mei/.local/share/reverie"),
            (
                Platform::Xdg,
                vec![home, ("XDG_CONFIG_HOME", "/c"), ("XDG_DATA_HOME", "relative")],
                "/c/reverie",
                "/home/mei/.local/share/reverie",
            ),
            (
                Platform::Mac,
                vec![home],
                "/home/mei/Library/Application Support/reverie",
                "/home/mei/Library/Application Support/reverie",
            ),
            (
                Platform::Windows,
                vec![("APPDATA", "/roaming"), ("LOCALAPPDATA", "/local")],
                "/roaming/reverie",
                "/local/reverie",
            ),
        ] {
            let env = Environment::of(&variables);
            assert_eq!(config_directory(platform, &env), Some(config.into()));
            assert_eq!(data_directory(platform, &env), Some(data.into()));
        }
        assert_eq!(data_directory(Platform::Xdg, &Environment::of(&[])), None);
    }
}
