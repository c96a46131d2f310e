//! Do the right memories come to mind, and only those that may? One suite of stories, told through the engine's doors on
//! every store.
//!
//! A backend's test file says `reverie_testkit::recall_suite!(run)`, where `run` gives the case an empty store. Stories are
//! data: [`prompter`] says how they are written.

#![expect(clippy::unwrap_used, reason = "a case that cannot go on has failed")]

pub mod aliases;
pub mod answers;
pub mod apart;
pub mod asked_for;
pub mod at_hand;
pub mod audience;
pub mod belonging;
pub mod coming_back;
pub mod corrected;
pub mod duplicates;
pub mod earlier;
pub mod ids;
pub mod knowledge;
pub mod lacking;
pub mod limits;
pub mod listeners;
pub mod meaning;
pub mod moods;
pub mod places;
pub mod prompter;
pub mod right_now;
pub mod settings;
pub mod sleepers;
pub mod suggestions;
pub mod thesaurus;
pub mod times;
pub mod unremembered;
pub mod verbatim;
pub mod voices;
pub mod waiting;
pub mod ways;

use std::sync::Arc;

use reverie_core::Store;

/// One case: a store that is empty, and something to find out about the engine over it.
pub type Case = fn(Arc<dyn Store>);

/// Makes one test of every case. The argument is a function that runs a case on a new store.
#[macro_export]
macro_rules! recall_suite {
    ($run:expr) => {
        $crate::recall_suite_tests! { $run,
            coming_back {
                when_it_is_spoken_of
                what_stands_in_the_history
                when_nothing_meets_it
            }
            ways {
                keywords_and_topics
                people
                words
                neighbours
                few_memories
                what_was_asked_before
            }
            asked_for {
                what_somebody_told
                whoever_is_only_named
                whoever_asks
            }
            right_now {
                what_was_talked_about_before
                words_that_are_one
            }
            corrected {
                in_other_words
            }
            aliases {
                as_if_the_name_were_said
                who_shares_one
                when_they_change
                of_another_world
            }
            times {
                on_earth
                of_several_days
                in_a_game
            }
            moods {
                what_is_in_the_air
                the_newest_words_first
                by_itself
                only_raises
            }
            limits {
                beside_the_history
                long_memories
                pinned_and_constant
                budgets
                how_many
                how_near
            }
            duplicates {
                alike
                alike_and_not_the_same
            }
            places {
                positions
                lines_in_a_row
                headings
                templates
                switched_off
            }
            audience {
                private_and_groups
                takes_no_place
                what_is_no_line
                shareable
                in_words_of_ones_own
                summaries
                what_belongs_together
            }
            lacking {
                who_lacks_it
            }
            listeners {
                who_hears_it
                in_a_history_that_the_host_brings_along
            }
            apart {
                worlds
                paths
                gone
                others
            }
            unremembered {
                in_a_round_that_stays_open
                only_what_one_may_know
                just_now_in_another_room
            }
            waiting {
                each_of_several_as_they_have_it
            }
            verbatim {
                in_the_history
                in_a_prompt_of_the_hosts_own
                some_of_it
            }
            voices {
                several
            }
            answers {
                fresh_again
            }
            sleepers {
                dormant
                archive
                age
            }
            meaning {
                in_other_words
                at_once
                beside_other_ways
                a_holders_own_words_have_their_own_meaning
                an_embedder_that_fails
                an_embedder_that_never_answered
                asked_once_at_most
            }
            settings {
                every_setting_does_something
                every_setting_counts_for_one_character
            }
            belonging {
                different_things
            }
            knowledge {
                superseded
            }
            ids {
                made_up
                of_another_place
                of_what_is_gone
            }
            earlier {
                what_came_later
                what_went_since
                who_knew_it
                every_moment
            }
            suggestions {
                worth_raising
                about_to_fade
                whose_they_are
                before_whom
            }
            at_hand {
                read_once_and_then_continued
                a_small_limit_changes_no_answer
                whatever_was_asked_before
                what_was_asked_before
                what_came_to_mind_before
                what_is_asked_takes_little
                reading_ahead_while_others_write
                keeping_up_with_what_is_new
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! recall_suite_tests {
    ($run:expr, $($module:ident { $($case:ident)* })*) => {
        $(mod $module {
            #[allow(unused_imports, reason = "the function that runs a case may stand here or elsewhere")]
            use super::*;
            $(#[test]
            fn $case() {
                ($run)($crate::recall_suite::$module::$case);
            })*
        })*
    };
}
