// Operator: a step of a plan. Each asks the one before it for rows, one at a time, and passes on
// some of them: a pipeline of small objects with one virtual function that matters.
#pragma once

#include <span>
#include <string>

#include "engine/arena.h"
#include "engine/binder.h"
#include "engine/expression.h"
#include "engine/table.h"

namespace queryd {

class Operator {
 public:
  // Puts the next rows into their slots of `frame`; false when there are no more.
  virtual bool next(Frame& frame) = 0;
  // Appends what this does, after what the steps before it do, as JSON texts.
  virtual void describe(std::string& out) const = 0;

 protected:
  ~Operator() = default;  // an arena's objects are not destroyed
};

struct SortKey {
  const Expression* expression;
  bool descending;
};

// Once, and nothing in any slot: what pipelines begin with.
Operator* make_once(Arena& arena);
// For each input, every row of `table`.
Operator* make_scan(Arena& arena, Operator* input, unsigned slot, const Table& table);
// For each input, the rows of `table` which `index` has for the value of `key`.
Operator* make_lookup(Arena& arena, Operator* input, unsigned slot, const Table& table,
                      unsigned column, const HashIndex& index, const Expression* key);
Operator* make_filter(Arena& arena, Operator* input, const Expression* condition);
// One output for each group of inputs; without keys, there is one group even of nothing.
Operator* make_group(Arena& arena, Operator* input, const Grouping& grouping);
// Reads its input wholly before the first output. Rows with the same keys stay in their order.
Operator* make_sort(Arena& arena, Operator* input, unsigned slots, List<SortKey>&& keys);
// Inputs for which `expressions` have values that no earlier one had.
Operator* make_distinct(Arena& arena, Operator* input, List<const Expression*>&& expressions);
Operator* make_limit(Arena& arena, Operator* input, int64_t rows);

}  // namespace queryd
