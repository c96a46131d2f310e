//! Who can recall the same as whom, and how much of it?

use crate::id::CharacterId;

/// What those who can recall most have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Who can recall most comes first, of equals in the order of ids. Whoever can recall nothing is nowhere here.
    pub characters: Vec<Sharer>,
    /// Each two of them who share something: those who share most come first, of equals in the order of ids.
    pub links: Vec<Shared>,
    /// How many others can recall something.
    pub left_out: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sharer {
    pub id: CharacterId,
    /// What it is called now.
    pub name: String,
    /// How many memories it can recall.
    pub memories: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    /// Two of them, in the order of ids.
    pub between: [CharacterId; 2],
    /// How many memories both of them can recall.
    pub memories: u64,
}

impl Sharing {
    /// So many are told at most.
    pub const MOST: usize = 200;

    /// Everybody who can recall something, and how many memories each set of at least two of them can recall together: by
    /// their places, ascending, among those who are told. `told` is cut from `all` by [`Sharing::order`].
    pub fn of(all: usize, told: Vec<Sharer>, sets: impl IntoIterator<Item = (Vec<u16>, u64)>) -> Self {
        let mut shared = vec![0u64; told.len() * told.len()];
        for (set, memories) in sets {
            for (at, one) in set.iter().enumerate() {
                for other in set.iter().skip(at + 1) {
                    let place = usize::from(*one) * told.len() + usize::from(*other);
                    shared.get_mut(place).into_iter().for_each(|count| *count += memories);
                }
            }
        }
        let mut links: Vec<Shared> = Vec::new();
        for (place, memories) in shared.into_iter().enumerate().filter(|(_, memories)| *memories > 0) {
            let pair = (told.get(place / told.len()), told.get(place % told.len()));
            let (Some(one), Some(other)) = pair else { continue };
            let mut between = [one.id.clone(), other.id.clone()];
            between.sort();
            links.push(Shared { between, memories });
        }
        links.sort_by(|a, b| b.memories.cmp(&a.memories).then_with(|| a.between.cmp(&b.between)));
        Self { left_out: all - told.len().min(all), characters: told, links }
    }

    /// In which order they are told.
    pub fn order(a: &Sharer, b: &Sharer) -> std::cmp::Ordering {
        b.memories.cmp(&a.memories).then_with(|| a.id.cmp(&b.id))
    }
}
