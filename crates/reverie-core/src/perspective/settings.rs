//! How is a profile written as flat `key = value` settings?

use super::{AddressedNames, Profile, SceneEmotion};
use crate::{Error, Result};

/// Marks are marks, not prose. A longer value is a mistake, and it would be paid for in every message.
const LONGEST_VALUE: usize = 64;

impl Profile {
    /// Every key that [`Profile::from_pairs`] takes, and what it means.
    pub const KEYS: &[(&str, &str)] = &[
        ("scene_open", "before the scene"),
        ("scene_close", "behind the scene"),
        ("emotion_open", "before an emotion"),
        ("emotion_close", "behind an emotion"),
        ("tts_open", "before the text for speech synthesis"),
        ("tts_close", "behind the text for speech synthesis"),
        ("action_open", "before an action"),
        ("action_close", "behind an action"),
        ("name_separator", "between a name and what it says"),
        ("unknown_name", "the name in the scene of a speaker who has none"),
        ("scene_joiner", "between two lines of the scene"),
        ("after_scene", "between the scene and what is addressed to the character"),
        (
            "addressed_joiner",
            "between two lines addressed to the character; where a profile has nothing there, a line break in worlds with `language` = `en`",
        ),
        (
            "own_joiner",
            "between two of the character's own lines; where a profile has nothing there, a line break in worlds with `language` = `en`",
        ),
        ("emotion_in_scene", "whether the scene tells how the others feel: hidden or before-content"),
        (
            "addressed_names",
            "whether lines addressed to the character begin with the speaker's name: hidden, when-several \
             (speakers with different names in one message) or always",
        ),
    ];

    /// `base` with the given keys set; a later pair wins over an earlier one. Values are taken as they are,
    /// spaces included, and may be empty.
    pub fn from_pairs<'a>(base: Self, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let mut profile = base;
        for (key, value) in pairs {
            check(key, value)?;
            match key {
                "emotion_in_scene" => profile.emotion_in_scene = SceneEmotion::from_name(value)?,
                "addressed_names" => profile.addressed_names = AddressedNames::from_name(value)?,
                _ => {
                    if let Some(mark) = profile.mark_mut(key) {
                        value.clone_into(mark);
                    }
                }
            }
        }
        Ok(profile)
    }

    /// What a part is, as it would be written; nothing where there is no such part.
    pub fn part(&self, key: &str) -> &str {
        match key {
            "scene_open" => &self.scene.open,
            "scene_close" => &self.scene.close,
            "emotion_open" => &self.emotion.open,
            "emotion_close" => &self.emotion.close,
            "tts_open" => &self.tts.open,
            "tts_close" => &self.tts.close,
            "action_open" => &self.action.open,
            "action_close" => &self.action.close,
            "name_separator" => &self.name_separator,
            "unknown_name" => &self.unknown_name,
            "scene_joiner" => &self.scene_joiner,
            "after_scene" => &self.after_scene,
            "addressed_joiner" => &self.addressed_joiner,
            "own_joiner" => &self.own_joiner,
            "emotion_in_scene" => self.emotion_in_scene.as_str(),
            "addressed_names" => self.addressed_names.as_str(),
            _ => "",
        }
    }

    fn mark_mut(&mut self, key: &str) -> Option<&mut String> {
        Some(match key {
            "scene_open" => &mut self.scene.open,
            "scene_close" => &mut self.scene.close,
            "emotion_open" => &mut self.emotion.open,
            "emotion_close" => &mut self.emotion.close,
            "tts_open" => &mut self.tts.open,
            "tts_close" => &mut self.tts.close,
            "action_open" => &mut self.action.open,
            "action_close" => &mut self.action.close,
            "name_separator" => &mut self.name_separator,
            "unknown_name" => &mut self.unknown_name,
            "scene_joiner" => &mut self.scene_joiner,
            "after_scene" => &mut self.after_scene,
            "addressed_joiner" => &mut self.addressed_joiner,
            "own_joiner" => &mut self.own_joiner,
            _ => return None,
        })
    }
}

fn check(key: &str, value: &str) -> Result<()> {
    if !Profile::KEYS.iter().any(|(known, _)| *known == key) {
        return Err(Error::invalid(format!(
            "unknown perspective setting {key:?}; known are {}",
            known_keys()
        ))
        .hint("check the spelling of the key"));
    }
    if value.len() > LONGEST_VALUE {
        return Err(Error::invalid(format!(
            "perspective setting {key:?} is {} bytes long; at most {LONGEST_VALUE} are allowed",
            value.len()
        ))
        .hint(format!("shorten it; the settings are {}", known_keys())));
    }
    Ok(())
}

fn known_keys() -> String {
    let keys: Vec<&str> = Profile::KEYS.iter().map(|(key, _)| *key).collect();
    keys.join(", ")
}
