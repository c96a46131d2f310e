//! What must every store do? One behaviour suite, run on each of them.
//!
//! A backend's test file says `reverie_testkit::store_suite!(run)`, where `run` gives the case an empty store.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a case that cannot go on has failed")]

pub mod backlogs;
pub mod branches;
pub mod checkpoints;
pub mod commits;
pub mod forgetting;
pub mod forgotten_lines;
pub mod grafts;
pub mod guards;
pub mod history;
pub mod holdings;
pub mod jobs;
pub mod keepsakes;
pub mod library;
pub mod lines;
pub mod links;
pub mod liveness;
pub mod luggage;
pub mod mementos;
pub mod minds;
pub mod orders;
pub mod people;
pub mod prompt;
pub mod rebuilds;
pub mod rooms;
pub mod rounds;
pub mod scenes;
pub mod sharing;
pub mod sieves;
pub mod stage;
pub mod timers;
pub mod transit;
pub mod travel;
pub mod tree;
pub mod vectors;
pub mod worlds;

use reverie_core::Store;

/// One case: a store that is empty, and something to find out about it.
pub type Case = fn(&dyn Store);

/// Makes one test of every case. The argument is a function that runs a case on a new store.
#[macro_export]
macro_rules! store_suite {
    ($run:expr) => {
        $crate::store_suite_tests! { $run,
            worlds {
                a_world_is_created_once
                presets_choose_defaults
                settings_are_patched_and_checked
                worlds_are_listed_in_pages
                nothing_crosses_worlds
                what_is_there_is_counted
                every_change_is_a_revision
                an_erased_world_is_gone
            }
            people {
                whoever_is_mentioned_exists
                each_namespace_has_its_own_ids
                a_name_decides_only_without_a_strong_id
                one_name_two_people
                a_name_meets_its_strong_id_later
                a_label_is_not_an_identity
                cards_are_patched
                host_ids_belong_to_one_character
                an_alias_means_its_only_bearer
                narrators_by_name_by_setting_and_by_declaration
                the_same_id_in_another_normal_form
                an_erased_character_leaves_only_a_number
                ids_of_the_erased_are_not_given_again
            }
            rooms {
                a_set_is_a_set
                ids_that_look_like_lists_are_not
                another_set_is_another_conversation
                narrators_are_in_no_set
                a_set_never_changes
                a_host_may_choose_the_id
                conversations_are_listed_in_pages
                the_latest_conversations_come_first
                the_unknown_is_not_found
            }
            scenes {
                a_scene_is_found_by_its_name
                people_come_and_go
                late_joiners_see_nothing_earlier
                a_conversation_of_a_set_becomes_a_scene
                undo_undoes_who_came
                each_branch_has_its_own_people
                whoever_speaks_is_there
                a_line_behind_an_entrance_has_a_line_as_parent
                expected_head_guards_presence
                deleting_the_line_that_somebody_came_with
            }
            lines {
                every_field_comes_back
                numbers_run_through_the_world
                wall_time_is_given_or_now
                a_missing_tick_is_inherited
                a_tick_that_runs_back_is_reported
                world_time_follows_the_active_paths
                everybody_present_witnesses
                a_whisper_is_for_a_subset
                a_system_line_is_for_its_addressee
                a_narrator_witnesses_nothing
                host_ids_are_unique_in_a_conversation
                a_key_makes_a_retry_safe
                a_key_stands_for_one_batch
                a_key_outlives_its_lines
                a_failed_batch_leaves_nothing
                the_host_id_of_a_deleted_line_is_known_again
            }
            tree {
                from_the_root_to_the_head
                undo_goes_back_some_lines
                a_swipe_is_a_sibling
                a_branch_behind_any_line
                a_second_root
                a_head_can_be_put_anywhere
                expected_head_guards_against_races
                lines_are_read_in_pages
                an_edit_is_a_new_version
                a_hidden_line_is_in_no_prompt
                deleting_splices_a_line_out
                deleting_the_head_moves_it_up
            }
            checkpoints {
                put_get_list_overwrite_delete
                restore_brings_heads_back
                a_later_checkpoint_after_an_earlier_one
                edits_go_back
                hiding_goes_back
                cards_and_settings_go_back
                deletions_are_final
                what_began_later_is_empty
                what_came_later_is_neither_listed_nor_counted
                what_is_used_again_is_there
                whoever_is_on_a_path_is_there
                a_copy_knows_what_came_later
                a_line_recorded_hidden_stays_hidden
                an_unknown_checkpoint_is_not_found
            }
            history {
                primary_and_ancillary
                a_named_scene_of_the_same_people_is_primary
                active_paths_only
                only_what_the_asker_witnessed
                the_newest_of_each
                path_order_wins_then_tick_then_number
                a_paused_game_is_in_order_of_recording
                a_conversation_without_ticks_happens_when_it_is_recorded
                unknown_participants_give_empty_lists
                hidden_lines_are_left_out
                granted_conversations
                many_conversations
                a_thousand_participants
            }
            prompt {
                the_window_is_what_the_character_witnessed
                a_cut_window_keeps_system_lines
                the_window_is_bound_by_bytes
                background_is_from_elsewhere
                system_lines_are_no_background
                a_strict_audience
                same_conversation_only
                a_scene_remembers_those_present
                somebody_unknown_remembers_nothing
            }
            library {
                a_document_is_made_replaced_and_erased
                the_same_again_changes_nothing
                an_import_brings_the_same_only_once
                revisions_count_on
                an_expected_revision_guards_against_races
                entries_change_all_or_none
                entries_are_read_in_the_authors_order
                documents_are_listed_in_pages
                the_file_that_it_came_in
            }
            links {
                links_are_made_moved_and_removed
                a_link_names_what_is_there
                links_are_listed_by_scope_rank_and_book
                a_prompt_gets_the_books_that_are_meant_for_it
                a_link_outlives_its_book
                a_link_goes_with_whom_it_was_for
                a_restore_leaves_links_alone
            }
            timers {
                the_newest_on_the_path
                whoever_comes_and_goes_says_nothing
                a_swipe_has_its_own
                undo_takes_them_back
                a_restore_brings_them_back
                a_replay_records_none
                a_deleted_line_takes_its_own_along
            }
            keepsakes {
                a_text_is_kept_replaced_and_taken_away
                nothing_is_kept_of_what_is_not_there
                each_is_found_by_itself
                it_stays_with_its_line_whatever_becomes_of_the_words
                it_travels_with_its_world
                it_goes_with_what_it_came_with
            }
            luggage {
                timers_arrive_with_their_lines
                paths_are_counted_anew
                the_same_book_is_shared
                a_book_that_is_missing_is_made
                another_book_of_the_same_name_stays
                a_long_name_leaves_room
                broken_luggage_is_refused
            }
            travel {
                import_of_export_is_the_same_world
                a_checkpoint_export_is_a_prefix
                later_texts_stay_behind
                a_fork_goes_its_own_way
                a_fork_remembers_keys
                a_key_is_no_measure
                broken_records_are_refused
                a_failed_import_leaves_nothing
                a_taken_world_is_refused
                the_erased_travel_as_numbers
            }
            transit {
                an_export_is_one_snapshot
                a_world_is_unseen_until_it_is_whole
            }
            grafts {
                branches_come_with_their_head
                a_graft_is_whole_or_not_at_all
                a_graft_again_changes_nothing
            }
            rounds {
                a_round_has_its_people_and_its_lines
                names_are_those_of_the_moment
                a_scene_turns_to_those_of_the_round
                a_set_has_only_its_own
                narrators_are_in_no_round
                a_line_needs_an_open_round
                a_round_ends_once
                what_was_not_shown_is_in_no_view
                an_aborted_round_keeps_what_users_said
                the_head_moves_before_what_was_not_shown
                every_branch_of_a_round_ends
                a_restore_opens_a_round_again
                rounds_are_listed_in_pages
            }
            branches {
                what_is_left_of_a_round_waits
                another_answer_joins_its_round
                an_end_judges_only_what_came_since
                a_round_that_a_restore_took_back_leaves_its_lines
                rounds_at_once_leave_nothing_behind
                going_back_counts_what_was_shown
            }
            backlogs {
                what_nobody_remembers_waits
                a_round_waits_again_when_a_line_of_it_changes
                a_backlog_follows_the_path
                a_restore_brings_back_what_waited
                a_round_shrinks_with_its_lines
                people_as_they_were_called
                a_backlog_is_cut_behind_a_whole_round
                conversations_that_wait_are_listed_in_pages
            }
            guards {
                every_guard_can_fail
                a_guard_about_the_unknown_does_not_hold
            }
            commits {
                every_field_of_a_memory_comes_back
                what_is_made_of_the_same_is_the_same
                a_commit_is_whole_or_not_at_all
                new_memories_are_named_by_their_place
            }
            liveness {
                a_memory_follows_its_lines
                a_memory_of_what_was_not_shown_is_in_no_view
                a_memory_of_no_line_is_always_live
                a_summary_lives_with_what_it_sums_up
                an_era_dies_with_the_smallest_part
                what_is_said_better_gives_way
                one_summary_of_a_day_counts
                one_memory_of_an_exchange_counts
            }
            holdings {
                a_state_is_a_new_version
                a_restore_brings_states_back
                memories_are_found_by_what_they_are
                whoever_waits_for_a_summary
                an_answer_refreshes_what_was_in_mind
                a_restore_takes_refreshments_back
            }
            sieves {
                memories_pass_a_sieve
            }
            orders {
                memories_come_in_the_order_in_which_it_happened
            }
            forgetting {
                an_erased_line_takes_its_memories_along
                what_nothing_is_left_of_is_gone
                an_erased_character_is_remembered_by_nobody
                rounds_with_somebody_erased_wait_again
                the_erased_remember_nothing_new
                what_no_line_says_stays_with_the_others
                what_is_at_hand_names_no_erased
                what_was_decided_is_kept_at_once
                an_erased_world_remembers_nothing
            }
            forgotten_lines {
                a_witness_forgets_alone
                memories_of_forgotten_lines_are_in_no_view
                a_restore_and_a_journey_keep_who_forgot_what
                an_erased_line_was_forgotten_by_nobody
            }
            rebuilds {
                what_was_derived_is_let_go_of
                a_restore_takes_a_rebuild_back
            }
            jobs {
                every_field_of_a_job_comes_back
                a_job_is_put_if_nobody_was_faster
                jobs_are_no_part_of_the_log
                jobs_are_listed_in_order
                what_quotes_dialogue_goes_when_lines_go
                rounds_that_nobody_asked_about
                tokens_are_counted_by_the_hour
            }
            vectors {
                every_text_that_somebody_has_needs_a_vector
                vectors_come_back_as_they_were
                a_vector_is_of_the_words_as_they_are
                what_is_no_vector_is_refused
                spaces_never_mix
                what_is_refused_is_set_aside_and_waits_no_more
                vectors_go_with_what_they_are_of
                restores_leave_vectors_alone
                entries_of_a_book
            }
            sharing {
                each_two_are_counted
                only_what_can_be_recalled_is_shared
            }
            mementos {
                memories_arrive_as_they_left
                later_memories_stay_behind
                broken_memories_are_refused
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! store_suite_tests {
    ($run:expr, $($module:ident { $($case:ident)* })*) => {
        $(mod $module {
            #[allow(unused_imports, reason = "the function that runs a case may stand here or elsewhere")]
            use super::*;
            $(#[test]
            fn $case() {
                ($run)($crate::store_suite::$module::$case);
            })*
        })*
    };
}
