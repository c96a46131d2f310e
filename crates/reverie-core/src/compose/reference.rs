//! Which lines of other conversations are quoted, and in what form?

use super::prompt::Piece;
use super::text;
use crate::Attribute;
use crate::cue::Position;
use crate::id::LineId;
use crate::line::Line;
use crate::settings::WorldSettings;

/// A labelled list of lines, the newest that fit into the room, and those that do not. Directions to characters are not
/// quoted: they are nobody's words.
pub(super) fn write(
    label: &str,
    lines: &[Line],
    position: Position,
    settings: &WorldSettings,
    room: usize,
) -> (Option<Piece>, Vec<LineId>) {
    let WorldSettings { profile, calendar, language, counter, .. } = settings;
    let lines: Vec<&Line> = lines.iter().filter(|line| line.attribute != Attribute::System).collect();
    let mut left = room.saturating_sub(Piece::system_cost(label, *counter));
    let mut taken: Vec<String> = Vec::new();
    for line in lines.iter().rev() {
        let text = text::background_line(line, profile, calendar.as_ref(), *language);
        // And the line break before it.
        let cost = counter.count(&text) + 1;
        if cost > left {
            break;
        }
        left -= cost;
        taken.push(text);
    }
    // The sum of the lines is an estimate; the finished message decides.
    loop {
        let (cut, quoted) = lines.split_at(lines.len() - taken.len());
        let cut = || cut.iter().map(|line| line.id).collect();
        if taken.is_empty() {
            return (None, cut());
        }
        let content = [label].into_iter().chain(taken.iter().rev().map(String::as_str)).collect::<Vec<_>>();
        let piece = Piece::system(content.join("\n"), position, *counter);
        if piece.cost() <= room {
            return (Some(piece.made_of(quoted.iter().map(|line| line.id).collect())), cut());
        }
        taken.pop();
    }
}
