//! What a client sees: every test speaks to [`reverie_api::Api::dispatch`] over a real file, with a clock that stands still.

#![expect(clippy::indexing_slicing, reason = "all of this is test code; a failed step fails the test")]

mod described;
mod host;
mod scans;
mod script;
mod sharing;
mod stage;

mod aliases;
mod audience;
mod budget;
mod chat_files;
mod conversions;
mod dates;
mod editing;
mod errors;
mod exports;
mod facts;
mod fuzz;
mod groups;
mod heads;
mod history;
mod ids;
mod jobs;
mod library;
mod limits;
mod lines;
mod lists;
mod lore;
mod luggage;
mod maps;
mod mem0;
mod memories;
mod names;
mod native;
mod one_prompt;
mod openapi;
mod pages;
mod parts;
mod portraits;
mod prefix;
mod previews;
mod prompts;
mod properties;
mod refusals;
mod remembered;
mod remembered_orders;
mod repairs;
mod rounds;
mod scopes;
mod times;
mod timing;
mod tools;
mod warnings;
