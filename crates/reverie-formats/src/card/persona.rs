//! What of a card tells a character who it is?

use super::CardDocument;

impl CardDocument {
    /// The texts that describe the character, one after another with a blank line between them, in the order in which
    /// chat front ends put them before a conversation: system prompt, description, personality, scenario, examples of
    /// dialogue. Empty ones are left out, and macros such as `{{char}}` stay for whoever knows the names.
    ///
    /// Greetings are lines of a conversation, notes of the creator are for people, and what belongs at a depth or after
    /// the history has its place there; none of these is part of it.
    pub fn persona(&self) -> String {
        let texts =
            [&self.system_prompt, &self.description, &self.personality, &self.scenario, &self.mes_example];
        let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
        texts.join("\n\n")
    }

    /// What the character is called.
    pub fn called(&self) -> &str {
        let nickname = self.nickname.trim();
        if nickname.is_empty() { self.name.trim() } else { nickname }
    }

    /// What it is called besides: whoever goes by a nickname has a name.
    pub fn called_besides(&self) -> Option<&str> {
        Some(self.name.trim()).filter(|name| !name.is_empty() && *name != self.called())
    }
}
