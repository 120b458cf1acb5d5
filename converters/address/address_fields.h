// The fields of the messages that an address profile consists of, with errors that say where one is
// damaged. What a field means is its reader's matter.
//
//   AddressFields fields(outermost, "fleet.addr");
//   fields.each(message, "event 2: ", [&](const wire::WireField& field) -> Result<void> {
//     return field.number == 1 ? fields.take(field, "event 2: ", samples) : ok();
//   });
#pragma once

#include <cstdint>
#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/base/wire.h"

namespace pgo {

// `place`, "binary 2: ", says in errors which message it is.
class AddressFields {
 public:
  // `outermost` has all the messages; `name` is for errors. Both are kept by reference.
  AddressFields(Bytes outermost, const std::string& name) : outermost_(outermost), name_(name) {}

  const std::string& name() const { return name_; }

  Failure failed(const std::string& what) const {
    return fail(ErrorKind::kInput, name_ + ": address profile: " + what);
  }
  Failure wrong_type(const wire::WireField& field, const std::string& place) const {
    return failed(place + "field " + std::to_string(field.number) + " has wire type " +
                  std::to_string(field.type));
  }

  // From the first byte of the outermost message; `at` is in it.
  size_t offset_of(const uint8_t* at) const { return static_cast<size_t>(at - outermost_.data()); }

  // Calls on_field for each field of a message, until one fails.
  template <typename OnField>
  Result<void> each(Bytes message, const std::string& place, const OnField& on_field) const {
    const uint8_t* end = message.data() + message.size();
    for (const uint8_t* at = message.data(); at != end;) {
      wire::WireField field;
      const uint8_t* next = wire::read_field(at, end, field);
      if (next == nullptr)
        return failed(place + field.damage + ", at byte " + std::to_string(offset_of(at)));
      PGO_CHECK(on_field(field));
      at = next;
    }
    return ok();
  }

  Result<void> take(const wire::WireField& field, const std::string& place,
                    uint64_t& number) const {
    if (field.type != wire::kVarint) return wrong_type(field, place);
    number = field.value;
    return ok();
  }
  Result<void> take(const wire::WireField& field, const std::string& place, Bytes& bytes) const {
    if (field.type != wire::kSized) return wrong_type(field, place);
    bytes = field.bytes;
    return ok();
  }

 private:
  Bytes outermost_;
  const std::string& name_;
};

}  // namespace pgo
