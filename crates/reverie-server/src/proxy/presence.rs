//! Who hears what is said next, and who heard what was said? Presence is a part of the path, and is put where the next line is written.

use std::collections::{BTreeSet, HashMap};

use reverie_core::character::Who;
use reverie_core::conversation::ExpectedHead;
use reverie_core::line::NewLine;
use reverie_core::{CharacterId, LineId, Result};
use reverie_formats::completions::Said;

use super::remembering::Session;
use super::step::Step;

/// Lines in one batch.
const BATCH: usize = 200;

impl Step<'_> {
    /// Who hears what is said next, put where it is written: presence is a part of the path, and the head has moved by now. Where the client
    /// says who is there, nobody else is; elsewhere those who heard what stood in its place (`instead_of`), and whoever talks.
    pub(super) fn put_present(&mut self, instead_of: Option<LineId>) -> Result<()> {
        let world = &self.talk.named.world;
        let conversation = &self.found.conversation;
        if conversation.name.is_none() {
            return Ok(());
        }
        let mut present: BTreeSet<CharacterId> = self.cast.ids().into_iter().collect();
        match instead_of {
            _ if self.cast.is_listed => {}
            Some(line) => present.extend(self.engine.line(world, &conversation.id, line)?.witnesses),
            None => present.extend(conversation.present.iter().cloned()),
        }
        if present.iter().eq(&conversation.present) {
            return Ok(());
        }
        let present = present.into_iter().map(Who::Id).collect();
        self.found.conversation =
            self.engine.set_present(world, &conversation.id, present, ExpectedHead::Any)?.value;
        Ok(())
    }

    /// Everybody who hears what is answered.
    pub(super) fn listening(&self, session: &Session) -> Vec<Who> {
        let conversation = &session.conversation;
        let there =
            if conversation.name.is_some() { &conversation.present } else { &conversation.participants };
        let all: BTreeSet<CharacterId> = self.cast.ids().into_iter().chain(there.iter().cloned()).collect();
        all.into_iter().map(Who::Id).collect()
    }

    /// The lines in batches, each with who is not there yet, if that is to be said. In a scene that begins with a whole history
    /// (`is_fresh`) whoever speaks for the first time later on has not heard what was said before. Whoever spoke in what is recorded belatedly and
    /// is not there now does not hear what is said now, which begins at `newest`.
    pub(super) fn batches(
        &self,
        lines: Vec<NewLine>,
        is_scene: bool,
        is_fresh: bool,
        newest: usize,
    ) -> Vec<(Option<Vec<CharacterId>>, Vec<NewLine>)> {
        let most = BATCH.min(self.engine.limits().lines_per_append.max(1));
        let speakers: Vec<Option<CharacterId>> =
            lines.iter().map(|line| line.speaker.as_ref().and_then(Who::id).cloned()).collect();
        let (users, _) = self.cast.sides();
        let tells = is_fresh && users.len() > 1;
        let leave = is_scene && self.cast.is_listed && !self.cast.absent.is_empty();
        let first = |user: &CharacterId| speakers.iter().position(|speaker| speaker.as_ref() == Some(user));
        let mut batches: Vec<(Option<Vec<CharacterId>>, Vec<NewLine>)> = Vec::new();
        let mut absent_before: Option<Vec<CharacterId>> = None;
        for (at, line) in lines.into_iter().enumerate() {
            let is_absent = |user: &&CharacterId| first(user).is_some_and(|first| first > at);
            let is_left = leave && at == newest;
            let absent =
                (tells || is_left).then(|| users.iter().filter(is_absent).cloned().collect::<Vec<_>>());
            let changes = is_left || absent != absent_before;
            match batches.last_mut() {
                Some((_, batch)) if !changes && batch.len() < most => batch.push(line),
                _ => batches.push((absent.clone().filter(|_| changes), vec![line])),
            }
            absent_before = absent;
        }
        batches
    }

    pub(super) fn set_present_but(&self, session: &mut Session, absent: &[CharacterId]) -> Result<()> {
        let ids = self.cast.ids().into_iter().filter(|id| !absent.contains(id));
        let present = ids.map(Who::Id).collect();
        let world = &self.talk.named.world;
        session.conversation =
            self.engine.set_present(world, &session.conversation.id, present, ExpectedHead::Any)?.value;
        Ok(())
    }

    /// Which messages the character who speaks did not witness, on whatever branch they are. What is new is heard now; of what is
    /// neither new nor known nobody can tell that it was.
    pub(super) fn unwitnessed(&self, from: usize) -> Vec<usize> {
        let Some(character) = self.cast.character.who.id() else { return Vec::new() };
        let is_witnessed = |id: LineId| match self.found.lines.iter().find(|line| line.id == id) {
            Some(line) => line.is_witnessed_by(character),
            None => {
                let line = self.engine.line_anywhere(&self.talk.named.world, id);
                line.is_ok_and(|line| line.is_witnessed_by(character))
            }
        };
        let mut lines: HashMap<usize, Vec<LineId>> = HashMap::new();
        for (message, line) in &self.found.alignment.seen {
            lines.entry(*message).or_default().push(*line);
        }
        let was_heard = |said: &&Said| {
            lines.get(&said.at).is_some_and(|lines| lines.iter().all(|line| is_witnessed(*line)))
        };
        let before = self.dialogue.said.get(..from).unwrap_or(&self.dialogue.said);
        before.iter().filter(|said| !was_heard(said)).map(|said| said.at).collect()
    }
}
