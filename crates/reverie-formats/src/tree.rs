//! How do rows with ids and parents become chains that can be recorded one after another?

use std::collections::{HashMap, HashSet};

use reverie_core::{Error, Result};
use serde_json::Value;

use crate::rows::Row;

/// Rows in an order in which every parent comes before its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub chains: Vec<Chain>,
    /// The row at which the conversation stands; None if there are no rows.
    pub head: Option<usize>,
}

/// Rows of which each continues the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The row that the first one continues; None begins at the root.
    pub parent: Option<usize>,
    /// Indices of the rows.
    pub rows: Vec<usize>,
}

/// A row's own id.
pub fn row_id(row: &Row) -> Option<String> {
    ["id", "line_id"].iter().find_map(|key| text(row.get(*key)))
}

/// Plans the recording of a table of lines. Rows without any parent are a single chain, in the order of the file.
pub fn plan(rows: &[Row], head: Option<&str>) -> Result<Plan> {
    let by_id = index(rows)?;
    let head = match head {
        Some(id) => Some(*by_id.get(id).ok_or_else(|| {
            Error::invalid(format!("there is no row with the id {id:?}"))
                .hint("--head names the newest line of the save")
        })?),
        None => rows.len().checked_sub(1),
    };
    let chosen = of_one_save(rows, head)?;
    let has_parents = rows.iter().any(|row| text(row.get("parent_line_id")).is_some());
    if !has_parents {
        let rows: Vec<usize> =
            chosen.into_iter().filter(|row| head.is_none_or(|head| *row <= head)).collect();
        let chains = if rows.is_empty() { Vec::new() } else { vec![Chain { parent: None, rows }] };
        return Ok(Plan { chains, head });
    }
    let parents = parents(rows, &by_id, &chosen)?;
    Ok(Plan { chains: chains(&chosen, &parents), head })
}

fn index(rows: &[Row]) -> Result<HashMap<String, usize>> {
    let mut by_id = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        if let Some(id) = row_id(row)
            && by_id.insert(id.clone(), index).is_some()
        {
            return Err(Error::invalid(format!("two rows have the id {id}")));
        }
    }
    Ok(by_id)
}

/// A table may hold several saves; only the one in which the head stands is meant.
fn of_one_save(rows: &[Row], head: Option<usize>) -> Result<Vec<usize>> {
    let save = |index: usize| rows.get(index).and_then(|row| text(row.get("save_id")));
    let wanted = head.and_then(save);
    Ok((0..rows.len()).filter(|index| save(*index) == wanted).collect())
}

/// Each row's parent, checked: it is there, and following it ends.
fn parents(
    rows: &[Row],
    by_id: &HashMap<String, usize>,
    chosen: &[usize],
) -> Result<HashMap<usize, Option<usize>>> {
    let mut parents = HashMap::new();
    let ours: HashSet<usize> = chosen.iter().copied().collect();
    for index in chosen {
        let Some(row) = rows.get(*index) else { continue };
        let parent = match text(row.get("parent_line_id")) {
            None => None,
            Some(id) => {
                let found = by_id.get(&id).copied();
                let why = if found.is_some() { "belongs to another save" } else { "is missing" };
                Some(found.filter(|parent| ours.contains(parent)).ok_or_else(|| {
                    let name = row_id(row).unwrap_or_else(|| format!("#{}", index + 1));
                    Error::invalid(format!("line {name} names the parent {id}, which {why}"))
                        .hint("export the whole table, or leave parent_line_id out of the first line")
                })?)
            }
        };
        parents.insert(*index, parent);
    }
    let mut sound: HashSet<usize> = HashSet::new();
    for start in chosen {
        let mut walked = HashSet::new();
        let mut at = Some(*start);
        while let Some(index) = at.filter(|index| !sound.contains(index)) {
            if !walked.insert(index) {
                let name = rows.get(index).and_then(row_id).unwrap_or_else(|| format!("#{}", index + 1));
                return Err(Error::invalid(format!("line {name} is its own ancestor"))
                    .hint("mend parent_line_id: following it must end at a line without a parent"));
            }
            at = parents.get(&index).copied().flatten();
        }
        sound.extend(walked);
    }
    Ok(parents)
}

pub(crate) fn chains(chosen: &[usize], parents: &HashMap<usize, Option<usize>>) -> Vec<Chain> {
    let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for index in chosen {
        children.entry(parents.get(index).copied().flatten()).or_default().push(*index);
    }
    let mut chains = Vec::new();
    let mut waiting: Vec<(Option<usize>, usize)> = Vec::new();
    let roots = children.get(&None).cloned().unwrap_or_default();
    waiting.extend(roots.into_iter().rev().map(|root| (None, root)));
    while let Some((parent, first)) = waiting.pop() {
        let mut rows = vec![first];
        let mut at = first;
        while let Some((next, others)) = children.get(&Some(at)).and_then(|all| all.split_first()) {
            waiting.extend(others.iter().rev().map(|other| (Some(at), *other)));
            rows.push(*next);
            at = *next;
        }
        chains.push(Chain { parent, rows });
    }
    chains
}

/// Ids arrive as numbers or as text.
fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows written as `id<parent`, `id` for a root.
    fn rows(text: &str) -> Vec<Row> {
        let row = |word: &str| {
            let (id, parent) = word.split_once('<').unwrap_or((word, ""));
            let parent = if parent.is_empty() { Value::Null } else { Value::from(parent) };
            let row = serde_json::json!({"id": id, "parent_line_id": parent, "content": id});
            row.as_object().cloned().expect("an object")
        };
        text.split_whitespace().map(row).collect()
    }

    fn chain(parent: Option<usize>, rows: &[usize]) -> Chain {
        Chain { parent, rows: rows.to_vec() }
    }

    #[test]
    fn parents_come_before_their_children() {
        for (table, head, expected) in [
            ("1 2<1 3<2", None, vec![chain(None, &[0, 1, 2])]),
            ("3<2 2<1 1", Some("3"), vec![chain(None, &[2, 1, 0])]),
            ("1 2<1 3<1 4<3", Some("4"), vec![chain(None, &[0, 1]), chain(Some(0), &[2, 3])]),
            ("1 5 2<1", Some("2"), vec![chain(None, &[0, 2]), chain(None, &[1])]),
        ] {
            let plan = plan(&rows(table), head).expect(table);
            assert_eq!(plan.chains, expected, "{table}");
        }
    }

    /// Nothing of it would be lost silently.
    #[test]
    fn a_parent_of_another_save_is_none() {
        let mut rows = rows("1 2<1");
        for (row, save) in rows.iter_mut().zip(["a", "b"]) {
            row.insert("save_id".to_owned(), Value::from(save));
        }
        let error = plan(&rows, None).expect_err("the parent is elsewhere");
        assert!(
            error.message().contains("line 2 names the parent 1, which belongs to another save"),
            "{error}"
        );
        assert!(plan(&rows, Some("1")).is_ok());
    }

    #[test]
    fn broken_tables_are_refused_by_name() {
        for (table, head, expected) in [
            ("1 2<9", None, "line 2 names the parent 9"),
            ("1 2<3 3<2", None, "is its own ancestor"),
            ("1<1", None, "line 1 is its own ancestor"),
            ("1 1", None, "two rows have the id 1"),
            ("1 2<1", Some("7"), "no row with the id"),
        ] {
            let error = plan(&rows(table), head).expect_err(table);
            assert!(error.message().contains(expected), "{table}: {error}");
        }
    }
}
