// Parca as a Source.
//
//   PGO_TRY(auto source, open_parca("parca+http://parca:7070", environment, http));
//   parca+http://HOST[:PORT][/PATH][?type=TYPE&selector=MATCHERS&labels=NAME,...&group=NAME,...
//                                    &profiles=single&protocol=grpc]
//
// Parca merges the profiles of a window itself. It is asked for each hour and each set of the
// labels that stay apart (store_access/kept_labels.h). `group` keeps further labels apart within
// such a profile, as labels of samples. With profiles=single each series has an object for each
// second with profiles.
//
// What Parca changes: it gives no period and no usable time, says of all mappings that they have
// functions, and multiplies numbers of samples by their period when it merges (merged_samples.h).
#pragma once

#include <memory>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/source/source.h"
#include "pgo/store_access/store_credentials.h"

namespace pgo::parca {

bool is_parca(std::string_view location);

// Errors: kUsage. Nothing is sent.
Result<std::unique_ptr<Source>> open_parca(std::string_view location,
                                           const store_access::Environment& environment,
                                           const net::HttpOptions& http);

}  // namespace pgo::parca
