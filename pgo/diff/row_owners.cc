#include "pgo/diff/row_owners.h"

namespace pgo {

std::vector<std::string> assign_owners(std::span<const DiffRow> rows, const Owners& owners) {
  std::vector<std::string> teams;
  teams.reserve(rows.size());
  for (const DiffRow& row : rows) teams.emplace_back(owners.team_of(row.key.name, row.source));
  return teams;
}

}  // namespace pgo
