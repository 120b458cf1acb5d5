#include "pgo/store_access/object_transfer.h"

namespace pgo::store_access {

Result<void> ObjectTransfer::begin(const net::HttpResponse& headers) {
  if (headers.is_html()) return fail(net::page_error(request_.shown));
  is_empty_ = true;
  return sink_.begin(object_);
}

Result<void> ObjectTransfer::append(Bytes body) {
  is_empty_ = false;
  return sink_.append(object_, body);
}

void ObjectTransfer::end(Result<net::HttpResponse> outcome) {
  if (!outcome) return sink_.end(object_, fail(outcome.error()));
  if (!outcome->is_success()) return sink_.end(object_, fail(error_of_(*outcome)));
  if (is_empty_)
    return sink_.end(object_, fail(ErrorKind::kEmpty, request_.shown + ": the profile is empty"));
  sink_.end(object_, ok());
}

}  // namespace pgo::store_access
