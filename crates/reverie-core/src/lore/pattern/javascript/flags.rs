//! What do the letters behind a pattern ask for?

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::lore::pattern) struct Flags {
    pub(in crate::lore::pattern) ignore_case: bool,
    pub(in crate::lore::pattern) lines: bool,
    pub(in crate::lore::pattern) dot_all: bool,
    pub(in crate::lore::pattern) unicode: bool,
    pub(in crate::lore::pattern) sticky: bool,
    /// To go on behind the last match: every search of ours is the first.
    global: bool,
}

impl Flags {
    pub(in crate::lore::pattern) fn new(written: &str) -> Result<Self, String> {
        let mut flags = Self::default();
        for flag in written.chars() {
            let asked = match flag {
                'g' => &mut flags.global,
                'i' => &mut flags.ignore_case,
                'm' => &mut flags.lines,
                's' => &mut flags.dot_all,
                'u' => &mut flags.unicode,
                'y' => &mut flags.sticky,
                _ => return Err(format!("there is no flag {flag:?}")),
            };
            if std::mem::replace(asked, true) {
                return Err(format!("the flag {flag:?} stands there twice"));
            }
        }
        Ok(flags)
    }
}
