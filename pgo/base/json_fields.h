// JsonFields: one object of a JSON file that somebody else wrote, read field by field. What it
// should have and has not, or of another type, is noted, and the file is judged once, at the end.
//
//   JsonProblem problem;
//   JsonFields fields(object, "the lock file", problem);
//   entry.digest = fields.text("digest");
//   if (problem.first) return fail(ErrorKind::kInput, name + ": " + *problem.first);
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"

namespace pgo {

// What was wrong first.
struct JsonProblem {
  std::optional<std::string> first = {};

  void note(std::string problem) {
    if (!first) first = std::move(problem);
  }
};

class JsonFields {
 public:
  // `place` is for messages: "layer 2". All three must outlive this.
  JsonFields(const nlohmann::json& object, std::string place, JsonProblem& problem);

  bool has(const char* key) const { return find(key) != nullptr; }
  // Null when there is none.
  const nlohmann::json* find(const char* key) const;

  // These must be there.
  std::string text(const char* key);
  uint64_t number(const char* key, uint64_t min, uint64_t max);

  // These may be missing.
  std::string optional_text(const char* key);
  std::optional<uint64_t> optional_number(const char* key);
  std::optional<double> optional_decimal(const char* key);  // from 0 to 10^15
  std::vector<std::string> optional_texts(const char* key);
  Labels optional_labels(const char* key);  // an object of texts

  void wrong(const char* key, const std::string& wanted);
  const std::string& place() const { return place_; }

 private:
  const nlohmann::json& object_;
  std::string place_;
  JsonProblem& problem_;
};

// The text of this member; empty in what is no object, or has no such text.
std::string text_member(const nlohmann::json& object, const char* key);

// The text as JSON. Error: kInput, "NAME: WHAT: ...", when it has more than `max_bytes`, is no
// JSON, or nested more than 64 deep.
Result<nlohmann::json> parse_json(std::string_view text, size_t max_bytes, const std::string& name,
                                  const std::string& what);

}  // namespace pgo
