#include "pgo/store_access/kept_labels.h"

#include <algorithm>
#include <initializer_list>

#include "pgo/store_access/shown_list.h"

namespace pgo::store_access {
namespace {

using Names = std::set<std::string, std::less<>>;

// The first that the store has; empty: none.
std::string first_of(const Names& in_store, std::initializer_list<const char*> wanted) {
  for (const char* name : wanted)
    if (in_store.contains(name)) return name;
  return "";
}

// Without those that servers add for themselves.
std::string shown_labels(const Names& in_store) {
  Names own;
  for (const std::string& name : in_store)
    if (!name.starts_with("__")) own.insert(name);
  return shown_list(own);
}

}  // namespace

Names names_of(const std::string& text) {
  Names names;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) names.insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

Labels KeptLabels::matchers_of(const Labels& asked) const {
  Labels matchers;
  for (const auto& [name, text] : asked) {
    if (name == "service")
      matchers.emplace(service, text);
    else if (name == "version")
      matchers.emplace(version, text);
    else
      matchers.emplace(name, text);
  }
  return matchers;
}

Labels KeptLabels::apart(const Labels& labels) const {
  Labels kept;
  for (const std::string& name : names) {
    const auto found = labels.find(name);
    kept.emplace(name, found == labels.end() ? "" : found->second);
  }
  return kept;
}

Labels KeptLabels::labels_of(const Labels& apart) const {
  Labels labels;
  for (const auto& [name, text] : apart)
    if (!text.empty()) labels.emplace(name, text);
  const auto add = [&](const char* key, const std::string& name) {
    const auto found = apart.find(name);
    if (found != apart.end() && !found->second.empty()) labels.emplace(key, found->second);
  };
  add("service", service);
  add("version", version);
  return labels;
}

Result<void> check_labels(const Names& in_store, const Names& named, const std::string& parameter,
                          const std::string& shown) {
  for (const std::string& name : named)
    if (!in_store.contains(name))
      return fail(ErrorKind::kUsage,
                  shown + ": the parameter '" + parameter + "' names the label '" + name +
                      "', which no profile of the window has; labels: " + shown_labels(in_store),
                  "check the spelling and the window");
  return ok();
}

Result<KeptLabels> choose_kept_labels(const Names& in_store, const Labels& asked,
                                      const std::string& named, const std::string& shown) {
  KeptLabels kept;
  kept.service = first_of(in_store, {"service", "service_name", "service.name", "app", "job"});
  kept.version = first_of(in_store, {"version", "service_version", "service.version"});
  Names names = names_of(named);
  PGO_CHECK(check_labels(in_store, names, "labels", shown));
  if (named.empty())
    names = {first_of(in_store, {"host", "hostname", "instance", "pod", "node"}), kept.version,
             first_of(in_store, {"zone"})};
  names.insert(kept.service);
  for (const auto& [key, text] : asked) {
    const std::string name = key == "service"   ? kept.service
                             : key == "version" ? kept.version
                                                : key;
    if (name.empty() || !in_store.contains(name))
      return fail(ErrorKind::kUsage,
                  shown + ": no profile of the window has a label '" + key +
                      "'; labels: " + shown_labels(in_store),
                  "check the spelling and the window; the parameter 'selector' takes matchers of "
                  "any label");
    names.insert(name);
  }
  names.erase("");
  for (const std::string& name : names)
    if (in_store.contains(name)) kept.names.push_back(name);
  return kept;
}

}  // namespace pgo::store_access
