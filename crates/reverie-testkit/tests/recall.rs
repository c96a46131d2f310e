//! Do the right memories come to mind, on the plain store?

use std::sync::Arc;

use reverie_testkit::model_store::ModelStore;
use reverie_testkit::recall_suite::Case;

fn run(case: Case) {
    case(Arc::new(ModelStore::default()));
}

reverie_testkit::recall_suite!(run);
