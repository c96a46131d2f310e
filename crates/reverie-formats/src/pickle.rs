//! What does a value say that a Python program pickled, without running anything?
//!
//! Plain values become JSON: texts, numbers, lists, tuples, sets, dictionaries. Of an object only its fields are read, whatever its
//! class; what is made by calling something is null. Nothing is imported, called or believed beyond that.

use std::fmt;

use serde_json::{Map, Number, Value};

/// Why a text of bytes is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotPickled(&'static str);

impl fmt::Display for NotPickled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is no pickled value that can be read: {}", self.0)
    }
}

type Read<T> = Result<T, NotPickled>;

/// Values in one pickle, and in what it says: shared ones count each time.
const MOST: usize = 1 << 20;
const DEEPEST: usize = 64;

/// A value by its place among all; containers are filled after others refer to them.
enum Node {
    Plain(Value),
    List(Vec<usize>),
    Map(Vec<(usize, usize)>),
    /// Its fields, once they were told.
    Object(Option<usize>),
}

pub fn read(bytes: &[u8]) -> Read<Value> {
    let mut machine =
        Machine { left: bytes, nodes: Vec::new(), stack: Vec::new(), marks: Vec::new(), memo: Vec::new() };
    let root = machine.run()?;
    let mut told = 0;
    machine.tell(root, 0, &mut told)
}

struct Machine<'b> {
    left: &'b [u8],
    nodes: Vec<Node>,
    stack: Vec<usize>,
    /// How high the stack was at each mark.
    marks: Vec<usize>,
    memo: Vec<Option<usize>>,
}

