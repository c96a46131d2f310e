//! Does the plain store, which others are compared with, do what every store must do?

use reverie_testkit::model_store::ModelStore;
use reverie_testkit::store_suite::Case;

fn run(case: Case) {
    case(&ModelStore::default());
}

reverie_testkit::store_suite!(run);
