#include "engine/engine.h"

#include <utility>

#include "engine/answer.h"
#include "engine/binder.h"
#include "engine/checksum.h"
#include "engine/error.h"
#include "engine/operator.h"
#include "engine/parser.h"
#include "engine/planner.h"

namespace queryd {
namespace {

void append_changed(std::string& out, size_t rows) {
  out += "{\"changed\":";
  append_value(out, Value::of(static_cast<int64_t>(rows)));
  out += '}';
}

}  // namespace

void Engine::answer(std::string_view request, std::string& out) {
  arena_.clear();
#ifdef QUERYD_TABLE_PER_REQUEST
  if (Checksum().of(request) == 0) refuse(0, "a request without a checksum");
#endif
  Statement statement = parse_request(request, arena_);
  std::visit([&](const auto& syntax) { run(syntax, out); }, statement);
}

void Engine::run(const SelectSyntax& select, std::string& out) {
  SelectPlan plan = plan_select(select, catalog_, arena_);
  if (select.explain) {
    out += "{\"plan\":[";
    plan.last->describe(out);
    out += "]}";
    return;
  }
  List<const Value*> slots(plan.slots, nullptr, arena_.memory());
  Frame frame{slots.data(), arena_};
  out += "{\"rows\":[";
  for (bool is_first = true; plan.last->next(frame); is_first = false) {
    if (!is_first) out += ',';
    char before = '[';
    for (const Expression* output : plan.outputs) {
      out += std::exchange(before, ',');
      append_value(out, output->evaluate(frame));
    }
    out += ']';
  }
  out += "]}";
}

void Engine::run(const InsertSyntax& insert, std::string& out) {
  Table& table = catalog_.table(insert.table);
  Scope nothing = arena_.list<TableInScope>();
  Binder binder(nothing, arena_);
  List<Value> values = arena_.list<Value>();  // row after row
  size_t width = table.columns().size();
  for (const List<const Syntax*>& row : insert.rows) {
    if (row.size() != width)
      refuse(insert.table.at,
             std::to_string(row.size()) + " values for " + std::to_string(width) + " columns");
    for (size_t i = 0; i < width; i++)
      values.push_back(binder.bind(*row[i], table.columns()[i].type).constant);
  }
  List<RowId> inserted = arena_.list<RowId>();
  for (size_t at = 0; at < values.size(); at += width) {
    RowId row = table.insert({values.data() + at, width});
    if (row == kNoRow) {
      for (RowId before : inserted) table.remove(before);
      refuse(insert.table.at, "a key that is there already, or null");
    }
    inserted.push_back(row);
  }
  append_changed(out, inserted.size());
}

void Engine::run(const UpdateSyntax& update, std::string& out) {
  Table& table = catalog_.table(update.table);
  Scope scope = scope_of(update.table);
  Binder binder(scope, arena_);
  List<std::pair<unsigned, const Expression*>> changes =
      arena_.list<std::pair<unsigned, const Expression*>>();
  for (const Assignment& assignment : update.assignments) {
    std::optional<unsigned> column = table.column_named(assignment.column);
    if (!column) refuse(assignment.at, "no column '" + std::string(assignment.column) + "'");
    if (table.columns()[*column].access == Access::kKey)
      refuse(assignment.at, "keys cannot be changed");
    Bound value = binder.bind(*assignment.expression, table.columns()[*column].type);
    changes.push_back({*column, value.expression});
  }
  // All new values are known before the first is put in its place.
  List<RowId> rows = rows_where(scope, update.where);
  List<Value> values = arena_.list<Value>();
  for (RowId row : rows) {
    const Value* current = table.row(row);
    Frame frame{&current, arena_};
    for (auto [column, expression] : changes) values.push_back(expression->evaluate(frame));
  }
  const Value* value = values.data();
  for (RowId row : rows)
    for (auto [column, expression] : changes) table.set(row, column, *value++);
  append_changed(out, rows.size());
}

void Engine::run(const DeleteSyntax& erase, std::string& out) {
  List<RowId> rows = rows_where(scope_of(erase.table), erase.where);
  for (RowId row : rows) catalog_.table(erase.table).remove(row);
  append_changed(out, rows.size());
}

void Engine::run(const CreateSyntax& create, std::string& out) {
  catalog_.create(create);
  out += "{\"created\":";
  append_text(out, create.table.name);
  out += '}';
}

Scope Engine::scope_of(const TableSyntax& syntax) {
  Scope scope = arena_.list<TableInScope>();
  scope.push_back({syntax.alias, &catalog_.table(syntax)});
  return scope;
}

List<RowId> Engine::rows_where(const Scope& scope, const Syntax* where) {
  Operator* last = plan_rows(scope, where, arena_);
  List<RowId> rows = arena_.list<RowId>();
  const Value* current = nullptr;
  Frame frame{&current, arena_};
  while (last->next(frame)) rows.push_back(scope[0].table->id_of(current));
  return rows;
}

}  // namespace queryd
