#include "pgo/diff/row_owners.h"

namespace pgo {

std::vector<std::string> assign_owners(std::span<const DiffRow> rows, const Owners& owners) {
  std::vector<std::string> teams;
  teams.reserve(rows.size());
  for (const DiffRow& row : rows) teams.emplace_back(owners.team_of(row.key.name, row.source));
  return teams;
}

Result<void> check_owners(RowsBy by, const Owners& owners) {
  if (by != RowsBy::kTeam || !owners.empty()) return ok();
  return fail(ErrorKind::kUsage,
              "\xFF{by} team: no teams are known; add [owners] to pgo.toml "
              "(\xFF{docs/reference/config.md}), or name the file with \xFF{config}");
}

}  // namespace pgo
