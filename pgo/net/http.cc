#include "pgo/net/http.h"

namespace pgo::net {

const std::string& HttpResponse::header(std::string_view lower_case_name) const {
  static const std::string kNone;
  auto found = headers.find(lower_case_name);
  return found == headers.end() ? kNone : found->second;
}

}  // namespace pgo::net
