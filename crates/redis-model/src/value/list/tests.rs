//! Properties of lists, against vectors.
use super::*;
use proptest::prelude::*;

fn element() -> impl Strategy<Value = Bytes> {
    prop_oneof![
        6 => "[a-c]",
        3 => "[0-9]{1,6}",
        // So long that chunks overflow, and are split and merged.
        4 => (20usize..250).prop_map(|length| "y".repeat(length)),
        1 => (100usize..3000).prop_map(|length| "x".repeat(length)),
    ]
    .prop_map(Bytes::from)
}

#[derive(Clone, Debug)]
enum Step {
    PushFront(Bytes),
    PushBack(Bytes),
    PopFront,
    PopBack,
    Insert(prop::sample::Index, bool, Bytes),
    Set(prop::sample::Index, Bytes),
    RemoveMatching(Bytes, i64),
    Trim(prop::sample::Index, prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    use prop::sample::Index;
    prop_oneof![
        6 => element().prop_map(Step::PushFront),
        6 => element().prop_map(Step::PushBack),
        2 => Just(Step::PopFront),
        2 => Just(Step::PopBack),
        9 => (any::<Index>(), any::<bool>(), element()).prop_map(|(at, after, e)| Step::Insert(at, after, e)),
        3 => (any::<Index>(), element()).prop_map(|(at, e)| Step::Set(at, e)),
        1 => (element(), -3i64..4).prop_map(|(e, count)| Step::RemoveMatching(e, count)),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Step::Trim(a, b)),
    ]
}

fn on_vector(model: &mut Vec<Bytes>, step: &Step) {
    let len = model.len();
    match step.clone() {
        Step::PushFront(e) => model.insert(0, e),
        Step::PushBack(e) => model.push(e),
        Step::PopFront => drop((len > 0).then(|| model.remove(0))),
        Step::PopBack => drop(model.pop()),
        Step::Insert(at, after, e) if len > 0 => model.insert(at.index(len) + usize::from(after), e),
        Step::Set(at, e) if len > 0 => model[at.index(len)] = e,
        Step::RemoveMatching(e, count) => {
            let mut left = if count == 0 { usize::MAX } else { count.unsigned_abs() as usize };
            let mut keep = |known: &Bytes| {
                *known != e || left == 0 || {
                    left -= 1;
                    false
                }
            };
            if count >= 0 {
                model.retain(keep);
            } else {
                model.reverse();
                model.retain(&mut keep);
                model.reverse();
            }
        }
        Step::Trim(a, b) if len > 0 => {
            let (a, b) = (a.index(len).min(b.index(len)), a.index(len).max(b.index(len)));
            *model = model[a..=b].to_vec();
        }
        _ => {}
    }
}

fn on_list(list: &mut List, step: &Step) {
    let len = list.len();
    match step.clone() {
        Step::PushFront(e) => list.push_front(&e),
        Step::PushBack(e) => list.push_back(&e),
        Step::PopFront => drop(list.pop_front()),
        Step::PopBack => drop(list.pop_back()),
        Step::Insert(at, after, e) if len > 0 => {
            let at = at.index(len);
            assert!(if after { list.insert_after(at, &e) } else { list.insert_before(at, &e) });
        }
        Step::Set(at, e) if len > 0 => assert!(list.set(at.index(len), &e)),
        Step::RemoveMatching(e, count) => {
            let before = list.len();
            let removed = list.remove_matching(&e, count);
            assert_eq!(list.len(), before - removed);
        }
        Step::Trim(a, b) if len > 0 => {
            let (a, b) = (a.index(len).min(b.index(len)), a.index(len).max(b.index(len)));
            list.trim(a, b + 1);
        }
        _ => {}
    }
}

proptest! {
    #[test]
    fn behaves_as_a_vector_and_clones_never_change(
        steps in prop::collection::vec(step(), 0..200),
        size in prop_oneof![-5i64..0, 1i64..6],
        cut in any::<(prop::sample::Index, prop::sample::Index)>(),
        from_back in prop::collection::vec(any::<bool>(), 0..300),
    ) {
        let mut list = List::new(&Limits { list_max_listpack_size: size, ..Limits::DEFAULT });
        let mut model = Vec::new();
        let mut earlier = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            on_list(&mut list, step);
            on_vector(&mut model, step);
            prop_assert_eq!(list.check(), Ok(()));
            if at % 10 == 0 { earlier.push((list.clone(), model.clone())); }
        }
        let (a, b) = (cut.0.index(model.len() + 1), cut.1.index(model.len() + 1));
        let (mut ours, mut theirs) = (list.range(a.min(b)..a.max(b)), model[a.min(b)..a.max(b)].iter());
        for is_back in from_back {
            let pair = if is_back { (ours.next_back(), theirs.next_back()) } else { (ours.next(), theirs.next()) };
            prop_assert_eq!(pair.0.map(Element::to_bytes), pair.1.cloned());
            prop_assert_eq!(ours.len(), theirs.len());
        }
        // The division into chunks does not matter: lists with the same elements are equal.
        prop_assert_eq!(&model.iter().cloned().collect::<Elements>(), &list.elements);
        earlier.push((list, model));
        for (list, model) in earlier {
            prop_assert!(list.iter().eq(model.iter()));
            prop_assert!(list.iter().rev().eq(model.iter().rev()));
            prop_assert!((0..model.len()).all(|at| list.get(at).map(Element::to_bytes).as_ref() == model.get(at)));
        }
    }
}

#[test]
fn full_node_is_split_at_the_new_element() {
    let mut list = List::new(&Limits { list_max_listpack_size: 4, ..Limits::DEFAULT });
    for element in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        list.push_back(&Bytes::from(element));
    }
    let counts = |list: &List| list.nodes().map(|node| node.count).collect::<Vec<_>>();
    assert_eq!(counts(&list), [4, 4]);
    list.insert_after(1, &Bytes::from("x"));
    assert_eq!(counts(&list), [2, 3, 4]);
}
