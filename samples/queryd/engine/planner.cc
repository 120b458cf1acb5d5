#include "engine/planner.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/error.h"

namespace queryd {
namespace {

// One of the conditions that must all be true.
struct Condition {
  Bound whole;
  Bound left, right;  // when it is an equality
  bool is_done = false;
};

// The pipeline from nothing to the rows that meet all conditions.
class RowPlanner {
 public:
  RowPlanner(const Scope& scope, Binder& binder, Arena& arena)
      : scope_(scope), binder_(binder), arena_(arena), conditions_(arena.list<Condition>()) {}

  void require(const Syntax& syntax) {
    if (syntax.kind == Syntax::Kind::kOperation && syntax.operation == Operation::kAnd) {
      for (const Syntax* side : syntax.children) require(*side);
    } else if (syntax.kind == Syntax::Kind::kOperation && syntax.operation == Operation::kEqual) {
      Bound left = binder_.bind(*syntax.children[0]), right = binder_.bind(*syntax.children[1]);
      Bound whole = binder_.binary(Operation::kEqual, left, right, syntax.at);
      conditions_.push_back({whole, left, right});
    } else {
      conditions_.push_back({binder_.bind(syntax, Type::kInteger), {}, {}});
    }
  }

  Operator* plan() {
    Operator* last = make_once(arena_);
    for (int slot = -1; slot < static_cast<int>(scope_.size()); slot++) {
      if (slot >= 0) last = plan_access(last, static_cast<unsigned>(slot));
      for (Condition& condition : conditions_) {
        if (condition.is_done || condition.whole.last_slot > slot) continue;
        condition.is_done = true;
        last = make_filter(arena_, last, condition.whole.expression);
      }
    }
    return last;
  }

 private:
  // Gives `slot` its rows: by an index if there is one, else by hashing, else all.
  Operator* plan_access(Operator* input, unsigned slot) {
    const Table& table = *scope_[slot].table;
    Condition* hashed = nullptr;
    for (Condition& condition : conditions_) {
      if (condition.is_done || !put_column_left(condition, static_cast<int>(slot))) continue;
      const Column& column = table.columns()[static_cast<unsigned>(condition.left.column)];
      if (column.index != nullptr) return plan_lookup(input, slot, condition, *column.index);
      if (hashed == nullptr && condition.right.last_slot >= 0) hashed = &condition;
    }
    if (hashed == nullptr) return make_scan(arena_, input, slot, table);
    return plan_lookup(input, slot, *hashed, hash_rows(table, hashed->left.column));
  }

  Operator* plan_lookup(Operator* input, unsigned slot, Condition& condition,
                        const HashIndex& index) {
    condition.is_done = true;
    return make_lookup(arena_, input, slot, *scope_[slot].table,
                       static_cast<unsigned>(condition.left.column), index,
                       condition.right.expression);
  }

  // Whether it is "column of `slot` = something of earlier slots", which it then is in this order.
  static bool put_column_left(Condition& condition, int slot) {
    auto is_column = [slot](const Bound& side, const Bound& other) {
      return side.expression != nullptr && side.column >= 0 && side.last_slot == slot &&
             other.last_slot < slot;
    };
    if (is_column(condition.right, condition.left)) std::swap(condition.left, condition.right);
    return is_column(condition.left, condition.right);
  }

  const HashIndex& hash_rows(const Table& table, int column) {
    HashIndex* index = arena_.make<HashIndex>(arena_.memory());
    for (RowId row = 0; row < table.row_end(); row++)
      if (table.is_live(row)) index->add(table.row(row)[column], row);
    return *index;
  }

  const Scope& scope_;
  Binder& binder_;
  Arena& arena_;
  List<Condition> conditions_;
};

class SelectPlanner {
 public:
  SelectPlanner(const SelectSyntax& select, Catalog& catalog, Arena& arena)
      : select_(select),
        arena_(arena),
        scope_(*arena.make<Scope>(arena.list<TableInScope>())),
        binder_(scope_, arena),
        outputs_(arena.list<Bound>()) {
    for (const TableSyntax& table : select.tables) {
      for (const TableInScope& before : scope_)
        if (before.alias == table.alias)
          refuse(table.at, "a second table '" + std::string(table.alias) + "'; name it");
      scope_.push_back({table.alias, &catalog.table(table)});
    }
  }

