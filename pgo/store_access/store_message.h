// Messages of stores, as libprotobuf reads them, but only after their repeated fields were counted:
// it makes an object of each, which takes up to 60 times the bytes of the message.
//
//   const RepeatedField kNames[] = {{{1}, 100'000, "names of labels"}};
//   messages::LabelsResponse response;
//   PGO_CHECK(parse_store_message(answer, kNames, kParca, shown, response));
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"

namespace google::protobuf {
class MessageLite;
}

namespace pgo::store_access {

struct RepeatedField {
  std::vector<uint32_t> path;  // numbers of fields, from the outermost message on
  size_t most = 0;             // in all messages together
  const char* what = "";       // "names of labels", for messages
};

struct StoreName {
  const char* name;      // "Parca"
  const char* expected;  // "Parca 0.20 or later"
};

// The first of `fields` that the message has too often. Nothing, too, for what is damaged: that is
// its reader's matter. O(size).
const RepeatedField* find_exceeded(std::string_view message, std::span<const RepeatedField> fields);

// Errors: kInput for what is no such message, and for one with too many of a field; `shown` is the
// server.
Result<void> parse_store_message(std::string_view message, std::span<const RepeatedField> fields,
                                 const StoreName& store, const std::string& shown,
                                 google::protobuf::MessageLite& into);

// "the server did not answer as Parca does".
Failure no_store_message(const StoreName& store, const std::string& shown);

}  // namespace pgo::store_access
