// Catalog: the tables of a database by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/error.h"
#include "engine/hash.h"
#include "engine/table.h"

namespace queryd {

class Catalog {
 public:
  // Throws RequestError when there is none.
  Table& table(const TableSyntax& syntax) {
    auto found = tables_.find(syntax.name);
    if (found == tables_.end()) refuse(syntax.at, "no table '" + std::string(syntax.name) + "'");
    return *found->second;
  }

  // Throws RequestError when there is one of that name.
  void create(const CreateSyntax& syntax) {
    if (tables_.contains(syntax.table.name))
      refuse(syntax.table.at, "a second table '" + std::string(syntax.table.name) + "'");
    tables_.emplace(syntax.table.name, std::make_unique<Table>(syntax, texts_));
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return hash_of(name); }
  };

  TextPool texts_;
  std::unordered_map<std::string, std::unique_ptr<Table>, Hash, std::equal_to<>> tables_;
};

}  // namespace queryd
