//! How is one case written for every language?
//!
//!     ~ gate | gate                | 城门             | 城門
//!     ~ said | Here is the gate.   | 我们到了城门口。 | やっと城門に着いたね。
//!     == all timed.sticky · Stays for so many messages
//!     [guard] keys=$gate; sticky=3
//!     Mira: $said
//!     => before: guard
//!
//! A row gives one word or sentence in every language. Rows above the first title hold for the whole file, those below a
//! title for its case. A case for `all` is played once in each language; a row that is not there is a mistake.

use crate::LANGUAGES;
use crate::script::Read;

/// A line as it is played, and where it was written.
pub(crate) type Line = (usize, String);

type Row = (String, [String; 3]);

/// Every case for `all` languages becomes one for each; everything else stays.
pub(crate) fn spell_out(text: &str) -> Read<Vec<Line>> {
    let mut lines = Vec::new();
    let mut of_file: Vec<Row> = Vec::new();
    let mut case = Written::default();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(row) = line.trim().strip_prefix("~ ") {
            let rows = if case.lines.is_empty() { &mut of_file } else { &mut case.rows };
            rows.push(read_row(row).map_err(|problem| format!("line {number}: {problem}: {row}"))?);
            continue;
        }
        if line.starts_with("== ") {
            std::mem::take(&mut case).play(&of_file, &mut lines)?;
        }
        if line.starts_with("== ") || !case.lines.is_empty() {
            case.lines.push((number, line.to_owned()));
        }
    }
    case.play(&of_file, &mut lines)?;
    Ok(lines)
}

fn read_row(row: &str) -> Read<Row> {
    let (name, cells) = row.split_once(" | ").ok_or("a row is `~ name | en | zh | ja`")?;
    let cells: Vec<String> = cells.split(" | ").map(|cell| cell.trim().to_owned()).collect();
    let cells = cells.try_into().map_err(|_| "a row has one cell for each language")?;
    Ok((name.trim().to_owned(), cells))
}

/// A case as it stands in the file.
#[derive(Default)]
struct Written {
    lines: Vec<Line>,
    rows: Vec<Row>,
}

impl Written {
    fn play(self, of_file: &[Row], into: &mut Vec<Line>) -> Read<()> {
        let Some((number, title)) = self.lines.first() else { return Ok(()) };
        let Some(title) = title.strip_prefix("== all ") else {
            into.extend(self.lines);
            return Ok(());
        };
        let rows: Vec<&Row> = self.rows.iter().chain(of_file).collect();
        let mut used = vec![false; self.rows.len()];
        for (column, language) in LANGUAGES.iter().enumerate() {
            into.push((*number, format!("== {language} {title}")));
            for (number, line) in self.lines.iter().skip(1) {
                let line = fill(line, column, &rows, &mut used);
                into.push((*number, line.map_err(|problem| format!("line {number}: {problem}"))?));
            }
        }
        match self.rows.iter().zip(used).find(|(_, is_used)| !is_used) {
            Some(((name, _), _)) => Err(format!("line {number}: nothing says ${name}")),
            None => Ok(()),
        }
    }
}

/// Puts the words of one language in place of their names.
fn fill(line: &str, column: usize, rows: &[&Row], used: &mut [bool]) -> Read<String> {
    let mut pieces = line.split('$');
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|char: char| !char.is_ascii_alphanumeric()).unwrap_or(piece.len());
        let (name, rest) = piece.split_at(end);
        // A dollar that names nothing belongs to a pattern.
        if name.is_empty() {
            filled.push('$');
        } else {
            let place =
                rows.iter().position(|(row, _)| row == name).ok_or(format!("no row gives ${name}"))?;
            filled.push_str(&rows[place].1[column]);
            if let Some(used) = used.get_mut(place) {
                *used = true;
            }
        }
        filled.push_str(rest);
    }
    Ok(filled)
}
