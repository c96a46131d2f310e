//! What must be remembered of what was said? One suite of stories, told through the engine's doors on every store.
//!
//! A backend's test file says `reverie_testkit::digest_suite!(run)`, where `run` gives the case an empty store. Stories are
//! data: [`theatre`] says how they are written.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a case that cannot go on has failed")]

pub mod back_and_forth;
pub mod branches;
pub mod called_by_name;
pub mod changes;
pub mod chores;
pub mod days;
pub mod erasing;
pub mod forgetting;
pub mod found_rounds;
pub mod gone_back;
pub mod hearts;
pub mod host_rounds;
pub mod known_already;
pub mod layers;
pub mod long_days;
pub mod made_up;
pub mod nothing_is_missing;
pub mod putting_right;
pub mod rebuilding;
pub mod retelling;
pub mod round_company;
pub mod round_texts;
pub mod statements;
pub mod taken_back;
pub mod theatre;
pub mod times;
pub mod trust;
pub mod whose_words;
pub mod worth;

use std::sync::Arc;

use reverie_core::Store;

/// One case: a store that is empty, and something to find out about the engine over it.
pub type Case = fn(Arc<dyn Store>);

/// Makes one test of every case. The argument is a function that runs a case on a new store.
#[macro_export]
macro_rules! digest_suite {
    ($run:expr) => {
        $crate::digest_suite_tests! { $run,
            round_texts {
                everybody_who_was_there
                what_is_not_said
                whispers
                narrators_and_namesakes
                names_of_the_moment
                what_else_a_round_is
            }
            round_company {
                those_it_was_opened_with
                whoever_joins_them
                two_rounds_at_once
            }
            found_rounds {
                a_reply_and_then_a_user
                silence
                too_many_lines
                now
                old_lines
                switched_off
                much_to_do
            }
            host_rounds {
                complete
                aborted
                shown_through
                abandoned
                beside_what_was_only_posted
                alone_alike_and_leaving
            }
            changes {
                reworded
                hidden_and_shown
                erased
                decisions_carry_over
                branches
                undo_and_redo
                restores
            }
            branches {
                another_answer
                undone
                taken_back_by_a_restore
            }
            back_and_forth {
                another_answer_and_none
                parts
                behind_what_nobody_saw
                ended_in_the_middle
                ended_on_another_branch
            }
            gone_back {
                a_day_has_one_summary
                so_has_an_era
                in_a_models_words
            }
            nothing_is_missing {
                of_what_is_on_the_path
            }
            layers {
                fading
                what_is_worn_out
                few_places
                rounds_leave_when_they_are_summed_up
                pinned
                by_the_wall_clock
                facts
                refreshed
            }
            days {
                game_days
                wall_days
                eras
                what_a_summary_is
                days_are_told_anew
                sources_stay
            }
            long_days {
                speeches_end_with_a_sentence
                from_one_day_to_another
                each_memory_counts_once
                however_much_there_is
            }
            worth {
                a_question_about_rounds
                batches
                decided
                questions_wait_their_turn
                failures_wait
                late_answers
                lines_that_give_orders
            }
            statements {
                believed
                not_believed
                reconciled
                reconciled_beside_a_newcomer
                few_questions_about_many
                forgotten_for_good
                whom_it_is_about
                labels_come_from_the_lines
                days_get_dates
            }
            taken_back {
                what_a_model_added
                what_took_the_place_of_something
                what_others_added
            }
            trust {
                true_in_chinese
                invented_in_chinese
                true_in_japanese
                invented_in_japanese
                true_in_english
                invented_in_english
                others_that_are_true
                others_that_are_invented
                words_that_resemble_names
            }
            made_up {
                told_in_other_words_in_chinese
                made_up_in_chinese
                told_in_other_words_in_japanese
                made_up_in_japanese
                told_in_other_words_in_english
                made_up_in_english
                told_in_yet_other_words
                told_once_more
                made_up_once_more
            }
            whose_words {
                of_whoever_said_so
                of_somebody_else
                no_is_no
                no_is_not_yes
            }
            called_by_name {
                of_whoever_calls
                of_whoever_is_called
                others_that_are_true
                others_that_are_not
                harder_ones_that_are_true
            }
            times {
                as_they_were_said
                made_up
                each_from_its_own_day
                questions_say_when
            }
            known_already {
                another_number_name_date_or_no
                the_same_in_other_words
                the_same_and_more
                another_thing
                by_name_and_together
            }
            retelling {
                in_a_models_words
                not_believed_in_the_end
                eras_and_days
                told_or_made_up
                by_whom_it_was_said
            }
            forgetting {
                lines_go_with_their_memory
                what_is_left_of_a_round
                nothing_brings_them_back
                only_undo_and_checkpoints_do
                what_models_made_of_them
            }
            putting_right {
                days_and_eras
                back_again
                in_a_models_words
            }
            rebuilding {
                everything_comes_again
                what_was_decided_stays
                summaries_and_statements
                after_a_crash
            }
            erasing {
                what_is_left_without_somebody
                what_was_decided_without_them
                what_others_saw_and_said
                erased_lines_and_checkpoints
            }
            hearts {
                what_was_forgotten_never_comes_back
            }
            chores {
                models_can_be_switched_off
                done_jobs_are_cleared_away
                one_sentence
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! digest_suite_tests {
    ($run:expr, $($module:ident { $($case:ident)* })*) => {
        $(mod $module {
            #[allow(unused_imports, reason = "the function that runs a case may stand here or elsewhere")]
            use super::*;
            $(#[test]
            fn $case() {
                ($run)($crate::digest_suite::$module::$case);
            })*
        })*
    };
}
