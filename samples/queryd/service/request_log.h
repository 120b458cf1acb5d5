// Where requests come from: a file with one on each line, or a shop that is made up.
//
// The shop begins with its tables and rows as requests; then comes what a host of its kind is
// asked. The same kind, number and seed give the same requests everywhere.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "service/random.h"

namespace queryd {

class RequestLog {
 public:
  virtual ~RequestLog() = default;
  // False at the end.
  virtual bool next(std::string& request) = 0;
};

enum class HostKind : uint8_t {
  kShop,       // what customers look at and order: quick requests, most by key
  kWarehouse,  // stock, shipping, prices: lists, conditions, many updates
  kReports,    // joins and groups over many rows
};

std::optional<HostKind> host_kind_named(std::string_view name);

// Lines that are empty or begin with -- are left out. `file` is not closed; when it cannot be read,
// next() throws std::system_error, which names `path`.
std::unique_ptr<RequestLog> read_requests(std::FILE* file, std::string_view path);
// `count` requests after those that fill the tables.
std::unique_ptr<RequestLog> make_up_requests(HostKind kind, uint64_t count, uint64_t seed);

}  // namespace queryd