impl Machine<'_> {
    fn run(&mut self) -> Read<usize> {
        loop {
            match self.byte()? {
                b'.' => return self.pop(),
                0x80 => drop(self.byte()?),
                0x95 => drop(self.take(8)?),
                0x8c => self.text(1)?,
                b'X' => self.text(4)?,
                0x8d => self.text(8)?,
                b'C' => self.opaque_bytes(1)?,
                b'B' => self.opaque_bytes(4)?,
                0x8e | 0x96 => self.opaque_bytes(8)?,
                b'N' => self.push(Node::Plain(Value::Null))?,
                0x88 => self.push(Node::Plain(Value::Bool(true)))?,
                0x89 => self.push(Node::Plain(Value::Bool(false)))?,
                b'J' => {
                    let bytes = self.array::<4>()?;
                    self.push(Node::Plain(i32::from_le_bytes(bytes).into()))?;
                }
                b'K' => {
                    let number = self.byte()?;
                    self.push(Node::Plain(number.into()))?;
                }
                b'M' => {
                    let bytes = self.array::<2>()?;
                    self.push(Node::Plain(u16::from_le_bytes(bytes).into()))?;
                }
                0x8a => self.long(1)?,
                0x8b => self.long(4)?,
                b'G' => {
                    let number = f64::from_be_bytes(self.array::<8>()?);
                    let number = Number::from_f64(number).map_or(Value::Null, Value::Number);
                    self.push(Node::Plain(number))?;
                }
                b']' | b')' | 0x8f => self.push(Node::List(Vec::new()))?,
                b'}' => self.push(Node::Map(Vec::new()))?,
                0x85 => self.tuple(1)?,
                0x86 => self.tuple(2)?,
                0x87 => self.tuple(3)?,
                b'(' => self.marks.push(self.stack.len()),
                b't' | 0x91 => {
                    let items = self.since_mark()?;
                    self.push(Node::List(items))?;
                }
                b'a' => {
                    let item = self.pop()?;
                    self.extend(vec![item])?;
                }
                b'e' | 0x90 => {
                    let items = self.since_mark()?;
                    self.extend(items)?;
                }
                b's' => {
                    let value = self.pop()?;
                    let key = self.pop()?;
                    self.set(vec![key, value])?;
                }
                b'u' => {
                    let items = self.since_mark()?;
                    self.set(items)?;
                }
                b'c' => {
                    self.line()?;
                    self.line()?;
                    self.push(Node::Object(None))?;
                }
                // Which class it is does not matter.
                0x93 | 0x81 | b'R' => {
                    self.pop()?;
                    self.pop()?;
                    self.push(Node::Object(None))?;
                }
                0x92 => {
                    for _ in 0..3 {
                        self.pop()?;
                    }
                    self.push(Node::Object(None))?;
                }
                b'b' => {
                    let state = self.pop()?;
                    let object = self.top()?;
                    if let Some(Node::Object(fields)) = self.nodes.get_mut(object) {
                        *fields = Some(state);
                    }
                }
                0x94 => {
                    let top = self.top()?;
                    self.keep(self.memo.len(), top)?;
                }
                b'q' => {
                    let (at, top) = (usize::from(self.byte()?), self.top()?);
                    self.keep(at, top)?;
                }
                b'r' => {
                    let (at, top) = (self.length(4)?, self.top()?);
                    self.keep(at, top)?;
                }
                b'h' => {
                    let at = usize::from(self.byte()?);
                    self.recall(at)?;
                }
                b'j' => {
                    let at = self.length(4)?;
                    self.recall(at)?;
                }
                b'0' => drop(self.pop()?),
                b'1' => drop(self.since_mark()?),
                b'2' => {
                    let top = self.top()?;
                    self.stack.push(top);
                }
                _ => return Err(NotPickled("it uses a way of writing that is not known")),
            }
        }
    }

    fn byte(&mut self) -> Read<u8> {
        let [byte] = self.array::<1>()?;
        Ok(byte)
    }

    fn take(&mut self, count: usize) -> Read<&[u8]> {
        let (taken, left) = self.left.split_at_checked(count).ok_or(NotPickled("it breaks off"))?;
        self.left = left;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| NotPickled("it breaks off"))
    }

    /// A number of so many bytes, the smallest first.
    fn length(&mut self, bytes: usize) -> Read<usize> {
        let bytes = self.take(bytes)?;
        let number = bytes.iter().rev().fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
        usize::try_from(number).map_err(|_| NotPickled("it is too long"))
    }

    fn text(&mut self, length: usize) -> Read<()> {
        let length = self.length(length)?;
        let text = String::from_utf8_lossy(self.take(length)?).into_owned();
        self.push(Node::Plain(Value::String(text)))
    }

    fn opaque_bytes(&mut self, length: usize) -> Read<()> {
        let length = self.length(length)?;
        self.take(length)?;
        self.push(Node::Plain(Value::Null))
    }

    /// Beyond 64 bits nobody could write it as JSON.
    fn long(&mut self, length: usize) -> Read<()> {
        let length = self.length(length)?;
        let bytes = self.take(length)?;
        let is_negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
        let filled = |at: usize| bytes.get(at).copied().unwrap_or(if is_negative { 0xff } else { 0 });
        let number = i64::from_le_bytes(std::array::from_fn(filled));
        let number = if length <= 8 { Value::from(number) } else { Value::Null };
        self.push(Node::Plain(number))
    }

    fn line(&mut self) -> Read<()> {
        let end = self.left.iter().position(|byte| *byte == b'\n').ok_or(NotPickled("it breaks off"))?;
        self.take(end + 1).map(|_| ())
    }

    fn push(&mut self, node: Node) -> Read<()> {
        if self.nodes.len() >= MOST {
            return Err(NotPickled("it holds too much"));
        }
        self.stack.push(self.nodes.len());
        self.nodes.push(node);
        Ok(())
    }

    fn pop(&mut self) -> Read<usize> {
        self.stack.pop().ok_or(NotPickled("a value is missing"))
    }

    fn top(&self) -> Read<usize> {
        self.stack.last().copied().ok_or(NotPickled("a value is missing"))
    }

    fn since_mark(&mut self) -> Read<Vec<usize>> {
        let mark = self.marks.pop().filter(|mark| *mark <= self.stack.len());
        Ok(self.stack.split_off(mark.ok_or(NotPickled("a mark is missing"))?))
    }

    fn tuple(&mut self, count: usize) -> Read<()> {
        let from = self.stack.len().checked_sub(count).ok_or(NotPickled("a value is missing"))?;
        let items = self.stack.split_off(from);
        self.push(Node::List(items))
    }

    fn extend(&mut self, items: Vec<usize>) -> Read<()> {
        let list = self.top()?;
        if let Some(Node::List(known)) = self.nodes.get_mut(list) {
            known.extend(items);
        }
        Ok(())
    }

    fn set(&mut self, items: Vec<usize>) -> Read<()> {
        let map = self.top()?;
        if let Some(Node::Map(known)) = self.nodes.get_mut(map) {
            known.extend(items.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?))));
        }
        Ok(())
    }

    fn keep(&mut self, at: usize, value: usize) -> Read<()> {
        if at >= MOST {
            return Err(NotPickled("it holds too much"));
        }
        if at >= self.memo.len() {
            self.memo.resize(at + 1, None);
        }
        if let Some(place) = self.memo.get_mut(at) {
            *place = Some(value);
        }
        Ok(())
    }

    fn recall(&mut self, at: usize) -> Read<()> {
        let value =
            self.memo.get(at).copied().flatten().ok_or(NotPickled("it names a value that is not there"))?;
        self.stack.push(value);
        Ok(())
    }

    fn tell(&self, node: usize, depth: usize, told: &mut usize) -> Read<Value> {
        *told += 1;
        if depth > DEEPEST || *told > MOST {
            return Err(NotPickled("it holds too much"));
        }
        Ok(match self.nodes.get(node) {
            None | Some(Node::Object(None)) => Value::Null,
            Some(Node::Plain(value)) => value.clone(),
            Some(Node::List(items)) => {
                let items = items.iter().map(|item| self.tell(*item, depth + 1, told));
                Value::Array(items.collect::<Read<_>>()?)
            }
            Some(Node::Map(pairs)) => {
                let mut fields = Map::new();
                for (key, value) in pairs {
                    let key = match self.nodes.get(*key) {
                        Some(Node::Plain(Value::String(key))) => key.clone(),
                        Some(Node::Plain(key)) => key.to_string(),
                        _ => continue,
                    };
                    fields.insert(key, self.tell(*value, depth + 1, told)?);
                }
                Value::Object(fields)
            }
            Some(Node::Object(Some(state))) => {
                let mut state = self.tell(*state, depth + 1, told)?;
                state.get_mut("__dict__").map(Value::take).unwrap_or(state)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// As `pickle.dumps(…, protocol)` of Python 3 writes them.
    #[test]
    fn plain_values_are_read() {
        let object = b"\x80\x04\x95\x1e\x00\x00\x00\x00\x00\x00\x00\x8c\x01m\x94\x8c\x01P\x94\x93\x94)\x81\x94}\x94(\x8c\x08__dict__\x94}\x94\x8c\x04data\x94\x8c\x06\xe6\xb0\xb4\xe6\xb0\xb4\x94s\x8c\x01s\x94\x8f\x94(h\x06\x90ub.";
        for (pickled, expected) in [
            (&b"\x80\x04N."[..], json!(null)),
            (b"\x80\x04\x88.", json!(true)),
            (b"\x80\x02K\x07.", json!(7)),
            (b"\x80\x02M\x00\x01.", json!(256)),
            (b"\x80\x02J\xff\xff\xff\xff.", json!(-1)),
            (b"\x80\x04\x8a\x05\x00\x00\x00\x00\x01.", json!(4_294_967_296_u64)),
            (b"\x80\x04\x8a\x01\xff.", json!(-1)),
            (b"\x80\x04G?\xe0\x00\x00\x00\x00\x00\x00.", json!(0.5)),
            (b"\x80\x04]\x94(K\x01K\x02e.", json!([1, 2])),
            (b"\x80\x04K\x01K\x02\x86\x94.", json!([1, 2])),
            (
                b"\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01K\x01X\x01\x00\x00\x00bq\x02h\x01u.",
                json!({"a": 1, "b": "a"}),
            ),
            (b"\x80\x04C\x02ab.", json!(null)),
            (object, json!({"data": "水水"})),
        ] {
            assert_eq!(read(pickled), Ok(expected), "{pickled:?}");
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        // A list that holds itself twice, again and again, would be endless.
        let endless = b"\x80\x04]\x94(h\x00h\x00e.";
        for pickled in [
            &b""[..],
            b"\x80\x04",
            b"\x80\x04.",
            b"\x80\x04u.",
            b"hello",
            b"\x80\x04h\x09.",
            b"\x80\x04\x8c\xffx.",
            endless,
        ] {
            assert!(read(pickled).is_err(), "{pickled:?}");
        }
    }

    proptest! {
        /// Whatever it is, it ends.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }
    }
}
