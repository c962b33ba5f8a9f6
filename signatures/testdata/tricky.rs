//! fn no() {}
/* struct No; /* nested */ fn no() {} */
#![allow(unused)]
use std::fmt::{self, Display};

#[derive(Debug)]
pub struct Cache<'a, T: 'a> where T: Display { //= struct Cache
    entry: &'a T,
}

pub struct Unit; //= struct Unit
struct Tuple(pub i32); //= struct Tuple
pub(crate) enum State { Idle, Busy { since: u64 } } //= enum State
union Bits { int: u32, float: f32 } //= union Bits

impl<'a, T> Cache<'a, T> where T: Display {
    const LIMIT: usize = 10;
    pub fn new(entry: &'a T) -> Self { //= fn Cache.new()
        fn inner() {}
        struct Local;
        let s = "fn no() {}";
        let r = r#"impl No { fn no() {} }"#;
        let c = '{';
        Cache { entry }
    }
    #[inline]
    pub(super) async unsafe fn get(&self) {} //= fn Cache.get()
}

impl<'a, T> fmt::Display for Cache<'a, T> {
    type Out = ();
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) } //= fn Cache.fmt()
}

pub trait Store: Send { //= trait Store
    type Key;
    const N: usize;
    fn put(&mut self, key: Self::Key); //= fn Store.put()
    fn size(&self) -> usize { 0 } //= fn Store.size()
}

mod inner { //= mod inner
    pub fn helper() {} //= fn inner.helper()
    pub mod deep { pub fn f() {} } //= mod inner.deep, fn inner.deep.f()
}
pub mod elsewhere; //= mod elsewhere

macro_rules! vec_of { //= macro_rules! vec_of
    ($x:expr) => { fn no() {} };
}

thread_local! { static NO: u32 = 1; }

const LIMIT: usize = 1; //= const LIMIT
pub static mut COUNT: u32 = 0; //= static COUNT
type Result<T> = std::result::Result<T, ()>; //= type Result
extern "C" { fn c_function(x: i32) -> i32; } //= fn c_function()
pub extern "C" fn exported() {} //= fn exported()
impl Store for [u8; 4] { fn put(&mut self, key: ()) {} } //= fn [u8; 4].put()
fn r#match() {} //= fn r#match()
