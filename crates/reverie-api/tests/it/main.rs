//! What a client sees: every test speaks to [`reverie_api::Api::dispatch`] over a real file, with a clock that stands still.

mod host;
mod script;
mod stage;

mod audience;
mod budget;
// mod errors;
// mod exports;
// mod heads;
// mod history;
// mod ids;
// mod lines;
// mod names;
// mod openapi;
// mod pages;
mod prefix;
// mod properties;
mod prompts;
// mod reading;
// mod repairs;
// mod times;
