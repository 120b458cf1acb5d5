// MessageFields: walks the fields of a pprof message and of the messages in it. Errors name the
// message by its index, and damaged data by its byte offset.
//
//   MessageFields fields(message);
//   uint64_t numbers[5] = {};
//   if (!fields.read_numbers(function, {"function", 12}, numbers)) return fail(fields.error());
//
// The reader (pprof_reader.cc) interprets the fields. Functions return false on an error, which
// error() then describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/wire.h"

namespace pgo::pprof {

// A part of the message, for errors: "sample 12", "location 3: line 0".
struct Place {
  const char* what = nullptr;
  uint64_t position = 0;
};

// The position, number and size of the messages of one field.
struct Extent {
  const uint8_t *begin = nullptr, *end = nullptr;
  uint64_t messages = 0;
  uint64_t bytes = 0;

  void add(const uint8_t* from, const uint8_t* to) {
    if (messages++ == 0) begin = from;
    end = to;
    bytes += static_cast<uint64_t>(to - from);
  }
};

class MessageFields {
 public:
  // `message` is the outermost one, and must outlive this.
  explicit MessageFields(Bytes message) : message_(message) {}

  const std::string& error() const { return error_; }

  // These set the error, and return false.
  [[gnu::cold]] bool failed(const std::string& what);
  [[gnu::cold]] bool failed(const Place& place, const std::string& what);
  [[gnu::cold]] bool failed_at(const Place& place, const uint8_t* at, const char* damage);
  [[gnu::cold]] bool wrong_type(const Place& place, const wire::WireField& field);

  // Calls on_field for each field of a message, until that returns false.
  template <typename OnField>
  bool each_field(Bytes message, const Place& place, const OnField& on_field) {
    const uint8_t* end = message.data() + message.size();
    for (const uint8_t* at = message.data(); at != end;) {
      wire::WireField field;
      const uint8_t* next = wire::read_field(at, end, field);
      if (next == nullptr) return failed_at(place, at, field.damage);
      if (!on_field(field)) return false;
      at = next;
    }
    return true;
  }

  // The same for a message whose fields 1 to `Count` are all numbers.
  template <size_t Count>
  bool read_numbers(Bytes message, const Place& place, uint64_t (&numbers)[Count]) {
    return each_field(message, place, [&](const wire::WireField& field) {
      if (field.number == 0 || field.number > Count) return true;
      if (field.type != wire::kVarint) return wrong_type(place, field);
      numbers[field.number - 1] = field.value;
      return true;
    });
  }

  // Calls on_number for each number of a field, packed or not.
  template <typename OnNumber>
  bool each_number(const wire::WireField& field, const Place& place, const OnNumber& on_number) {
    if (field.type == wire::kVarint) return on_number(field.value);
    if (field.type != wire::kSized) return wrong_type(place, field);
    const uint8_t* end = field.bytes.data() + field.bytes.size();
    for (const uint8_t* at = field.bytes.data(); at != end;) {
      uint64_t value = 0;
      const uint8_t* next = wire::read_varint(at, end, value);
      if (next == nullptr) return failed_at(place, at, "a number is cut short");
      if (!on_number(value)) return false;
      at = next;
    }
    return true;
  }

  // Calls on_message for each message of field `number` in `extent`.
  template <typename OnMessage>
  bool each_message(uint8_t number, const Extent& extent, const OnMessage& on_message) {
    for (const uint8_t* at = extent.begin; at != extent.end;) {
      wire::WireField field;
      const uint8_t* next = wire::read_field(at, extent.end, field);
      if (next == nullptr) return failed_at({}, at, field.damage);
      at = next;
      if (field.number == number && !on_message(field.bytes)) return false;
    }
    return true;
  }

 private:
  Bytes message_;
  std::string error_;
};

}  // namespace pgo::pprof
