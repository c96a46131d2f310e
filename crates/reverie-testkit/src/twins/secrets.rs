//! Does anybody learn what they did not witness?

use std::collections::BTreeSet;

use reverie_core::compose::{With, compose};
use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::cue::Cue;
use reverie_core::history::History;
use reverie_core::settings::{Audience, WorldSettings};
use reverie_core::store::{Gather, Gathered, Select};
use reverie_core::{CharacterId, Line, LineId, Store, WorldId};

use super::Verdict;

pub(super) fn check_history(history: &History, witness: &CharacterId) -> Verdict {
    history.primary.iter().chain(&history.ancillary).try_for_each(|line| check(line, witness))?;
    let all = history.primary.iter().chain(&history.ancillary).chain(&history.also);
    all.into_iter().try_for_each(|line| check_mind(line, witness))
}

pub(super) fn check_gathered(gathered: &Gathered) -> Verdict {
    let voices = gathered.character.iter().map(|one| &one.id);
    let voices: Vec<&CharacterId> = voices.chain(gathered.minds.iter().map(|mind| &mind.holder)).collect();
    for line in gathered.unremembered.iter().chain(&gathered.elsewhere) {
        let knows = |who: &&&CharacterId| gathered.is_news_to(who, line);
        let who = voices.iter().find(knows).ok_or_else(|| format!("{line:?} is for nobody who asks"))?;
        check(line, who)?;
    }
    let Some(character) = &gathered.character else {
        let is_empty = gathered.window.is_empty() && gathered.background.is_empty();
        return if is_empty { Ok(()) } else { Err("somebody unknown remembers".to_owned()) };
    };
    let own = gathered.window.iter().chain(&gathered.earlier_system).chain(&gathered.background);
    own.into_iter().try_for_each(|line| check(line, &character.id))?;
    let all = gathered.window.iter().chain(&gathered.earlier_system).chain(&gathered.background);
    all.chain(&gathered.also).try_for_each(|line| check_mind(line, &character.id))?;
    let settings = settings(gathered)?;
    if settings.audience == Audience::Strict {
        let present = gathered.conversation.iter().flat_map(|conversation| &conversation.present);
        for listener in present.chain(&gathered.people) {
            gathered.background.iter().try_for_each(|line| check(line, listener))?;
        }
    }
    Ok(())
}

/// Every text of a story has a number of its own in it, so a text that leaks is found in the prompt.
pub(super) fn check_prompt(
    store: &dyn Store,
    world: &WorldId,
    gather: &Gather,
    gathered: &Gathered,
) -> Verdict {
    let mut cue = Cue::new(gather.character.clone(), gather.place.clone());
    (cue.scope, cue.also) = (gather.scope, gather.also.clone());
    // A budget that is too small is refused; that is not the question here.
    let Ok(composed) = compose(gathered, &cue, &settings(gathered)?, With::default(), 0) else {
        return Ok(());
    };
    let granted: BTreeSet<LineId> = gathered.also.iter().map(|line| line.id).collect();
    let rooms = store.conversations(world, &Select::default()).map_err(|error| error.to_string())?;
    for room in rooms {
        let query = LinesQuery {
            which: WhichLines::Tree,
            witness: None,
            after: None,
            newest_first: false,
            limit: usize::MAX,
        };
        for line in store.lines(world, &room.id, &query).map_err(|error| error.to_string())? {
            let viewer = gathered.character.as_ref().map(|character| &character.id);
            let is_own = viewer.is_some_and(|id| line.is_witnessed_by(id));
            let forgot = viewer.is_some_and(|id| line.is_forgotten_by(id));
            let is_granted = granted.contains(&line.id);
            let may_show = !forgot && (is_granted || (is_own && line.shown && !line.hidden));
            let shows = composed
                .recall
                .messages
                .iter()
                .any(|message| message.content.contains(&line.wording.content));
            if shows && !may_show {
                return Err(format!("the prompt shows {line:?}"));
            }
        }
    }
    Ok(())
}

fn check(line: &Line, witness: &CharacterId) -> Verdict {
    if line.is_witnessed_by(witness) && line.shown && !line.hidden {
        return Ok(());
    }
    Err(format!("{witness:?} is shown {line:?}"))
}

/// What somebody forgot is shown to them by nobody.
fn check_mind(line: &Line, viewer: &CharacterId) -> Verdict {
    if line.is_forgotten_by(viewer) {
        Err(format!("{viewer:?} forgot {line:?}, and is shown it"))
    } else {
        Ok(())
    }
}

fn settings(gathered: &Gathered) -> Verdict<WorldSettings> {
    let world = &gathered.world;
    WorldSettings::resolve(world.preset, &world.settings).map_err(|error| error.to_string())
}
