// Price: what a share of a service's CPU time is, in cores and in money.
#pragma once

#include <optional>
#include <string>

namespace pgo {

inline constexpr double kHoursPerYear = 8766;  // 365.25 days
inline constexpr double kMostCores = 1e9;
inline constexpr double kHighestPrice = 1e9;  // of a core for an hour

struct Price {
  std::optional<double> cores = {};      // that the service keeps busy on average
  std::optional<double> core_hour = {};  // of a core for an hour
  std::string currency = {};             // "USD"; empty: not given

  // Of a share of the service, 0 to 1, or of several times of it.
  std::optional<double> cores_of(double share) const {
    return cores ? std::optional(share * *cores) : std::nullopt;
  }
  // For a year; nothing without cores or their price.
  std::optional<double> money_of(double share) const {
    return cores && core_hour ? std::optional(share * *cores * *core_hour * kHoursPerYear)
                              : std::nullopt;
  }

  bool operator==(const Price&) const = default;
};

}  // namespace pgo
