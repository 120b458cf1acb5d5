// Owners: which team a function belongs to, by patterns of function names and of source paths, and
// by GitHub's CODEOWNERS.
//
//   Owners owners;
//   PGO_CHECK(owners.add_function_pattern("leveldb::*", "storage"));
//   PGO_CHECK(owners.add_path_pattern("src/storage/**", "storage"));
//   owners.add_codeowners(text, ".github/CODEOWNERS", diagnostics);
//   owners.team_of("leveldb::DBImpl::Get()", "/build/7/src/db/db_impl.cc")
//
// A pattern of functions wins over one of paths, and both over CODEOWNERS. Within each, the last
// one that matches wins, as in CODEOWNERS.
//
// A pattern of functions (wildcards.h) must match the whole demangled name, or what follows a space
// outside of brackets: templates have their return type in front, "void leveldb::encode<int>(int)".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/config/path_pattern.h"

namespace pgo {

class Owners {
 public:
  // Errors: kInput for what is no pattern; the message says why.
  Result<void> add_function_pattern(std::string_view pattern, std::string_view team);
  Result<void> add_path_pattern(std::string_view pattern, std::string_view team);
  // The owners of a line are one text: "@org/storage @alice". Lines with a pattern that CODEOWNERS
  // does not have are left out with a warning, as GitHub leaves them out. `name` is for messages.
  // O(length).
  void add_codeowners(std::string_view text, const std::string& name, Diagnostics& diagnostics);

  bool empty() const { return functions_.empty() && paths_.empty() && codeowners_.empty(); }
  // Empty: there is no owner. A function without a source path is matched by its name alone.
  // O(patterns * length).
  std::string_view team_of(std::string_view function, std::string_view source_path) const;

 private:
  struct FunctionRule {
    std::string pattern, team;
  };
  struct PathRule {
    PathPattern pattern;
    std::string team;  // of CODEOWNERS, empty where a line resets the owners
  };

  std::vector<FunctionRule> functions_;
  std::vector<PathRule> paths_, codeowners_;
};

}  // namespace pgo
