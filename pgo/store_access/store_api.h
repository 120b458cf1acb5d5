// StoreApi: how requests to a store look, and what its answers say, whatever protocol it speaks.
//
//   class ParcaApi : public StoreApi { ... };
//   PGO_CHECK(ask_windows(api, client, "Labels", windows, message_of, take));
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/source/source.h"

namespace pgo::store_access {

struct ApiAnswer {
  enum class Kind : uint8_t {
    kMessage,
    kNothing,        // there is none of what was asked for
    kTooMuch,        // for one request: a shorter window may do
    kUnknownMethod,  // servers of other versions have another one
    kError,
  };
  Kind kind = Kind::kMessage;
  std::string message = {};  // of kMessage
  Error error = {};          // of the last three: what the server says

  static ApiAnswer failed(Error what) { return {Kind::kError, {}, std::move(what)}; }
};

class StoreApi {
 public:
  StoreApi() = default;
  StoreApi(const StoreApi&) = delete;
  StoreApi& operator=(const StoreApi&) = delete;
  virtual ~StoreApi() = default;

  // As messages name the server.
  virtual const std::string& name() const = 0;
  virtual net::HttpRequest request(const std::string& method, const std::string& message) const = 0;
  // Of any status of HTTP. `shown` is what was asked for.
  virtual ApiAnswer read(const net::HttpResponse& response, const std::string& shown) const = 0;
};

// Both halves of a window that one request cannot answer. Nothing: it is shorter than two minutes.
std::optional<std::pair<TimeWindow, TimeWindow>> halves_of(const TimeWindow& window);

using MessageOf = std::function<std::string(const TimeWindow&)>;
using TakeMessage = std::function<Result<void>(const std::string& message, const TimeWindow&)>;

// Asks `method` about each window. Those that are too much for the server are asked for in halves,
// so `take` may get parts of them, in any order. Errors: the first of the server's or of `take`.
Result<void> ask_windows(const StoreApi& api, net::HttpClient& client, const std::string& method,
                         const std::vector<TimeWindow>& windows, const MessageOf& message_of,
                         const TakeMessage& take);

// Sends one message; its answer says nothing but that it was taken. Errors: the server's; `shown`
// is what was sent.
Result<void> send_message(const StoreApi& api, net::HttpClient& client, const std::string& method,
                          const std::string& message, const std::string& shown);

}  // namespace pgo::store_access
