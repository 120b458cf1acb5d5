// Planner: a request's syntax -> the operators that answer it.
//
// Tables are taken in the order in which they are written. All that `where` and `on` ask for is cut
// at its `and`s, and each condition is tested as soon as the tables that it needs have their rows.
// One that says what a column must be equal to leads to the rows by the column's index; without an
// index, a joined table is hashed for the request.
#pragma once

#include <string_view>

#include "engine/arena.h"
#include "engine/binder.h"
#include "engine/catalog.h"
#include "engine/operator.h"
#include "engine/syntax.h"

namespace queryd {

struct SelectPlan {
  Operator* last;
  List<const Expression*> outputs;
  unsigned slots;  // rows that its frame needs
};

// Both throw RequestError for names that are not known, and types that do not go together.
SelectPlan plan_select(const SelectSyntax& select, Catalog& catalog, Arena& arena);
// The rows of one table, in slot 0, for which `where` (or nothing, if null) is true.
Operator* plan_rows(const Scope& scope, const Syntax* where, Arena& arena);

}  // namespace queryd
