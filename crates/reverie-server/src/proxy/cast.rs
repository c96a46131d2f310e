//! Whom do the names in a chat mean?

use reverie_core::character::{Named as NamedWho, Who};
use reverie_core::{CharacterId, Code, Conversation, Engine, Result, WorldId};
use reverie_formats::completions::{By, Dialogue, Rules, Said, name_before};

use super::habits::Talkers;
use super::people::{People, Person};
use super::remembering::Off;
use super::who::Named;

/// Those who talk.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    pub(super) user: Person,
    pub(super) character: Person,
    pub(super) others: Vec<Person>,
    /// Who else speaks on the user's side.
    pub(super) users: Vec<Person>,
    /// Who spoke before and is not there now.
    pub(super) absent: Vec<Person>,
    /// Whether the client says who is there: then nobody else is.
    pub(super) is_listed: bool,
    /// Whether the client writes before all that users say who says it.
    has_personas: bool,
    /// Whether the client's key says who the user is, and nothing else does.
    pub(super) is_known_by_key: bool,
}

impl Cast {
    /// Before the messages are read: so far as headers, body, model, key and settings say.
    pub(super) fn find(engine: &Engine, named: &Named) -> Result<Self, Off> {
        let find = |text: &str, field: &str| {
            Person::find(engine, &named.world, text).map_err(|error| match error.code() {
                Code::Invalid => Off(format!("invalid:{field}")),
                _ => error.into(),
            })
        };
        let character = named.character.as_deref().or(named.character_of_model.as_deref());
        let mut cast = Self {
            user: find(named.user.as_deref().unwrap_or(named.default_user.as_str()), "user")?,
            character: find(character.unwrap_or(named.default_character.as_str()), "character")?,
            others: Vec::new(),
            users: Vec::new(),
            absent: Vec::new(),
            is_listed: !named.present.is_empty(),
            has_personas: false,
            is_known_by_key: named.key_names_user && named.user.is_none(),
        };
        for name in &named.present {
            cast.add(find(name, "present")?);
        }
        Ok(cast)
    }

    fn add(&mut self, person: Person) {
        if !self.all().any(|known| known.is(&person)) {
            self.others.push(person);
        }
    }

    fn add_user(&mut self, person: Person) {
        if !self.all().any(|known| known.is(&person)) {
            self.users.push(person);
        }
    }

    /// Everybody by id; whoever is not known yet is made.
    pub(super) fn resolve(&mut self, engine: &Engine, world: &WorldId, people: &People) -> Result<()> {
        let sides = [&mut self.user, &mut self.character].into_iter();
        for person in sides.chain(&mut self.others).chain(&mut self.users).chain(&mut self.absent) {
            people.resolve(engine, world, person)?;
        }
        for user in std::mem::take(&mut self.users) {
            self.add_user(user);
        }
        for other in std::mem::take(&mut self.others) {
            self.add(other);
        }
        Ok(())
    }

    pub(super) fn ids(&self) -> Vec<CharacterId> {
        self.all().filter_map(|person| person.who.id().cloned()).collect()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Person> {
        [&self.user, &self.character].into_iter().chain(&self.others).chain(&self.users)
    }

    /// Before the messages are read: who talks to whom, as the client writes it.
    pub(super) fn as_written(&self, world: &WorldId) -> Talkers {
        let written = |person: &Person| person.names.first().cloned().unwrap_or_default();
        (world.clone(), written(&self.user), written(&self.character))
    }

    /// What has to be known of them to read the messages.
    pub(super) fn rules(&self) -> Rules<'static> {
        let names = |people: &mut dyn Iterator<Item = &Person>| -> Vec<Vec<String>> {
            people.map(|person| person.names.clone()).collect()
        };
        Rules {
            users: names(&mut std::iter::once(&self.user).chain(&self.users)),
            characters: names(&mut self.characters()),
            has_personas: self.has_personas,
            ..Rules::default()
        }
    }

    /// Those who may answer.
    fn characters(&self) -> impl Iterator<Item = &Person> {
        std::iter::once(&self.character).chain(&self.others).chain(&self.absent)
    }

    /// The user with each character, and each other user with the one who answers: whoever of them talked has talked in such a pair.
    pub(super) fn pairs(&self) -> Vec<Vec<Who>> {
        let pair = |one: &Person, other: &Person| vec![one.who.clone(), other.who.clone()];
        let with_user = self.characters().map(|character| pair(&self.user, character));
        let with_others = self.users.iter().map(|user| pair(user, &self.character));
        with_user.chain(with_others).collect()
    }

    /// Those who speak as users, and those who answer.
    pub(super) fn sides(&self) -> (Vec<CharacterId>, Vec<CharacterId>) {
        let ids = |people: &mut dyn Iterator<Item = &Person>| -> Vec<CharacterId> {
            people.filter_map(|person| person.who.id().cloned()).collect()
        };
        let users = ids(&mut std::iter::once(&self.user).chain(&self.users));
        (users, ids(&mut self.characters()))
    }

    /// True if more than two are there, or may be: a client that lists who is there lists others some other time.
    pub(super) fn is_group(&self) -> bool {
        self.is_listed || !self.absent.is_empty() || self.all().count() > 2
    }

    /// True if somebody else may answer, too.
    pub(super) fn has_several_characters(&self) -> bool {
        !self.others.is_empty() || !self.absent.is_empty()
    }

