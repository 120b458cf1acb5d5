// Downloads what a store merges: one answer for each object, or several for windows that are too
// much for the server, which are halved and merged here.
//
//   class PyroscopeMerges : public MergingStore { ... };
//   download_merged(objects, queries, store, source, client, sink);
//
// What the sink gets is a pprof profile, compressed, whose time and duration are the window's:
// servers put in something else, or nothing. Where the store has counted something and answers
// without samples, the object fails; else a window without samples is a profile without samples.
#pragma once

#include <map>
#include <span>
#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/profile/stack_profile.h"
#include "pgo/source/source.h"
#include "pgo/store_access/store_api.h"

namespace pgo::store_access {

// What the server is to merge.
struct MergedQuery {
  Labels apart;  // empty text: without this label
  TimeWindow window;
  // The sum of what the profiles count, as the store lists them; 0: it does not tell.
  int64_t listed = 0;
  unsigned form = 0;  // of the request, where a store has several
};

struct MergeRequest {
  std::string method, message;
};

class MergingStore {
 public:
  MergingStore() = default;
  MergingStore(const MergingStore&) = delete;
  MergingStore& operator=(const MergingStore&) = delete;
  virtual ~MergingStore() = default;

  virtual const StoreApi& api() const = 0;
  // How many forms a request can have. The next one is tried when the server does not know a
  // method.
  virtual unsigned forms() const { return 1; }
  virtual MergeRequest request(const MergedQuery& query) const = 0;
  // The pprof message in an answer, compressed or not; empty: no samples.
  virtual Result<std::string> pprof_of(const std::string& message,
                                       const MergedQuery& query) const = 0;
  // Puts right what the server has changed. `shown` is the object.
  virtual void repair(StackProfile&, const MergedQuery&, const std::string& /*shown*/,
                      Diagnostics&) const {}
};

// `queries` has one for each object, by name; `source` is for messages.
void download_merged(std::span<const SourceObject> objects,
                     const std::map<std::string, MergedQuery>& queries, const MergingStore& store,
                     const std::string& source, net::HttpClient& client, ObjectSink& sink);

}  // namespace pgo::store_access
