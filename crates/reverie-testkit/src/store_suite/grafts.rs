//! Many branches at once: do all of them come, with their head, or none?

use reverie_core::conversation::{Append, AppendKey, Attach, Branch, Graft, WhichLines};
use reverie_core::store::Erase;
use reverie_core::{Code, Store};

use super::stage::{Stage, check_code, lines, shown};

fn branch(parent: Option<usize>, play: &str, key: &str) -> Branch {
    let key = Some(AppendKey { key: key.to_owned(), digest: [7; 16] });
    Branch { parent, append: Append { lines: lines(play), attach: Attach::Root, key, ..Append::default() } }
}

/// 一 二 三, from 一 also 四 五, and another beginning.
fn tree_of_three() -> Graft {
    let branches = vec![
        branch(None, "甲: 一\n乙: 二\n甲: 三", "a"),
        branch(Some(0), "乙: 四\n甲: 五", "b"),
        branch(None, "乙: 六", "c"),
    ];
    Graft { branches, head: Some(4) }
}

pub fn branches_come_with_their_head(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let grafted = store.graft(&stage.world, &room, tree_of_three()).unwrap();
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 四 | 甲: 五");
    assert_eq!(
        shown(&stage.lines(&room, WhichLines::Tree)),
        "甲: 一 | 乙: 二 | 甲: 三 | 乙: 四 | 甲: 五 | 乙: 六"
    );
    assert_eq!(grafted.head, stage.room(&room).head);
    assert_eq!(grafted.appended.iter().map(|one| one.lines.len()).collect::<Vec<_>>(), [3, 2, 1]);
    let mut more = branch(None, "甲: 七", "d");
    more.append.attach = Attach::Behind(grafted.appended[0].lines[1].id);
    store.graft(&stage.world, &room, Graft { branches: vec![more], head: None }).unwrap();
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 二 | 甲: 七", "it goes on from a line that was there");
    let other = stage.set(&["甲", "乙", "丙"]);
    let last = Graft { head: None, ..tree_of_three() };
    store.graft(&stage.world, &other, last).unwrap();
    assert_eq!(stage.path(&other), "乙: 六");
}

pub fn a_graft_is_whole_or_not_at_all(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 原来");
    let before = (stage.view(), stage.export(None));
    let spoil: [fn(&mut Graft); 4] = [
        // Its parent comes later.
        |graft| graft.branches[1].parent = Some(5),
        |graft| graft.head = Some(6),
        // A key that stands for other lines.
        |graft| graft.branches[2].append.key = Some(AppendKey { key: "a".into(), digest: [8; 16] }),
        |graft| {
            for branch in &mut graft.branches {
                branch.append.lines[0].host_id = Some("同じ".into());
            }
        },
    ];
    for (index, spoil) in spoil.into_iter().enumerate() {
        let mut graft = tree_of_three();
        spoil(&mut graft);
        let error = store.graft(&stage.world, &room, graft).unwrap_err();
        assert!([Code::Invalid, Code::Conflict].contains(&error.code()), "{index}: {error}");
        assert_eq!((stage.view(), stage.export(None)), before, "{index}");
    }
}

pub fn a_graft_again_changes_nothing(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    store.graft(&stage.world, &room, tree_of_three()).unwrap();
    stage.say(&room, "乙: 后来");
    let before = (stage.view(), stage.export(None));
    let again = store.graft(&stage.world, &room, tree_of_three()).unwrap();
    assert!(again.appended.iter().all(|appended| appended.replayed));
    assert_eq!(again.head, stage.room(&room).head);
    assert_eq!((stage.view(), stage.export(None)), before, "whoever went on from there stays there");
    let first = again.appended[0].lines[1].id;
    stage.erase(Erase::Line(first));
    check_code(store.graft(&stage.world, &room, tree_of_three()), Code::Conflict);
}
