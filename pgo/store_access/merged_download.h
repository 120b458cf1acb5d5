// Downloads what a store merges: one answer for each object, or several for windows that the server
// finds too long, which are halved and merged here.
//
//   class Pyroscope : public MergingStore { ... };
//   download_merged(objects, queries, store, client, sink);
//
// What the sink gets is a pprof profile, compressed, whose time and duration are the window's:
// servers put in something else, or nothing. A window without samples is a profile without samples.
#pragma once

#include <map>
#include <span>
#include <string>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/profile/stack_profile.h"
#include "pgo/source/source.h"

namespace pgo::store_access {

// What the server is to merge.
struct MergedQuery {
  Labels apart;  // empty text: without this label
  TimeWindow window;
  unsigned form = 0;  // of the request: a store may have several; it counts them itself
};

struct MergeAnswer {
  enum class Kind : uint8_t {
    kProfile,
    kTooLong,   // the window is too long for the server
    kAskAgain,  // in another form, which the query now has
  };
  Kind kind = Kind::kProfile;
  std::string pprof = {};  // the message, as it was sent: compressed or not; empty: no samples
};

class MergingStore {
 public:
  MergingStore() = default;
  MergingStore(const MergingStore&) = delete;
  MergingStore& operator=(const MergingStore&) = delete;
  virtual ~MergingStore() = default;

  virtual net::HttpRequest request(const MergedQuery& query) const = 0;
  // Of any status of HTTP. Errors: what the server refuses.
  virtual Result<MergeAnswer> read(const net::HttpResponse& response, MergedQuery& query) const = 0;
  // What else is to be put right in a profile of the server.
  virtual void repair(StackProfile& profile) const = 0;
};

// `queries` has one for each object, by name; `source` is for messages.
void download_merged(std::span<const SourceObject> objects,
                     const std::map<std::string, MergedQuery>& queries, const MergingStore& store,
                     const std::string& source, net::HttpClient& client, ObjectSink& sink);

}  // namespace pgo::store_access
