# Where a frame is narrow, its label keeps what tells functions apart. No browser is needed.
. "$(dirname "$0")/../prelude.sh"
need node

cat > test.mjs << 'END'
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
const { shorterNames } = new Function(readFileSync(process.argv[2], "utf8") + "; return { shorterNames };")();
for (const [name, ...shorter] of [
  ["main"],
  ["_start"],
  ["query::Sort::finish()", "query::Sort::finish", "Sort::finish", "finish"],
  ["a::Map<int, b::C<d>>::find(e::F const&) const", "a::Map<int, b::C<d>>::find", "a::Map<…>::find", "Map<…>::find", "find"],
  ["void std::sort<int*>(int*, int*)", "void std::sort<int*>", "void std::sort<…>", "std::sort<…>", "sort<…>"],
  ["(anonymous namespace)::f()", "(anonymous namespace)::f", "f"],
  ["std::operator<<(std::ostream&, a::B const&)", "std::operator<<"],
  ["a::operator()(int)", "a::operator()"],
  ["a::operator()"],
  ["net/http.(*conn).serve", "http.(*conn).serve"],
  ["a.com/b.(*Map[c.com/d.Key]).Get", "b.(*Map[c.com/d.Key]).Get"],
  ["ns::operator/(ns::Big const&, ns::Big const&)", "ns::operator/"],
  ["operator/(Big const&, Big const&)", "operator/"],
  ["std::for_each<It, (lambda at /src/app/foo.cc:12:3)>(It, It)", "std::for_each<It, (lambda at /src/app/foo.cc:12:3)>",
    "std::for_each<…>", "for_each<…>"],
  ["dir/"],
  ["foo::"],
  ["work() [clone .cold]", "work"],
  ["f(void (*)(int))", "f"],
  ["broken(<(((", ],
  ["<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend", "<…>::extend", "extend"],
]) assert.deepEqual(shorterNames(name), [name, ...shorter]);
END
node test.mjs "$here/../../converters/flame_graph/model.js"
