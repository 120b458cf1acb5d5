#include "pgo/base/line_fields.h"

#include <algorithm>
#include <charconv>

namespace pgo {
namespace {

constexpr size_t kQuoted = 40;  // characters of a field that a message repeats

void skip_spaces(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
}

// Where the field at the start of `line` ends.
size_t field_size(std::string_view line) {
  size_t size = line.find(' ');
  while (size != std::string_view::npos && size > 0 && line[size - 1] == '\\')
    size = line.find(' ', size + 1);
  return std::min(size, line.size());
}

bool parse_whole(std::string_view field, int base, uint64_t& value) {
  auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value, base);
  return error == std::errc{} && end == field.data() + field.size() && !field.empty();
}

}  // namespace

LineFields::LineFields(Bytes bytes, std::string name)
    : text_(as_text(bytes)), name_(std::move(name)) {}

bool LineFields::next_line() {
  if (text_.empty()) return false;
  size_t size = text_.find('\n');
  ended_ = size != std::string_view::npos;
  line_ = text_.substr(0, size);
  text_.remove_prefix(ended_ ? size + 1 : text_.size());
  line_number_++;
  return true;
}

Result<std::string_view> LineFields::text(std::string_view what) {
  skip_spaces(line_);
  if (line_.empty()) return unexpected(what, {});
  size_t size = field_size(line_);
  std::string_view field = line_.substr(0, size);
  line_.remove_prefix(size);
  return field;
}

Result<uint64_t> LineFields::hex(std::string_view what) {
  PGO_TRY(std::string_view field, text(what));
  return to_hex(field, what);
}

Result<uint64_t> LineFields::decimal(std::string_view what) {
  PGO_TRY(std::string_view field, text(what));
  uint64_t value = 0;
  if (!parse_whole(field, 10, value) || value > kLargestBoltCount)
    return unexpected(std::string(what) + " (decimal)", field);
  return value;
}

Result<uint64_t> LineFields::to_hex(std::string_view field, std::string_view what) const {
  uint64_t value = 0;
  if (!parse_whole(field, 16, value))
    return unexpected(std::string(what) + " (hexadecimal, without 0x)", field);
  return value;
}

bool LineFields::has_more() const { return line_.find_first_not_of(' ') != std::string_view::npos; }

Result<void> LineFields::end() const {
  if (!has_more()) return ok();
  std::string_view rest = line_;
  skip_spaces(rest);
  return unexpected("the end of the line", rest.substr(0, field_size(rest)));
}

Result<void> LineFields::whole() const {
  if (ended_) return ok();
  return failure("the last line has no newline: is the file cut short?");
}

Failure LineFields::failure(const std::string& what) const {
  return fail(ErrorKind::kInput, name_ + ": line " + std::to_string(line_number_) + ": " + what);
}

Failure LineFields::unexpected(std::string_view what, std::string_view field) const {
  std::string message = "expected " + std::string(what) + ", found ";
  if (field.empty()) return failure(message + "the end of the line");
  message += '\'';
  for (char c : field.substr(0, kQuoted)) message += c >= ' ' && c <= '~' ? c : '?';
  if (field.size() > kQuoted) message += "...";
  return failure(message + '\'');
}

}  // namespace pgo
