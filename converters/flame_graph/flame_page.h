// A flame graph as a page: one HTML file that needs nothing else, no network and no other file. Its
// own security policy forbids both. It shows the graph with zoom, search and an inverted view, and
// the table of functions; docs/reference/flame-graphs.md says how to use it.
//
// The page is built from the files beside this one: page.html has places for the others, page.css
// is the style, and the scripts are model.js (the tree, its inversion, search, numbers), graph.js
// (drawing, zoom, keys), table.js, details.js and page.js (what connects them). The data is one
// JSON object in a <script> element that is not executed:
//
//   title     text               type, unit  what is counted
//   inShares  values are parts of kFlameWhole
//   valueSize, per  how much of `unit` a value of 1 is, and of what it is the cost; "": of all
//   minShare  of the frames that are in "(other)"
//   facts     [[name, value]…]   notes  [text…]
//   tables    [{title, numbers, columns: [text…], rows: [[text…]…]}…], as FlamePageTable
//   sides     [[name, whole]…]   one, or two of a comparison
//   modules, files  [text…]      the first is empty
//   names     [text…], each after the number of characters that it shares with the one before
//   frames    {module, file: positions; color: two letters each, hue and shade}
//   nodes     {frame, up: [number…], self: [[value…] of each side]}, in preorder. `up` says how
//             many levels above the node before is the parent: 0 for its first child
//   functions {frame, flat, cumulative}, in the same way
//   certainty of nodes, of functions flat and cumulative, where any is known:
//             {mark: a digit each, q: [number or null…], low, high: [value or null…]}
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "converters/flame_graph/flame_tree.h"
#include "pgo/base/result.h"

namespace pgo {

// A table above the graph. Texts are plain, in any bytes.
struct FlamePageTable {
  std::string title;
  size_t numbers = 0;  // how many columns, the first ones, have numbers
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// What stands around the graph. Texts are plain, in any bytes.
struct FlamePage {
  std::string title;                                       // of the page and its tab: "queryd, cpu"
  std::string subtitle;                                    // one line below; may be empty
  std::vector<std::pair<std::string, std::string>> facts;  // "Samples", "12 345"
  std::vector<std::string> notes;  // what a reader must know, before what FlameOmitted says
  std::vector<FlamePageTable> tables = {};  // of pages; pictures have none
};

// Error: kEmpty when the tree has no value. O(size).
Result<std::string> flame_html(const FlameTree& tree, const FlamePage& page);

}  // namespace pgo
