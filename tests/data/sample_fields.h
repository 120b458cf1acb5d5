// The body of a SAMPLE record: which fields it has and in what order its event says.
#pragma once

#include "tests/data/perf_data_builder.h"

namespace pgo::test {

ByteVector sample_body(const Event& event, const Sample& sample, uint64_t id);

}  // namespace pgo::test
