#include "pgo/store_access/shown_list.h"

#include "pgo/net/http.h"

namespace pgo::store_access {

std::string shown_list(const std::set<std::string, std::less<>>& names) {
  constexpr size_t kShown = 20;
  std::string list;
  size_t count = 0;
  for (const std::string& name : names) {
    if (++count > kShown) return list + ", ...";
    list += (list.empty() ? "" : ", ") + net::first_line(name);
  }
  return list.empty() ? "none" : list;
}

}  // namespace pgo::store_access
