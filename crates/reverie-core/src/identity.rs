//! Who is meant by role_id, script_role_id and display_name?

use crate::attribute::Attribute;
use crate::perspective::Voice;

/// How a line, or whoever reads it, says who it is. Each part may be missing; an empty part counts as missing.
///
/// `role_id` (a character of the game) and `script_role_id` (an NPC of a script) are the strong ids. Both are
/// compared as text, byte for byte: an edge that receives the integer 1 passes `"1"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identity<'a> {
    pub role_id: Option<&'a str>,
    pub script_role_id: Option<&'a str>,
    pub display_name: Option<&'a str>,
}

/// How `target` takes a line spoken in the capacity of `attribute` by (or, for a system line, to) `line`.
/// `None`: a direction to somebody else, which the target never sees.
///
/// Only an assistant line can be the target's own. A player may well speak under the character's name, but
/// then it is the player who speaks.
pub fn voice(attribute: Attribute, line: &Identity<'_>, target: &Identity<'_>) -> Option<Voice> {
    match attribute {
        Attribute::User => Some(Voice::User),
        Attribute::Assistant if line.same_as(target) => Some(Voice::Own),
        Attribute::Assistant => Some(Voice::Other),
        Attribute::System if line.is_anonymous() || line.same_as(target) => Some(Voice::System),
        Attribute::System => None,
    }
}

impl Identity<'_> {
    /// Says nothing at all about who it is.
    pub fn is_anonymous(&self) -> bool {
        !self.has_strong_id() && present(self.display_name).is_none()
    }

    /// One and the same character, as far as both sides tell.
    ///
    /// Equal in one strong namespace is enough; the namespaces never mix, because hosts number both from 1.
    /// The display name decides only where one side has no strong id at all: two strong ids that do not
    /// meet are two characters, whatever they are called. Nothing equals nothing: two anonymous sides differ.
    pub fn same_as(&self, other: &Identity<'_>) -> bool {
        if self.has_strong_id() && other.has_strong_id() {
            both_present_and_equal(self.role_id, other.role_id)
                || both_present_and_equal(self.script_role_id, other.script_role_id)
        } else {
            both_present_and_equal(self.display_name, other.display_name)
        }
    }

    fn has_strong_id(&self) -> bool {
        present(self.role_id).is_some() || present(self.script_role_id).is_some()
    }
}

fn both_present_and_equal(left: Option<&str>, right: Option<&str>) -> bool {
    present(left).is_some() && left == right
}

fn present(part: Option<&str>) -> Option<&str> {
    part.filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity<'a>(role_id: &'a str, script_role_id: &'a str, display_name: &'a str) -> Identity<'a> {
        let part = |text: &'a str| (text != "-").then_some(text);
        Identity {
            role_id: part(role_id),
            script_role_id: part(script_role_id),
            display_name: part(display_name),
        }
    }

    /// `-` is missing, `""` is present and empty.
    #[test]
    fn same_as_compares_inside_one_namespace() {
        for (left, right, same, why) in [
            (["1", "-", "-"], ["1", "-", "-"], true, "role_id meets role_id"),
            (["-", "1", "-"], ["-", "1", "-"], true, "script_role_id meets script_role_id"),
            (["1", "-", "-"], ["-", "1", "-"], false, "namespaces never mix"),
            (["1", "-", "钦灵"], ["-", "1", "钦灵"], false, "two strong ids that do not meet, same name"),
            (["1", "-", "钦灵"], ["2", "-", "钦灵"], false, "different role_id, same name"),
            (["1", "-", "钦灵"], ["1", "-", "Qinling"], true, "same role_id, renamed"),
            (["1", "a", "-"], ["1", "-", "-"], true, "one namespace is enough"),
            (["1", "a", "-"], ["-", "a", "-"], true, "either namespace is enough"),
            (["1", "a", "-"], ["2", "a", "-"], true, "equal in one, different in the other"),
            (["1", "-", "钦灵"], ["-", "-", "钦灵"], true, "one side has no strong id: the name decides"),
            (["-", "-", "钦灵"], ["-", "a", "钦灵"], true, "one side has no strong id: the name decides"),
            (["-", "-", "钦灵"], ["-", "-", "钦灵"], true, "neither side has one: the name decides"),
            (["1", "-", "钦灵"], ["-", "-", "白小喵"], false, "another name"),
            (["1", "-", "钦灵"], ["-", "-", "-"], false, "nothing to compare"),
            (["-", "-", "-"], ["-", "-", "-"], false, "null never equals null"),
            (["", "", ""], ["", "", ""], false, "empty is missing"),
            (["", "-", "钦灵"], ["1", "-", "钦灵"], true, "an empty id is no strong id"),
            (["1", "-", "-"], ["01", "-", "-"], false, "compared as text"),
        ] {
            let [left, right] = [left, right].map(|[role, script, name]| identity(role, script, name));
            assert_eq!(left.same_as(&right), same, "{why}: {left:?} and {right:?}");
            assert_eq!(right.same_as(&left), same, "symmetric: {why}");
        }
    }

    #[test]
    fn anonymous_means_no_part_at_all() {
        assert!(identity("-", "-", "-").is_anonymous());
        assert!(identity("", "", "").is_anonymous());
        assert!(!identity("1", "-", "-").is_anonymous());
        assert!(!identity("-", "1", "-").is_anonymous());
        assert!(!identity("-", "-", "旁白").is_anonymous());
    }

    #[test]
    fn the_attribute_decides_before_the_name() {
        let (target, other, nobody) =
            (identity("1", "-", "钦灵"), identity("-", "1", "白小喵"), identity("-", "-", "-"));
        for (attribute, line, expected) in [
            (Attribute::User, target, Some(Voice::User)),
            (Attribute::User, other, Some(Voice::User)),
            (Attribute::Assistant, target, Some(Voice::Own)),
            (Attribute::Assistant, other, Some(Voice::Other)),
            (Attribute::Assistant, nobody, Some(Voice::Other)),
            (Attribute::System, target, Some(Voice::System)),
            (Attribute::System, nobody, Some(Voice::System)),
            (Attribute::System, other, None),
        ] {
            assert_eq!(voice(attribute, &line, &target), expected, "{attribute:?} {line:?}");
        }
    }

    #[test]
    fn an_anonymous_target_owns_nothing_and_hears_what_is_addressed_to_nobody() {
        let nobody = Identity::default();
        assert_eq!(voice(Attribute::Assistant, &nobody, &nobody), Some(Voice::Other));
        assert_eq!(voice(Attribute::System, &nobody, &nobody), Some(Voice::System));
    }
}
