//! While a world leaves or arrives: what do others see of it, and do they have to wait?

use reverie_core::store::Select;
use reverie_core::{Code, Store, WorldId};

use super::stage::{Stage, check_code};
use super::travel::full;

pub fn an_export_is_one_snapshot(store: &dyn Store) {
    let (stage, pair) = full(store, "原");
    let before = stage.export(None);
    let mut records = Vec::new();
    store
        .export(&stage.world, None, &mut |record| {
            // Whoever writes does not wait, and what is written now does not come along.
            stage.say(&pair, "甲: 后来的话");
            records.push(record);
            Ok(())
        })
        .unwrap();
    assert_eq!(records, before);
    assert!(stage.path(&pair).ends_with("甲: 后来的话"));
}

pub fn a_world_is_unseen_until_it_is_whole(store: &dyn Store) {
    let (stage, pair) = full(store, "原");
    let records = stage.export(None);
    let copy = WorldId::new("写し").unwrap();
    let listed = store.worlds(&Select::default()).unwrap().len();
    let mut watched = records.clone().into_iter().map(|record| {
        // Others go on meanwhile, as if nothing came.
        stage.say(&pair, "甲: 照常");
        assert_eq!(store.worlds(&Select::default()).unwrap().len(), listed);
        check_code(store.characters(&copy, &Select::default()), Code::NotFound);
        Ok(record)
    });
    let arrived = store.import(&copy, &mut watched).unwrap();
    assert_eq!(arrived.id, copy);
    let copied = Stage { store, world: copy };
    assert_eq!(copied.export(None).split_off(1), records.clone().split_off(1));
    // Somebody takes the name while another world is on its way to it.
    let taken = WorldId::new("先客").unwrap();
    let mut late = records.into_iter().enumerate().map(|(index, record)| {
        if index == 5 {
            store.put_world(&taken, &Default::default(), 0).unwrap();
        }
        Ok(record)
    });
    check_code(store.import(&taken, &mut late), Code::Conflict);
    check_code(store.fork(&stage.world, &taken, None, 0), Code::Conflict);
    assert_eq!(store.conversations(&taken, &Select::default()).unwrap(), [], "the first one stays as it is");
}