  SelectPlan plan() {
    RowPlanner rows(scope_, binder_, arena_);
    for (const TableSyntax& table : select_.tables)
      if (table.on != nullptr) rows.require(*table.on);
    if (select_.where != nullptr) rows.require(*select_.where);
    Operator* last = rows.plan();

    // What is bound from here on may be over groups, and adds the aggregates that they keep.
    Grouping* grouping = start_grouping();
    bind_outputs();
    List<SortKey> keys = bind_order();
    const Expression* having = nullptr;
    if (select_.having != nullptr)
      having = binder_.bind(*select_.having, Type::kInteger).expression;

    unsigned slots = static_cast<unsigned>(scope_.size()) + 1;
    if (grouping != nullptr) last = make_group(arena_, last, *grouping);
    if (having != nullptr) last = make_filter(arena_, last, having);
    if (!keys.empty()) last = make_sort(arena_, last, slots, std::move(keys));
    if (select_.distinct) last = make_distinct(arena_, last, output_expressions());
    if (select_.limit) last = make_limit(arena_, last, *select_.limit);
    return {last, output_expressions(), slots};
  }

 private:
  // Null: the request is not grouped.
  Grouping* start_grouping() {
    bool aggregates =
        std::any_of(select_.outputs.begin(), select_.outputs.end(), [](const OutputSyntax& output) {
          return output.expression && has_aggregate(*output.expression);
        });
    if (!aggregates && select_.groups.empty() && select_.having == nullptr) return nullptr;
    Grouping* grouping = arena_.make<Grouping>(
        Grouping{static_cast<unsigned>(scope_.size()), arena_.list<const Syntax*>(),
                 arena_.list<Bound>(), arena_.list<Aggregate>()});
    for (const Syntax* key : select_.groups) {
      grouping->key_syntax.push_back(key);
      grouping->keys.push_back(binder_.bind(*key));
    }
    binder_.bind_over(*grouping);
    return grouping;
  }

  void bind_outputs() {
    for (const OutputSyntax& output : select_.outputs) {
      if (output.expression != nullptr) {
        outputs_.push_back(binder_.bind(*output.expression));
        continue;
      }
      if (!select_.groups.empty()) refuse(0, "'*' is not the same within a group");
      for (unsigned slot = 0; slot < scope_.size(); slot++)
        for (unsigned column = 0; column < scope_[slot].table->columns().size(); column++)
          outputs_.push_back(binder_.column(slot, column));
    }
  }

  List<SortKey> bind_order() {
    List<SortKey> keys = arena_.list<SortKey>();
    for (const OrderSyntax& order : select_.order) {
      const Expression* output = output_named(*order.expression);
      keys.push_back({output != nullptr ? output : binder_.bind(*order.expression).expression,
                      order.descending});
    }
    return keys;
  }

  // The output whose alias `syntax` is, if there is one.
  const Expression* output_named(const Syntax& syntax) const {
    if (syntax.kind != Syntax::Kind::kColumn || !syntax.table.empty()) return nullptr;
    for (size_t i = 0; i < select_.outputs.size(); i++)
      if (select_.outputs[i].alias == syntax.name) return outputs_[i].expression;
    return nullptr;
  }

  List<const Expression*> output_expressions() {
    List<const Expression*> expressions = arena_.list<const Expression*>();
    for (const Bound& output : outputs_) expressions.push_back(output.expression);
    return expressions;
  }

  const SelectSyntax& select_;
  Arena& arena_;
  Scope& scope_;
  Binder binder_;
  List<Bound> outputs_;
};

}  // namespace

SelectPlan plan_select(const SelectSyntax& select, Catalog& catalog, Arena& arena) {
  return SelectPlanner(select, catalog, arena).plan();
}

Operator* plan_rows(const Scope& scope, const Syntax* where, Arena& arena) {
  Binder binder(scope, arena);
  RowPlanner rows(scope, binder, arena);
  if (where != nullptr) rows.require(*where);
  return rows.plan();
}

}  // namespace queryd
