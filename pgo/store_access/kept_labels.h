// KeptLabels: which labels of a store's profiles stay apart when the store merges them, and what
// they are called here.
//
// Each store has names of its own for the service and the version. By host, version and zone, `pgo
// fetch` chooses and weights profiles; all other labels are merged, unless the user names them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"

namespace pgo::store_access {

struct KeptLabels {
  // Names in the store; empty: it has no such label.
  std::string service, version;
  std::vector<std::string> names;  // that stay apart, sorted; these two among them

  // What is asked for, by names of the store.
  Labels matchers_of(const Labels& asked) const;
  // Those of `labels` that stay apart, each; empty where there is none: matchers of equal texts.
  Labels apart(const Labels& labels) const;
  // What profiles with these labels are labelled with: what stays apart, and "service" and
  // "version" where the store has other names for them.
  Labels labels_of(const Labels& apart) const;
};

// "a,b" as a set.
std::set<std::string, std::less<>> names_of(const std::string& text);

// Error: kUsage for a name that no profile has. The server would merge as if it were not asked for.
Result<void> check_labels(const std::set<std::string, std::less<>>& in_store,
                          const std::set<std::string, std::less<>>& named,
                          const std::string& parameter, const std::string& shown);

// `in_store`: the names that the store knows. `asked`: labels that profiles must have, such as
// "service". `named`: names to keep apart instead of the usual ones, separated by commas; empty:
// the usual ones. Error: kUsage for a label that the store does not have, asked or named; `shown`
// is the store.
Result<KeptLabels> choose_kept_labels(const std::set<std::string, std::less<>>& in_store,
                                      const Labels& asked, const std::string& named,
                                      const std::string& shown);

}  // namespace pgo::store_access
