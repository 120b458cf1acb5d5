#include "pgo/diff/member_units.h"

#include <algorithm>
#include <map>

#include "pgo/base/file_name.h"
#include "pgo/base/number_text.h"

namespace pgo {
namespace {

bool has_samples(const verify::Member& member) { return member.weight > 0; }

struct Entry {
  double units = 0;
  std::vector<verify::Member*> members = {};
};
using Entries = std::map<std::string, Entry, std::less<>>;

// The entry of the file, or else that of its host.
Entry* find_entry(Entries& entries, const std::string& name, const std::string& host) {
  for (std::string_view key : {std::string_view(name), file_name(name), std::string_view(host)})
    if (auto found = entries.find(key); !key.empty() && found != entries.end())
      return &found->second;
  return nullptr;
}

}  // namespace

Result<std::map<std::string, double, std::less<>>> units_by_name(
    const std::vector<MemberUnits>& given) {
  std::map<std::string, double, std::less<>> units;
  for (const MemberUnits& one : given) {
    if (!(one.units >= 1e-9 && one.units <= 1e18))
      return fail(ErrorKind::kUsage,
                  "the units of work of " + one.member + " are not between 1e-9 and 1e18");
    if (!units.try_emplace(one.member, one.units).second)
      return fail(ErrorKind::kUsage, "the units of work name " + one.member + " twice");
  }
  return units;
}

Result<void> assign_units(const std::vector<MemberUnits>& given, double total,
                          const std::vector<std::string>& names, const std::string& side,
                          std::vector<verify::Member>& members, Diagnostics& diagnostics) {
  if (given.empty()) {
    auto active = static_cast<double>(std::count_if(members.begin(), members.end(), has_samples));
    for (verify::Member& member : members)
      if (has_samples(member)) member.units = total / active;
    return ok();
  }
  PGO_TRY(const auto units, units_by_name(given));
  Entries entries;
  for (const auto& [name, its_units] : units) entries[name].units = its_units;
  for (size_t m = 0; m < members.size(); m++) {
    if (!has_samples(members[m])) continue;
    Entry* entry = find_entry(entries, names[m], members[m].host);
    if (entry == nullptr)
      return fail(ErrorKind::kUsage,
                  "the units of work of the side " + side + " have no entry for " + names[m] +
                      (members[m].host.empty() ? "" : " (host " + members[m].host + ")"));
    entry->members.push_back(&members[m]);
  }
  for (auto& [name, entry] : entries) {
    for (verify::Member* member : entry.members)
      member->units = entry.units / static_cast<double>(entry.members.size());
    if (entry.members.empty())
      diagnostics.warn("units-without-profile", "the units of work of the side " + side + " name " +
                                                    name + ", which has no profile with samples");
  }
  return ok();
}

}  // namespace pgo
