#include "pgo/store_access/store_message.h"

#include <google/protobuf/message_lite.h>

#include "pgo/base/text_bytes.h"
#include "pgo/base/wire.h"

namespace pgo::store_access {
namespace {

class FieldCounter {
 public:
  explicit FieldCounter(std::span<const RepeatedField> fields)
      : fields_(fields), counts_(fields.size()) {}

  // `inside`: the indices of the fields whose paths lead to this message. False: one is exceeded.
  bool count(Bytes message, const std::vector<size_t>& inside, size_t depth) {
    const uint8_t* end = message.data() + message.size();
    std::vector<size_t> deeper;
    for (const uint8_t* at = message.data(); at != end;) {
      wire::WireField field = {};
      at = wire::read_field(at, end, field);
      if (at == nullptr) return true;
      if (field.type != wire::kSized) continue;
      deeper.clear();
      for (const size_t i : inside) {
        if (fields_[i].path[depth] != field.number) continue;
        if (fields_[i].path.size() > depth + 1)
          deeper.push_back(i);
        else if (++counts_[i] > fields_[i].most)
          return exceed(i);
      }
      if (!deeper.empty() && !count(field.bytes, deeper, depth + 1)) return false;
    }
    return true;
  }

  const RepeatedField* exceeded() const { return exceeded_; }

 private:
  bool exceed(size_t field) {
    exceeded_ = &fields_[field];
    return false;
  }

  std::span<const RepeatedField> fields_;
  std::vector<size_t> counts_;
  const RepeatedField* exceeded_ = nullptr;
};

}  // namespace

const RepeatedField* find_exceeded(std::string_view message,
                                   std::span<const RepeatedField> fields) {
  std::vector<size_t> all;
  for (size_t i = 0; i < fields.size(); i++) all.push_back(i);
  FieldCounter counter(fields);
  counter.count(as_bytes(message), all, 0);
  return counter.exceeded();
}

Result<void> parse_store_message(std::string_view message, std::span<const RepeatedField> fields,
                                 const StoreName& store, const std::string& shown,
                                 google::protobuf::MessageLite& into) {
  if (const RepeatedField* exceeded = find_exceeded(message, fields))
    return fail(ErrorKind::kInput,
                shown + ": the server has more than " + std::to_string(exceeded->most) + " " +
                    exceeded->what,
                "choose less with the parameter 'selector', or a shorter window");
  if (message.size() <= INT32_MAX &&
      into.ParseFromArray(message.data(), static_cast<int>(message.size())))
    return ok();
  return no_store_message(store, shown);
}

Failure no_store_message(const StoreName& store, const std::string& shown) {
  return fail(ErrorKind::kInput, shown + ": the server did not answer as " + store.name + " does",
              std::string("check the URL: ") + store.expected + " is expected there");
}

}  // namespace pgo::store_access
