//! Is what was lived through remembered as it should be? On the plain store.

use std::sync::Arc;

use reverie_testkit::digest_suite::Case;
use reverie_testkit::model_store::ModelStore;

fn run(case: Case) {
    case(Arc::new(ModelStore::default()));
}

reverie_testkit::digest_suite!(run);
