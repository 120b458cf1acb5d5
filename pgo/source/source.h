// Source: where profiles come from: a directory, a bucket, live hosts, a store. It says which
// profiles there are, and fetches those that were chosen.
//
//   PGO_TRY(std::vector<SourceObject> objects, source.list(query, diagnostics));
//   source.fetch(chosen, sink);      sink.begin(i), sink.append(i, bytes) ..., sink.end(i, outcome)
//
// A source starts no thread: sinks are called by the thread that calls fetch().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/base/result.h"

namespace pgo {

// Nanoseconds since 1970, in UTC: from `begin` on, before `end`.
struct TimeWindow {
  int64_t begin = 0, end = 0;

  bool contains(int64_t time) const { return begin <= time && time < end; }
  bool operator==(const TimeWindow&) const = default;
};

// What says when a profile was recorded, from best to worst.
enum class TimeEvidence : uint8_t { kStore, kName, kModified, kNone };

// A profile that a source has.
struct SourceObject {
  // Unique in its source, the same each time, and free of secrets: a path below the directory, a
  // key below the prefix, "host:port".
  std::string name;
  Labels labels;     // that the source knows without fetching it
  int64_t time = 0;  // in nanoseconds since 1970; what it means, `time_evidence` says
  TimeEvidence time_evidence = TimeEvidence::kNone;
  std::optional<uint64_t> size;  // in bytes, as stored
  // Changes when the contents do: an ETag, or size and time of change. Empty: nobody knows, so what
  // was fetched before is not used again.
  std::string version;

  bool operator==(const SourceObject&) const = default;
};

// What is asked for. A store's answer may be wider: the caller leaves out objects whose labels or
// times do not fit.
struct SourceQuery {
  std::optional<TimeWindow> window;  // of the recording, and not of the upload
  Labels labels;                     // "service", and others; equal texts
  std::string sample_type;           // "cpu", "alloc_space"; empty: CPU time
};

// Takes what is fetched. `object` is the index in the span that was given to fetch(). Of several
// objects, the calls interleave.
class ObjectSink {
 public:
  ObjectSink() = default;
  ObjectSink(const ObjectSink&) = delete;
  ObjectSink& operator=(const ObjectSink&) = delete;
  virtual ~ObjectSink() = default;

  // Before the first byte. May be called again, when a transfer starts from the beginning: what
  // came before does not count then.
  virtual Result<void> begin(size_t object) = 0;
  // An error ends the transfer of this object; it comes back in end().
  virtual Result<void> append(size_t object, Bytes bytes) = 0;
  // What is odd about the object, or was lost of it; before its end().
  virtual void warn(size_t, const Diagnostics&) {}
  // Once for each object, at last.
  virtual void end(size_t object, Result<void> outcome) = 0;
};

// What profiles of a store can lack although they were recorded with it.
enum class LostPart : uint8_t { kAddresses, kBuildIds };

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // As given, without secrets: "s3://bucket/prefix".
  virtual const std::string& name() const = 0;
  // Which place that is, however it was given: with the endpoint of the store, with the canonical
  // path. Free of secrets. Two sources with the same one have the same objects.
  virtual const std::string& identity() const = 0;

  // Sorted by name, each name once. Errors: kUsage for a query that this kind of source cannot
  // answer; kIo for a source that cannot be reached, or refuses; kInput for an answer that is not
  // what it should be. No object is no error.
  virtual Result<std::vector<SourceObject>> list(const SourceQuery& query,
                                                 Diagnostics& diagnostics) = 0;

  // Does list() have objects of all times? Otherwise only those of the window.
  virtual bool lists_all_times() const { return true; }

  // Returns when each object has had its end(). Objects come from list(), in any order.
  virtual void fetch(std::span<const SourceObject> objects, ObjectSink& sink) = 0;

  // What users do so that profiles keep this in this kind of store, as half a sentence; empty: the
  // store keeps what it was given.
  virtual std::string how_to_keep(LostPart) const { return {}; }
};

}  // namespace pgo
