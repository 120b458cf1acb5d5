// EnteredFunctions: what compilers' profiles say of each function (counts, and how often it was
// entered), summed up, and as the table of the hottest ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/cli/description.h"
#include "pgo/cli/text_sheet.h"

namespace pgo {

struct EnteredFunction {
  std::string name;
  uint64_t total = 0, head = 0;
  nlohmann::json more = {};  // what else its JSON has
};

class EnteredFunctions {
 public:
  void add(EnteredFunction function);
  size_t count() const { return functions_.size(); }

  // The rows and keys "functions" and "total"; `note` is behind the number of functions.
  void add_sums(Description& description, TextSheet& sheet, const std::string& note = "") const;
  // The table and the key "hottest": the `top` largest; equal ones by name.
  void add_hottest(size_t top, Description& description, TextSheet& sheet);

 private:
  std::vector<EnteredFunction> functions_;
  uint64_t total_ = 0, head_ = 0;
};

}  // namespace pgo
