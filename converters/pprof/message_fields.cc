#include "converters/pprof/message_fields.h"

namespace pgo::pprof {

bool MessageFields::failed(const std::string& what) {
  error_ = what;
  return false;
}

bool MessageFields::failed(const Place& place, const std::string& what) {
  return failed(std::string(place.what) + " " + std::to_string(place.position) + ": " + what);
}

bool MessageFields::failed_at(const Place& place, const uint8_t* at, const char* damage) {
  std::string what = damage + std::string(", at byte ") + std::to_string(at - message_.data());
  return place.what == nullptr ? failed(what) : failed(place, what);
}

bool MessageFields::wrong_type(const Place& place, const wire::WireField& field) {
  return failed(place, "field " + std::to_string(field.number) + " has wire type " +
                           std::to_string(field.type));
}

}  // namespace pgo::pprof
