// LineParser: a line of text -> Entry.
//
//   13:45:10.250 INFO gateway method=GET path=/cart status=200 latency=1.5ms bytes=3K user=u42
//   13:45:10.251 ERROR db latency=2s message="cannot \"lock\" row"
//
// Time, level and service, then fields in any order; unknown ones are skipped. A malformed line is
// not used; the first few are kept, with the place and what was expected there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entry.h"

namespace logrules {

class LineParser {
 public:
  std::optional<Entry> parse(std::string_view line);

  uint64_t lines() const { return lines_; }
  uint64_t malformed() const { return malformed_; }
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  bool parse_time(Entry& entry);
  bool parse_level(Entry& entry);
  bool parse_field(Entry& entry);
  bool parse_digits(unsigned least, unsigned most, uint64_t& value);
  bool parse_scaled(uint64_t& value, bool is_time);
  bool parse_text(std::string_view& text);
  bool parse_quoted(std::string_view& text);
  bool expect(char c);
  std::string_view take_word();
  bool fail(const std::string& expected);

  char peek() const { return at_ < line_.size() ? line_[at_] : '\0'; }

  std::string_view line_;
  size_t at_ = 0;
  uint64_t lines_ = 0, malformed_ = 0;
  std::vector<std::string> errors_;
};

}  // namespace logrules
