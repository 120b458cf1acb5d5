#include "pgo/store_access/store_credentials.h"

#include <cstdlib>

#include "pgo/base/base64.h"

namespace pgo::store_access {

std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

Result<std::string> authorization_of(const std::string& prefix, const Environment& environment) {
  const std::string token = environment(prefix + "_TOKEN");
  const std::string user = environment(prefix + "_USER");
  const std::string password = environment(prefix + "_PASSWORD");
  if (user.empty() != password.empty() || (!token.empty() && !user.empty()))
    return fail(ErrorKind::kUsage, "set " + prefix + "_TOKEN, or both " + prefix + "_USER and " +
                                       prefix + "_PASSWORD, or none of them");
  if (!token.empty()) return "Bearer " + token;
  if (!user.empty()) return "Basic " + to_base64(user + ":" + password);
  return std::string();
}

Result<void> check_may_authorize(const std::string& prefix, const net::HttpUrl& url) {
  if (url.scheme == "https" || url.is_loopback()) return ok();
  return fail(ErrorKind::kUsage,
              "the credentials of " + prefix + "_* are not sent to " + url.origin() +
                  ", because others could read them on the way",
              "use https:, or a tunnel to this machine");
}

}  // namespace pgo::store_access
