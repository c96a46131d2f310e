//! What does the head of a content say about the entry?
//!
//! Lines `@@name value` at the very beginning are orders, not text. `@@@name value` below one that is not understood is what to
//! do instead. Lines that nobody understands are no text either; their author is told. The file keeps them all.

use super::entry::{Entry, Position};
use super::key;
use crate::perspective::Role;

/// Orders that no field of an entry can hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Orders {
    /// Active, or not, whatever else is said.
    pub(super) activate: Option<bool>,
    /// Only once the conversation has this many messages.
    pub(super) only_after: Option<u32>,
    /// Only when the number of messages is a multiple of this.
    pub(super) only_every: Option<u32>,
    /// Once set off it stays, or never comes back.
    pub(super) keep_after_match: bool,
    pub(super) never_after_match: bool,
    /// Must not be there.
    pub(super) exclude_keys: Vec<String>,
    /// Must be there beside a key.
    pub(super) additional_keys: Vec<String>,
    /// Goes first when the budget is short.
    pub(super) ignore_on_max_context: bool,
    /// What must be told of orders that were not understood.
    pub(super) ignored: Vec<String>,
}

/// So many orders of one entry are told one by one.
const TOLD: usize = 4;

/// Applies the orders at the head of the content to the entry, and leaves the text behind them.
pub(super) fn obey(entry: &mut Entry) -> Orders {
    let mut orders = Orders::default();
    if !entry.content.starts_with("@@") {
        return orders;
    }
    let content = std::mem::take(&mut entry.content);
    let mut lines = content.split('\n');
    let mut text = "";
    // A fallback counts only below an order that was not understood.
    let mut unknown: Option<&str> = None;
    let mut ignored = 0;
    let mut ignore = |orders: &mut Orders, line: &str, instead: Option<&str>| {
        ignored += 1;
        if ignored <= TOLD {
            orders.ignored.push(told(line, instead));
        }
    };
    let mut read = 0;
    for line in lines.by_ref() {
        let Some(order) = line.strip_prefix("@@") else {
            text = content.get(read..).unwrap_or_default();
            break;
        };
        read += line.len() + 1;
        match (order.strip_prefix('@'), unknown) {
            (Some(_), None) => {}
            (Some(fallback), Some(first)) => match understand(fallback, entry, &mut orders) {
                true => {
                    ignore(&mut orders, first, Some(line));
                    unknown = None;
                }
                false => ignore(&mut orders, line, None),
            },
            (None, before) => {
                if let Some(before) = before {
                    ignore(&mut orders, before, None);
                }
                unknown = (!understand(order, entry, &mut orders)).then_some(line);
            }
        }
    }
    if let Some(last) = unknown {
        ignore(&mut orders, last, None);
    }
    if ignored > TOLD {
        orders.ignored.push(format!("{} more decorators are not known and are ignored", ignored - TOLD));
    }
    entry.content = text.to_owned();
    orders
}

fn told(line: &str, instead: Option<&str>) -> String {
    let line = key::shown(line.trim());
    match instead {
        Some(instead) => {
            let instead = key::shown(instead.trim());
            format!(
                "the decorator {line} is not known here, or not with this value; {instead} is used instead"
            )
        }
        None => format!("the decorator {line} is not known here, or not with this value; it is ignored"),
    }
}

fn understand(order: &str, entry: &mut Entry, orders: &mut Orders) -> bool {
    let order = order.trim();
    let (name, value) = order.split_once(char::is_whitespace).unwrap_or((order, ""));
    let value = value.trim();
    let number = || value.parse::<u32>().ok();
    let list = || value.split(',').map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned);
    match name {
        "activate"
        | "dont_activate"
        | "keep_activate_after_match"
        | "dont_activate_after_match"
        | "ignore_on_max_context" => match value {
            "" | "true" => switch_on(name, orders),
            // Said not to be meant.
            "false" => {}
            _ => return false,
        },
        "activate_only_after" => return set(&mut orders.only_after, number()),
        "activate_only_every" => return set(&mut orders.only_every, number().filter(|every| *every > 0)),
        "additional_keys" => orders.additional_keys.extend(list()),
        "exclude_keys" => orders.exclude_keys.extend(list()),
        "scan_depth" => return set(&mut entry.scan_depth, number()),
        "depth" | "instruct_depth" => match number() {
            Some(depth) => {
                entry.depth = depth;
                entry.position = Position::AtDepth;
            }
            None => return false,
        },
        "role" => match value {
            "assistant" => entry.role = Role::Assistant,
            "user" => entry.role = Role::User,
            "system" => entry.role = Role::System,
            _ => return false,
        },
        "position" => match value {
            "before_desc" | "before_char" => entry.position = Position::BeforeCharacter,
            "after_desc" | "after_char" => entry.position = Position::AfterCharacter,
            _ => return false,
        },
        _ => return false,
    }
    true
}

fn switch_on(name: &str, orders: &mut Orders) {
    match name {
        "activate" => orders.activate = Some(true),
        // Where both stand, the other one is asked first.
        "dont_activate" => orders.activate = Some(orders.activate == Some(true)),
        "keep_activate_after_match" => orders.keep_after_match = true,
        "dont_activate_after_match" => orders.never_after_match = true,
        _ => orders.ignore_on_max_context = true,
    }
}

/// False if there is nothing to set it to.
fn set(field: &mut Option<u32>, value: Option<u32>) -> bool {
    *field = value.or(*field);
    value.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn obeyed(content: &str) -> (Entry, Orders) {
        let mut entry = Entry { content: content.to_owned(), ..Entry::default() };
        let orders = obey(&mut entry);
        (entry, orders)
    }

    #[test]
    fn orders_stand_at_the_head() {
        let (entry, orders) = obeyed("@@activate\n@@depth 2\n@@role user\nbody\n@@dont_activate");
        assert_eq!(entry.content, "body\n@@dont_activate");
        assert_eq!(orders.activate, Some(true));
        for both in ["@@activate\n@@dont_activate\nbody", "@@dont_activate\n@@activate\nbody"] {
            assert_eq!(obeyed(both).1.activate, Some(true), "{both}");
        }
        assert_eq!((entry.position, entry.depth, entry.role), (Position::AtDepth, 2, Role::User));
    }

    #[test]
    fn a_fallback_counts_below_what_is_not_known() {
        let (entry, orders) =
            obeyed("@@fly_high\n@@@scan_depth 3\n@@activate_only_after 2\n@@@scan_depth 9\n正文");
        assert_eq!((entry.content.as_str(), entry.scan_depth), ("正文", Some(3)));
        assert_eq!(orders.only_after, Some(2));
    }

    #[test]
    fn nothing_but_orders_leaves_nothing() {
        let (entry, orders) = obeyed("@@additional_keys 龙, 剑\n@@exclude_keys 火");
        assert_eq!(entry.content, "");
        assert_eq!(orders.additional_keys, ["龙", "剑"]);
        assert_eq!(orders.exclude_keys, ["火"]);
    }
}
