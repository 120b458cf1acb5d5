// Diagnostics: warnings of what a reader survives, counted per kind. Libraries never print: they
// add here, and the command line shows a few messages of each kind and how many more there were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pgo {

class Diagnostics {
 public:
  static constexpr size_t kShown = 3;

  struct Entry {
    std::vector<std::string> messages;  // of this kind, different ones; kShown at most
    uint64_t count = 0;
    bool operator==(const Entry&) const = default;
  };

  // `kind` is a short stable name ("truncated-record"); it keys the counts and the JSON output.
  void warn(const std::string& kind, const std::string& message, uint64_t count = 1);
  // Adds another reader's warnings. The messages that sort first are kept, so that the order in
  // which readers are added cannot be seen.
  void add(const Diagnostics& other);
  void add(const std::string& kind, const Entry& theirs);
  const std::map<std::string, Entry>& entries() const { return entries_; }
  bool operator==(const Diagnostics&) const = default;

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace pgo
