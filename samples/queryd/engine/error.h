// RequestError: why a request is not answered. Thrown from wherever that turns out, caught once for
// each request by the service.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace queryd {

class RequestError : public std::runtime_error {
 public:
  RequestError(size_t at, const std::string& message) : std::runtime_error(message), at_(at) {}

  // Where in the request, in bytes from its beginning.
  size_t at() const { return at_; }

 private:
  size_t at_;
};

[[noreturn]] inline void refuse(size_t at, const std::string& message) {
  throw RequestError(at, message);
}

}  // namespace queryd
