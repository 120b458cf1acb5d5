#include "pgo/report/error_json.h"

#include <nlohmann/json.hpp>

namespace pgo {
namespace {

const char* kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage: return "usage";
    case ErrorKind::kInput: return "input";
    case ErrorKind::kUnsupported: return "unsupported";
    case ErrorKind::kMismatch: return "mismatch";
    case ErrorKind::kEmpty: return "empty";
    case ErrorKind::kIo: return "io";
    case ErrorKind::kInternal: return "internal";
  }
  return "internal";
}

}  // namespace

nlohmann::json error_json(const Error& error) {
  return {
      {"error",
       {{"kind", kind_name(error.kind)}, {"message", error.message}, {"advice", error.advice}}}};
}

}  // namespace pgo
