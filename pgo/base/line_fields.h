// LineFields: a text of lines and fields, as BOLT's profiles are: fields separated by single or
// repeated spaces, lines ended by "\n". A backslash before a space makes it part of its field.
//
//   LineFields fields(bytes, "app.fdata");
//   while (fields.next_line()) {
//     PGO_TRY(uint64_t offset, fields.hex("an offset"));
//     PGO_CHECK(fields.end());
//   }
//   PGO_CHECK(fields.whole());
//
// Errors name the file, the line, what was wanted and what stood there instead. Nothing is copied;
// the bytes must outlive what is read.
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo {

// BOLT reads counts as signed numbers.
inline constexpr uint64_t kLargestBoltCount = ~uint64_t{0} >> 1;

class LineFields {
 public:
  // `name` is for messages.
  LineFields(Bytes bytes, std::string name);

  // Moves on to the next line, whatever is left of this one. False at the end of the text.
  bool next_line();
  // The number of this line, from 1.
  uint64_t line_number() const { return line_number_; }

  // The next field of this line. `what` names it in the error ("a count").
  Result<std::string_view> text(std::string_view what);
  // A hexadecimal number without 0x, of up to 64 bits.
  Result<uint64_t> hex(std::string_view what);
  // A decimal number, kLargestBoltCount at most.
  Result<uint64_t> decimal(std::string_view what);
  // The same for a field that was already taken.
  Result<uint64_t> to_hex(std::string_view field, std::string_view what) const;
  bool has_more() const;
  // Fails when the line has another field.
  Result<void> end() const;

  // Fails when the text does not end with a newline: then its last line may be cut short.
  Result<void> whole() const;
  // "<name>: line <n>: <what>"
  Failure failure(const std::string& what) const;
  // "expected <what>, found '<field>'" at this line; an empty field is the end of the line.
  Failure unexpected(std::string_view what, std::string_view field) const;

 private:
  std::string_view text_;  // what follows this line
  std::string_view line_;  // what follows the fields taken
  std::string name_;
  uint64_t line_number_ = 0;
  bool ended_ = true;  // the latest line had its newline
};

}  // namespace pgo
