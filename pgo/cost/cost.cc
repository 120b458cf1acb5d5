#include "pgo/cost/cost.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "pgo/diff/row_owners.h"
#include "pgo/diff/side_rows.h"

namespace pgo {
namespace {

constexpr size_t kSide = 0;  // of the table: there is no other
constexpr double kMostTraffic = 1e6;

bool is_in_range(const std::optional<double>& value, double least, double most) {
  return !value || (std::isfinite(*value) && *value >= least && *value <= most);
}

Result<void> check(const CostRequest& request) {
  if (request.inputs.empty()) return fail(ErrorKind::kUsage, "name one or more profiles");
  if (request.by == RowsBy::kLine)
    return fail(ErrorKind::kUsage, "\xFF{by} line: costs of lines are not listed");
  if (request.by == RowsBy::kLabel && request.label.empty())
    return fail(ErrorKind::kUsage, "\xFF{by} label: the key of the label is missing");
  PGO_CHECK(check_owners(request.by, request.owners));
  if (!is_in_range(request.price.cores, 1e-6, kMostCores))
    return fail(ErrorKind::kUsage, "\xFF{cores}: a number above 0 is expected, 1e9 at most");
  if (!is_in_range(request.price.core_hour, 0, kHighestPrice))
    return fail(ErrorKind::kUsage, "\xFF{core-hour}: a price from 0 to 1e9 is expected");
  if (!is_in_range(request.traffic, 1e-6, kMostTraffic))
    return fail(ErrorKind::kUsage, "\xFF{traffic}: a number above 0 is expected, 1e6 at most");
  if (request.traffic && !request.price.cores)
    return fail(ErrorKind::kUsage,
                "\xFF{traffic} needs the number of cores that are busy today (\xFF{cores})");
  return ok();
}

class Costing {
 public:
  explicit Costing(const CostRequest& request) : request_(request) {}

  Result<CostResult> run() &&;

 private:
  Result<SideRows> read();
  Result<void> add_rows(Rows rows);
  void describe_profiles(const std::vector<verify::Member>& members);

  const CostRequest& request_;
  CostResult result_;
};

// Shares of memory, of waiting or of cache misses are no shares of cores.
Result<void> check_type(const ComparedType& type) {
  if (type.counts_cpu_time()) return ok();
  return fail(ErrorKind::kUnsupported,
              "the profiles count " + type.name() +
                  ", which is not CPU time, so its shares are not shares of cores; name CPU "
                  "profiles (of cpu, cycles or the clock), or choose another type of these "
                  "profiles with \xFF{sample-type}");
}

Result<SideRows> Costing::read() {
  return read_side_rows({.inputs = request_.inputs,
                         .rows = {.by = request_.by,
                                  .label = request_.label,
                                  .owners = &request_.owners,
                                  .physical = request_.physical},
                         .reader = {.path_template = request_.path_template,
                                    .sample_type = request_.sample_type,
                                    .binaries = request_.binaries,
                                    .debug = request_.debug,
                                    .jobs = request_.jobs,
                                    .progress = request_.progress},
                         .outputs = request_.outputs},
                        result_.diagnostics);
}

void Costing::describe_profiles(const std::vector<verify::Member>& members) {
  std::set<std::string> hosts;
  for (const verify::Member& member : members) {
    result_.samples += member.samples;
    if (!member.host.empty()) hosts.insert(member.host);
  }
  result_.profiles = members.size();
  result_.hosts = hosts.size();
}

Result<void> Costing::add_rows(Rows rows) {
  if (rows.keys.empty())
    return fail(ErrorKind::kEmpty, "the samples have no frames, so there is nothing to list");
  if (request_.by == RowsBy::kLabel) PGO_CHECK(check_label(rows, request_.label));
  double all = 0;
  for (const verify::Member& member : rows.flat[kSide].members) all += member.weight;
  auto share_of = [&](const verify::Side& side, size_t row) {
    double value = 0;
    for (const verify::Cell& cell : side.rows[row]) value += cell.value;
    return value / all;
  };
  result_.has_teams = request_.by == RowsBy::kFunction && !request_.owners.empty();
  for (size_t row = 0; row < rows.keys.size(); row++) {
    CostRow one{.key = std::move(rows.keys[row]),
                .share = share_of(rows.flat[kSide], row),
                .cumulative = share_of(rows.cumulative[kSide], row)};
    if (result_.has_teams) one.team = request_.owners.team_of(one.key.name, rows.sources[row]);
    result_.rows.push_back(std::move(one));
  }
  auto order = [this](const CostRow& row) {
    return request_.cumulative ? std::pair(row.cumulative, row.share)
                               : std::pair(row.share, row.cumulative);
  };
  // The rows of the table are sorted by key.
  std::stable_sort(result_.rows.begin(), result_.rows.end(),
                   [&](const CostRow& a, const CostRow& b) { return order(a) > order(b); });
  return ok();
}

Result<CostResult> Costing::run() && {
  PGO_TRY(SideRows side, read());
  PGO_CHECK(check_type(side.type));
  if (!side.type.counts_kernel() && !side.type.type().empty())
    result_.diagnostics.warn("user-code-only",
                             "the profiles count user code only (" + side.type.type() +
                                 "): shares are of that, and leave out the time in the kernel");
  result_.type = side.type.type();
  result_.unit = side.type.unit();
  result_.by = request_.by;
  result_.label = request_.label;
  result_.by_cumulative = request_.cumulative;
  result_.physical = request_.physical;
  result_.has_inlined_frames = side.inlined > 0;
  result_.inputs = request_.inputs;
  result_.price = request_.price;
  result_.traffic = request_.traffic;
  describe_profiles(side.rows.flat[kSide].members);
  PGO_CHECK(add_rows(std::move(side.rows)));
  return std::move(result_);
}

}  // namespace

Result<CostResult> cost(const CostRequest& request) {
  PGO_CHECK(check(request));
  return Costing(request).run();
}

}  // namespace pgo
