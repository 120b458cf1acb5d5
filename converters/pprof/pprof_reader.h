// Reads pprof profiles: what Go's net/http/pprof, gperftools' successors, eBPF agents and most
// stores of profiles hand out. One protocol buffer message (google/pprof's profile.proto), plain or
// compressed by gzip or zstd:
//
//   Profile    sample_type=1 ValueType…   sample=2 Sample…     mapping=3 Mapping…
//              location=4 Location…       function=5 Function… string_table=6 string…
//              drop_frames=7  keep_frames=8  time_nanos=9  duration_nanos=10  period_type=11
//              ValueType period=12  comment=13 int…  default_sample_type=14  doc_url=15
//   ValueType  type=1  unit=2
//   Sample     location_id=1 uint… (leaf first)   value=2 int… (one for each sample_type)
//              label=3 Label…
//   Label      key=1  str=2  num=3  num_unit=4
//   Mapping    id=1  memory_start=2  memory_limit=3  file_offset=4  filename=5  build_id=6
//              has_functions=7  has_filenames=8  has_line_numbers=9  has_inline_frames=10
//   Location   id=1  mapping_id=2 (0: none)  address=3  line=4 Line… (innermost first)  is_folded=5
//   Line       function_id=1  line=2  column=3
//   Function   id=1  name=2  system_name=3  filename=4  start_line=5
//
// Texts are positions in string_table, whose first is empty. Lists of numbers are packed or not.
// Fields come in any order, and unknown ones are skipped. A label without text, number and unit is
// none, and one with a text is no number.
//
// What google/pprof refuses is refused: numbers of values that are not those of sample types, ids
// of 0 and ids used twice, samples whose locations and lines whose functions are not there,
// positions outside string_table, a second message after the first (the profiles of a gzip file of
// several members, say, which a general parser would mix up). A mapping that is not there is no
// mapping.
#pragma once

#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// Do inflated bytes begin like a pprof message?
bool is_pprof(Bytes message);

// Reads one message, inflated. `name` is for messages. The profile is not normalized: numbers are
// positions in the message. O(bytes); errors (kInput) name the thing by its position.
Result<StackProfile> parse_pprof(Bytes message, const std::string& name, Diagnostics& diagnostics);

}  // namespace pgo