    /// Whether all who talk belong to a conversation whose people never change.
    pub(super) fn is_of(&self, conversation: &Conversation) -> bool {
        let is_there = |person: &Person| {
            person.who.id().is_some_and(|id| conversation.participants.binary_search(id).is_ok())
        };
        conversation.name.is_some() || self.all().chain(&self.absent).all(is_there)
    }

    /// With what the messages say: who is in the group, who shall speak, who said which of them.
    pub(super) fn with_dialogue(
        mut self,
        engine: &Engine,
        named: &Named,
        dialogue: &Dialogue,
    ) -> Result<Self> {
        let find = |text: &str| Person::find(engine, &named.world, text);
        self.find_users(named, dialogue, find)?;
        self.is_listed |= !dialogue.members.is_empty();
        let speaker = match named.character {
            Some(_) => None,
            None => dialogue.speaker.as_deref().or_else(|| self.nudged(named, dialogue)),
        };
        if let Some(speaker) = speaker.filter(|speaker| !self.character.is_called(speaker)) {
            let former = std::mem::replace(&mut self.character, find(speaker)?);
            // Whoever is named by nothing but a default is not there because of it.
            if named.character_of_model.is_some() && dialogue.members.is_empty() {
                self.others.push(former);
            }
            let speaker = self.character.clone();
            self.others.retain(|other| !other.is(&speaker));
        }
        for member in &dialogue.members {
            let person = find(member)?;
            self.add(person);
        }
        if !dialogue.members.is_empty() {
            self.find_absent(dialogue, find)?;
        }
        Ok(self)
    }

    /// What stands in a message of the user may have been typed: it chooses only where neither the model nor the key does, and only among
    /// those whom the client lists.
    fn nudged<'d>(&self, named: &Named, dialogue: &'d Dialogue) -> Option<&'d str> {
        let is_said = named.character_of_model.is_some() || named.key_names_character;
        let nudged = dialogue.nudged.as_deref().filter(|_| !is_said)?;
        let is_member = dialogue.members.iter().any(|member| member == nudged);
        (is_member || self.others.iter().any(|other| other.is_called(nudged))).then_some(nudged)
    }

    /// In a group a client writes names before everything: whoever is no member any more, or muted, spoke nevertheless.
    fn find_absent(&mut self, dialogue: &Dialogue, find: impl Fn(&str) -> Result<Person>) -> Result<()> {
        let answers = || dialogue.said.iter().filter(|said| said.by == By::Assistant);
        let has_name = |said: &Said| said.name.is_some() || name_before(&said.text).is_some();
        let are_named = answers().all(has_name);
        let unknown = answers().filter(|said| said.name.is_none()).filter_map(|said| name_before(&said.text));
        for name in unknown {
            let person = find(name)?;
            let is_new = !self.all().chain(&self.absent).any(|known| known.is(&person));
            // Where not everything has a name, only somebody who is known is one.
            if is_new && (are_named || person.who.id().is_some()) {
                self.absent.push(person);
            }
        }
        Ok(())
    }

    /// A message's own name is its speaker. What has none is said by whoever is meant by the request, the key or the settings.
    fn find_users(
        &mut self,
        named: &Named,
        dialogue: &Dialogue,
        find: impl Fn(&str) -> Result<Person>,
    ) -> Result<()> {
        let users = || dialogue.said.iter().rev().filter(|said| said.by == By::User);
        // A group's client writes the name of the user's persona before each of their messages.
        let persona = |said: &Said| {
            name_before(&said.text)
                .filter(|name| !dialogue.members.iter().any(|member| member == name))
                .map(str::to_owned)
        };
        let has_personas = !dialogue.members.is_empty()
            && users().all(|said| said.name.is_some() || persona(said).is_some());
        let name_of = |said: &Said| said.name.clone().or_else(|| persona(said).filter(|_| has_personas));
        self.has_personas = has_personas;
        if let Some((newest, name)) = users().next().and_then(|said| Some((said, name_of(said)?))) {
            // What stands before the words says less than a key; a field of the message says more.
            let is_told = named.user.is_some() || (named.key_names_user && newest.name.is_none());
            match is_told {
                // The newest message is theirs, whatever it calls them.
                true if self.user.is_called(&name) => {}
                true => self.user.names.push(name),
                false if users().all(|said| name_of(said).is_some()) => self.user = find(&name)?,
                false => {}
            }
        }
        for name in users().filter_map(name_of) {
            if !self.all().any(|known| known.is_called(&name)) {
                self.add_user(find(&name)?);
            }
        }
        Ok(())
    }

    /// Who says each message and who is about to answer, by their ids. A stranger has none yet.
    pub(super) fn tell_speakers(&self, dialogue: &mut Dialogue) {
        let id = |who: &Who| who.id().map(ToString::to_string);
        for said in &mut dialogue.said {
            said.speaker = id(&self.speaker(said, true).0);
        }
        dialogue.answers = id(&self.character.who);
    }

    /// Who said it, and under which name if that is not one of theirs. `is_scene`: strangers may speak there.
    pub(super) fn speaker(&self, said: &Said, is_scene: bool) -> (Who, Option<String>) {
        let side = match said.by {
            By::User => &self.user,
            By::Assistant => &self.character,
        };
        let Some(name) = &said.name else { return (side.who.clone(), None) };
        if let Some(person) = self.all().chain(&self.absent).find(|person| person.is_called(name)) {
            return (person.who.clone(), None);
        }
        match is_scene {
            true => {
                let named = NamedWho { display_name: Some(name.clone()), ..NamedWho::default() };
                (Who::Named(named), None)
            }
            false => (side.who.clone(), Some(name.clone())),
        }
    }
}
