//! Which marks surround names, emotions, actions and the scene?

use crate::{Error, Result};

/// How messages are punctuated. A value: start from a preset and set the fields that your prompt needs
/// otherwise, or use [`Profile::from_pairs`] where settings are text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Around the whole scene.
    pub scene: Brackets,
    /// Around the emotion, before the content.
    pub emotion: Brackets,
    /// Around the text for speech synthesis, behind the content of the character's own lines.
    pub tts: Brackets,
    /// Around the action, at the end of a line.
    pub action: Brackets,
    /// Between a name and what it says.
    pub name_separator: String,
    /// The name in the scene of a speaker who has none.
    pub unknown_name: String,
    /// Between two lines of the scene.
    pub scene_joiner: String,
    /// Between the scene and what is addressed to the character.
    pub after_scene: String,
    /// Between two lines addressed to the character.
    pub addressed_joiner: String,
    /// Between two of the character's own lines.
    pub own_joiner: String,
    /// Whether the scene tells how the others feel.
    pub emotion_in_scene: SceneEmotion,
    /// Whether what is addressed to the character tells who says it.
    pub addressed_names: AddressedNames,
}

/// What stands before and behind a part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brackets {
    pub open: String,
    pub close: String,
}

/// Whether the scene tells how the others feel. The player's emotion is never told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SceneEmotion {
    Hidden,
    BeforeContent,
}

/// Whether a line addressed to the character begins with its speaker's name. One without a name never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressedNames {
    Hidden,
    /// In a message where more than one speaker, by name, addresses the character.
    WhenSeveral,
    Always,
}

impl Profile {
    /// `{旁白：天黑了（关灯）}⏎晚安`: the worked examples of the memory builder's design. The default.
    pub fn example() -> Self {
        Self {
            scene: Brackets::new("{", "}"),
            emotion: Brackets::new("【", "】"),
            tts: Brackets::new("<", ">"),
            action: Brackets::new("（", "）"),
            name_separator: "：".into(),
            unknown_name: "未知".into(),
            scene_joiner: "\n".into(),
            after_scene: "\n".into(),
            addressed_joiner: String::new(),
            own_joiner: String::new(),
            emotion_in_scene: SceneEmotion::Hidden,
            addressed_names: AddressedNames::Hidden,
        }
    }

    /// `{旁白: 【平静】天黑了（关灯）} ⏎ 晚安`: the letter of its rules, where they differ from its examples.
    pub fn rule_text() -> Self {
        Self {
            name_separator: ": ".into(),
            after_scene: " \n ".into(),
            addressed_joiner: " ".into(),
            emotion_in_scene: SceneEmotion::BeforeContent,
            ..Self::example()
        }
    }

    /// The same for words with spaces between them: lines that nothing stood between stand below each other, so that no word runs into
    /// the next.
    #[must_use]
    pub fn spaced(mut self) -> Self {
        for joiner in [&mut self.addressed_joiner, &mut self.own_joiner] {
            if joiner.is_empty() {
                "\n".clone_into(joiner);
            }
        }
        self
    }

    /// A preset by its name in settings: `example` or `rule-text`.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "example" => Ok(Self::example()),
            "rule-text" => Ok(Self::rule_text()),
            _ => Err(Error::invalid(format!("unknown perspective profile {name:?}"))
                .hint("use example or rule-text, and settings of your own on top of it")),
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::example()
    }
}

impl Brackets {
    pub fn new(open: impl Into<String>, close: impl Into<String>) -> Self {
        Self { open: open.into(), close: close.into() }
    }
}

impl SceneEmotion {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::BeforeContent => "before-content",
        }
    }

    /// By its name in settings.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "hidden" => Ok(Self::Hidden),
            "before-content" => Ok(Self::BeforeContent),
            _ => Err(Error::invalid(format!("unknown value {name:?} for emotion_in_scene"))
                .hint("use hidden or before-content")),
        }
    }
}

impl AddressedNames {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::WhenSeveral => "when-several",
            Self::Always => "always",
        }
    }

    /// By its name in settings.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "hidden" => Ok(Self::Hidden),
            "when-several" => Ok(Self::WhenSeveral),
            "always" => Ok(Self::Always),
            _ => Err(Error::invalid(format!("unknown value {name:?} for addressed_names"))
                .hint("use hidden, when-several or always")),
        }
    }
}
