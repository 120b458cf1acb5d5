#include "pgo/base/json_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pgo/base/json_nesting.h"
#include "pgo/base/number_text.h"

namespace pgo {
namespace {

using nlohmann::json;

constexpr size_t kMaxJsonDepth = 64;  // reading and writing recurse
constexpr double kMaxDecimal = 1e15;  // whose whole numbers are exact

// Keeps where a text stops being JSON: a parser that throws would say it otherwise.
struct JsonFaultPosition {
  size_t byte = 0;  // counted from 1

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(json::number_integer_t) { return true; }
  bool number_unsigned(json::number_unsigned_t) { return true; }
  bool number_float(json::number_float_t, const std::string&) { return true; }
  bool string(std::string&) { return true; }
  bool binary(json::binary_t&) { return true; }
  bool start_object(size_t) { return true; }
  bool key(std::string&) { return true; }
  bool end_object() { return true; }
  bool start_array(size_t) { return true; }
  bool end_array() { return true; }
  bool parse_error(size_t position, const std::string&, const json::exception&) {
    byte = position;
    return false;
  }
};

size_t line_of_fault(std::string_view text) {
  JsonFaultPosition fault;
  json::sax_parse(text, &fault);
  const std::string_view before = text.substr(0, std::min(fault.byte, text.size()));
  return 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace

JsonFields::JsonFields(const json& object, std::string place, JsonProblem& problem)
    : object_(object), place_(std::move(place)), problem_(problem) {
  if (!object.is_object()) problem_.note(place_ + " is not an object");
}

const json* JsonFields::find(const char* key) const {
  if (!object_.is_object()) return nullptr;
  auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

void JsonFields::wrong(const char* key, const std::string& wanted) {
  problem_.note("'" + std::string(key) + "' of " + place_ + " is not " + wanted);
}

std::string JsonFields::text(const char* key) {
  if (!has(key)) wrong(key, "a text");
  return optional_text(key);
}

uint64_t JsonFields::number(const char* key, uint64_t min, uint64_t max) {
  const json* value = find(key);
  if (value != nullptr && value->is_number_unsigned()) {
    const auto number = value->get<uint64_t>();
    if (min <= number && number <= max) return number;
  }
  wrong(key, "a whole number from " + std::to_string(min) + " to " + std::to_string(max));
  return min;
}

std::string JsonFields::optional_text(const char* key) {
  const json* value = find(key);
  if (value == nullptr) return "";
  if (value->is_string()) return value->get<std::string>();
  wrong(key, "a text");
  return "";
}

std::optional<uint64_t> JsonFields::optional_number(const char* key) {
  if (!has(key)) return std::nullopt;
  return number(key, 0, ~uint64_t{0});
}

std::optional<double> JsonFields::optional_decimal(const char* key) {
  const json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) {
    const auto number = value->get<double>();
    if (0 <= number && number <= kMaxDecimal) return number;
  }
  wrong(key, "a number of 0 or more");
  return std::nullopt;
}

std::vector<std::string> JsonFields::optional_texts(const char* key) {
  const json* value = find(key);
  std::vector<std::string> result;
  if (value == nullptr) return result;
  bool fits = value->is_array();
  for (size_t i = 0; fits && i < value->size(); i++) {
    fits = (*value)[i].is_string();
    if (fits) result.push_back((*value)[i].get<std::string>());
  }
  if (!fits) wrong(key, "a list of texts");
  return result;
}

Labels JsonFields::optional_labels(const char* key) {
  const json* value = find(key);
  Labels result;
  if (value == nullptr) return result;
  bool fits = value->is_object();
  if (fits)
    for (auto label = value->begin(); fits && label != value->end(); ++label) {
      fits = label->is_string();
      if (fits) result[label.key()] = label->get<std::string>();
    }
  if (!fits) wrong(key, "an object of texts");
  return result;
}

std::string text_member(const json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<json> parse_json(std::string_view text, size_t max_bytes, const std::string& name,
                        const std::string& what) {
  auto wrong = [&](const std::string& problem) {
    return fail(ErrorKind::kInput, name + ": " + what + ": " + problem);
  };
  if (text.size() > max_bytes) return wrong("it is larger than " + format_size(max_bytes));
  if (is_json_nested_deeper(text, kMaxJsonDepth))
    return wrong("it is nested more than " + std::to_string(kMaxJsonDepth) + " levels deep");
  json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded())
    return wrong("line " + std::to_string(line_of_fault(text)) + " is not valid JSON");
  return object;
}

}  // namespace pgo
