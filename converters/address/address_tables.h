// The tables of a binary in an address profile: each is read column by column from where it is in
// the file, so of a table of millions of rows only its bytes and what becomes of it are in memory.
// Errors: kInput for a damaged table, for columns of different lengths, and for what no row can be.
#pragma once

#include <string>
#include <vector>

#include "converters/address/address_fields.h"
#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

struct PcSampleTable {
  std::vector<PcSample> rows;
  bool has_samples = false;  // otherwise the column is missing, and `samples` of each row is 0
};

// Rows in the order of the table, without those that count nothing.
Result<std::vector<Trace>> read_traces(const AddressFields& fields, Bytes table,
                                       const std::string& place);
Result<std::vector<Mispredict>> read_mispredicts(const AddressFields& fields, Bytes table,
                                                 const std::string& place);
Result<PcSampleTable> read_pc_samples(const AddressFields& fields, Bytes table,
                                      const std::string& place);
Result<std::vector<CallEdge>> read_calls(const AddressFields& fields, Bytes table,
                                         const std::string& place);

}  // namespace pgo
