// ObjectTransfer: one object of a source, whose body goes to the sink as it arrives. Nothing of it
// is kept in memory, and the sink says when it is too large.
#pragma once

#include <functional>
#include <utility>

#include "pgo/net/http.h"
#include "pgo/source/source.h"

namespace pgo::store_access {

class ObjectTransfer final : public net::HttpTransfer {
 public:
  // The error of an answer that is no success.
  using ErrorOf = std::function<Error(const net::HttpResponse&)>;

  // `request` has `shown`. `sink` must outlive this.
  ObjectTransfer(net::HttpRequest request, size_t object, ObjectSink& sink, ErrorOf error_of)
      : request_(std::move(request)),
        object_(object),
        sink_(sink),
        error_of_(std::move(error_of)) {}

  Result<net::HttpRequest> request() override { return request_; }
  Result<void> begin(const net::HttpResponse& headers) override;
  Result<void> append(Bytes body) override;
  // An empty body is an error of kind kEmpty.
  void end(Result<net::HttpResponse> outcome) override;

 private:
  net::HttpRequest request_;
  size_t object_;
  ObjectSink& sink_;
  ErrorOf error_of_;
  bool is_empty_ = true;
};

}  // namespace pgo::store_access
