// Engine: a database in memory. Requests go in as text, answers come out as JSON, one line each:
//
//   select   {"rows":[[1,"pen"],[2,null]]}        explain   {"plan":["look up t.id","filter"]}
//   insert, update, delete   {"changed":1}        create table   {"created":"t"}
#pragma once

#include <string>
#include <string_view>

#include "engine/arena.h"
#include "engine/binder.h"
#include "engine/catalog.h"
#include "engine/syntax.h"

namespace queryd {

class Engine {
 public:
  // Appends the answer, without a line break. Throws RequestError for a request that cannot be
  // answered: nothing is changed then, and what was appended is not of use.
  void answer(std::string_view request, std::string& out);

 private:
  void run(const SelectSyntax& select, std::string& out);
  void run(const InsertSyntax& insert, std::string& out);
  void run(const UpdateSyntax& update, std::string& out);
  void run(const DeleteSyntax& erase, std::string& out);
  void run(const CreateSyntax& create, std::string& out);

  Scope scope_of(const TableSyntax& syntax);
  List<RowId> rows_where(const Scope& scope, const Syntax* where);

  Catalog catalog_;
  Arena arena_;  // of the current request
};

}  // namespace queryd
