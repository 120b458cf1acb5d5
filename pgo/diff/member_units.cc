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
      if (has_samples(member)) member.units = total / active * member.scale;
    return ok();
  }
  PGO_TRY(Entries entries, entries_of(given));
  for (size_t m = 0; m < members.size(); m++) {
    if (!has_samples(members[m])) continue;
    Entry* entry = find_entry(entries, names[m], members[m].host);
    if (entry == nullptr)
      return fail(ErrorKind::kUsage,
                  "the units of work of the " + side + " side have no entry for " + names[m] +
                      (members[m].host.empty() ? "" : " (host " + members[m].host + ")"));
    entry->members.push_back(&members[m]);
  }
  for (auto& [name, entry] : entries) {
    for (verify::Member* member : entry.members)
      member->units = entry.units / static_cast<double>(entry.members.size()) * member->scale;
    if (entry.members.empty())
      diagnostics.warn("units-without-profile", "the units of work of the " + side + " side name " +
                                                    name + ", which has no profile with samples");
  }
  return ok();
}

namespace {

// The members of a side that a label divides.
struct Wholes {
  const std::vector<std::string>& names;
  std::vector<std::string> hosts = {};
  std::vector<size_t> first = {};  // a part of each
  // By stratum and whole.
  std::map<std::string, std::map<uint32_t, size_t>, std::less<>> parts = {};
};

Wholes find_wholes(const std::vector<std::string>& names,
                   const std::vector<verify::Member>& members, const SideStrata& strata) {
  Wholes wholes{.names = names};
  wholes.hosts.resize(names.size());
  wholes.first.resize(names.size(), members.size());
  for (size_t m = 0; m < members.size(); m++) {
    const uint32_t whole = strata.wholes[m];
    wholes.hosts[whole] = members[m].host;
    wholes.first[whole] = std::min(wholes.first[whole], m);
    wholes.parts[strata.strata[m]][whole] = m;
  }
  return wholes;
}

// The parts of a side's members with one value of the label, as far as they are known.
class StratumUnits {
 public:
  StratumUnits(std::string stratum, const std::string& label, const std::string& side)
      : stratum_(std::move(stratum)), label_(label), side_(side) {}

  void add(const MemberUnits& given) { given_.push_back(given); }
  Result<void> assign(Wholes& wholes, std::vector<verify::Member>& members, SideStrata& strata,
                      Diagnostics& diagnostics);

 private:
  std::string name() const { return label_ + " " + stratum_; }
  Result<void> read_entries();
  Result<void> name_wholes(const Wholes& wholes, const std::map<uint32_t, size_t>& parts);

  // The wholes that an entry names, and of these, the ones with samples.
  struct Named {
    double units = 0;
    std::vector<uint32_t> wholes = {}, sampled = {};
  };

  const std::string stratum_, &label_, &side_;
  std::vector<MemberUnits> given_;
  std::map<std::string, Named, std::less<>> entries_;  // by member; empty: all
};

Result<void> StratumUnits::read_entries() {
  for (const MemberUnits& one : given_) {
    const std::string what = one.member.empty() ? name() : one.member + " " + name();
    if (!is_possible(one.units))
      return fail(ErrorKind::kUsage,
                  "the units of work of " + what + " are not between 1e-9 and 1e18");
    if (!entries_.try_emplace(one.member, Named{one.units}).second)
      return fail(ErrorKind::kUsage, "the units of work name " + what + " twice");
  }
  if (entries_.size() > 1 && entries_.contains(""))
    return fail(ErrorKind::kUsage, "the units of work name " + name() +
                                       " both for single profiles and for the whole " + side_ +
                                       " side");
  return ok();
}

// The entry of each whole, by path, file name or host.
Result<void> StratumUnits::name_wholes(const Wholes& wholes,
                                       const std::map<uint32_t, size_t>& parts) {
  for (uint32_t whole = 0; whole < wholes.names.size(); whole++) {
    const std::string &path = wholes.names[whole], &host = wholes.hosts[whole];
    const bool is_sampled = parts.contains(whole);
    auto entry = entries_.find("");
    for (std::string_view key : {std::string_view(path), file_name(path), std::string_view(host)})
      if (entry == entries_.end() && !key.empty()) entry = entries_.find(key);
    if (entry != entries_.end()) {
      entry->second.wholes.push_back(whole);
      if (is_sampled) entry->second.sampled.push_back(whole);
    } else if (is_sampled) {
      return fail(ErrorKind::kUsage, "the units of work of the " + side_ +
                                         " side have no entry for " + name() + " of " + path +
                                         (host.empty() ? "" : " (host " + host + ")"));
    }
  }
  return ok();
}

// Units of a member without samples of them cost nothing, but they are work: it gets a part without
// weight.
Result<void> StratumUnits::assign(Wholes& wholes, std::vector<verify::Member>& members,
                                  SideStrata& strata, Diagnostics& diagnostics) {
  if (given_.empty())
    return fail(ErrorKind::kUsage,
                "the units of work of the " + side_ + " side have no entry for " + name());
  std::map<uint32_t, size_t>& parts = wholes.parts[stratum_];
  PGO_CHECK(read_entries());
  PGO_CHECK(name_wholes(wholes, parts));
  for (const auto& [member, entry] : entries_) {
    if (entry.wholes.empty())
      diagnostics.warn(
          "units-without-profile",
          "the units of work of the " + side_ + " side name " + member + ", which has no profile");
    const std::vector<uint32_t>& named = entry.sampled.empty() ? entry.wholes : entry.sampled;
    for (uint32_t whole : named) {
      if (!parts.contains(whole)) {
        const verify::Member& sibling = members[wholes.first[whole]];
        parts[whole] = members.size();
        members.push_back({.host = sibling.host, .hour = sibling.hour, .scale = sibling.scale});
        strata.strata.push_back(stratum_);
        strata.wholes.push_back(whole);
      }
      verify::Member& part = members[parts[whole]];
      part.units = entry.units / static_cast<double>(named.size()) * part.scale;
    }
  }
  return ok();
}

}  // namespace

Result<void> assign_stratum_units(const std::vector<MemberUnits>& given, const std::string& label,
                                  const std::vector<std::string>& names, const std::string& side,
                                  std::vector<verify::Member>& members, SideStrata& strata,
                                  Diagnostics& diagnostics) {
  std::map<std::string, StratumUnits> of_strata;
  auto add = [&](const std::string& stratum) -> StratumUnits& {
    return of_strata.try_emplace(stratum, stratum, label, side).first->second;
  };
  for (const std::string& stratum : strata.strata)
    if (stratum != kNoLabel) add(stratum);
  for (const MemberUnits& one : given) add(one.stratum).add(one);
  Wholes wholes = find_wholes(names, members, strata);
  for (auto& [stratum, units] : of_strata)
    PGO_CHECK(units.assign(wholes, members, strata, diagnostics));
  return ok();
}

}  // namespace pgo
