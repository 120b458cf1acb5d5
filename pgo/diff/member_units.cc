#include "pgo/diff/member_units.h"

#include <algorithm>
#include <map>

#include "pgo/base/file_name.h"
#include "pgo/base/number_text.h"
#include "pgo/diff/label_choice.h"

namespace pgo {
namespace {

bool has_samples(const verify::Member& member) { return member.weight > 0; }

bool is_possible(double units) { return units >= 1e-9 && units <= 1e18; }

struct Entry {
  double units = 0;
  std::vector<verify::Member*> members = {};
};
using Entries = std::map<std::string, Entry, std::less<>>;

Result<Entries> entries_of(const std::vector<MemberUnits>& given) {
  Entries entries;
  for (const MemberUnits& one : given) {
    if (!is_possible(one.units))
      return fail(ErrorKind::kUsage,
                  "the units of work of " + one.member + " are not between 1e-9 and 1e18");
    if (!entries.try_emplace(one.member, Entry{one.units}).second)
      return fail(ErrorKind::kUsage, "the units of work name " + one.member + " twice");
  }
  return entries;
}

// The entry of the file, or else that of its host.
Entry* find_entry(Entries& entries, const std::string& name, const std::string& host) {
  for (std::string_view key : {std::string_view(name), file_name(name), std::string_view(host)})
    if (auto found = entries.find(key); !key.empty() && found != entries.end())
      return &found->second;
  return nullptr;
}

}  // namespace

Result<void> assign_units(const std::vector<MemberUnits>& given, double total,
                          const std::vector<std::string>& names, const std::string& side,
                          std::vector<verify::Member>& members, Diagnostics& diagnostics) {
  if (given.empty()) {
    auto active = static_cast<double>(std::count_if(members.begin(), members.end(), has_samples));
    for (verify::Member& member : members)
      if (has_samples(member)) member.units = total / active;
    return ok();
  }
  PGO_TRY(Entries entries, entries_of(given));
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

Result<void> assign_stratum_units(const std::vector<MemberUnits>& given, const std::string& label,
                                  const std::vector<std::string>& strata,
                                  const std::vector<std::string>& names, const std::string& side,
                                  std::vector<verify::Member>& members, Diagnostics& diagnostics) {
  std::map<std::string, std::vector<MemberUnits>> entries;  // by stratum
  for (const MemberUnits& one : given) entries[one.stratum].push_back(one);
  std::map<std::string, std::vector<size_t>> parts;  // members by stratum
  for (size_t m = 0; m < members.size(); m++)
    if (strata[m] != kNoLabel) parts[strata[m]].push_back(m);
  for (const auto& [stratum, its_parts] : parts) {
    auto found = entries.find(stratum);
    if (found == entries.end())
      return fail(ErrorKind::kUsage, "the units of work of the side " + side +
                                         " have no entry for " + label + " " + stratum);
    std::vector<verify::Member> its_members;
    std::vector<std::string> its_names;
    for (size_t m : its_parts) {
      its_members.push_back(members[m]);
      its_names.push_back(names[m]);
    }
    std::vector<MemberUnits>& its_entries = found->second;
    const bool is_total = its_entries.size() == 1 && its_entries[0].member.empty();
    if (is_total && !is_possible(its_entries[0].units))
      return fail(ErrorKind::kUsage, "the units of work of " + label + " " + stratum +
                                         " are not between 1e-9 and 1e18");
    PGO_CHECK(assign_units(is_total ? std::vector<MemberUnits>() : its_entries,
                           its_entries[0].units, its_names, side, its_members, diagnostics));
    for (size_t i = 0; i < its_parts.size(); i++)
      members[its_parts[i]].units = its_members[i].units;
  }
  for (const auto& [stratum, its_entries] : entries)
    if (!parts.contains(stratum))
      diagnostics.warn("units-without-profile", "the units of work of the side " + side + " name " +
                                                    label + " " + stratum +
                                                    ", which no sample has");
  return ok();
}

}  // namespace pgo
