// MemorySource: a source whose objects are in memory, in any order, with faults.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pgo/source/source.h"

namespace pgo::test {

class MemorySource : public Source {
 public:
  explicit MemorySource(std::string name) : name_(std::move(name)), identity_(name_) {}
  MemorySource(std::string name, std::string identity)
      : name_(std::move(name)), identity_(std::move(identity)) {}

  void add(SourceObject object, std::string contents) {
    object.size = contents.size();
    if (object.version.empty()) object.version = "1";
    contents_[object.name] = std::move(contents);
    objects_.push_back(std::move(object));
  }
  void add(const std::string& name, const Labels& labels, std::string contents) {
    SourceObject object;
    object.name = name;
    object.labels = labels;
    add(std::move(object), std::move(contents));
  }
  void fail_listing(Error error) { listing_error_ = std::move(error); }
  void fail_object(const std::string& name, Error error) { errors_[name] = std::move(error); }
  // What fetch() was asked for, in all.
  const std::vector<std::string>& fetched() const { return fetched_; }
  const SourceQuery& query() const { return query_; }
  std::vector<SourceObject>& objects() { return objects_; }

  const std::string& name() const override { return name_; }
  const std::string& identity() const override { return identity_; }
  Result<std::vector<SourceObject>> list(const SourceQuery& query, Diagnostics&) override {
    query_ = query;
    if (!listing_error_.message.empty()) return fail(listing_error_);
    return objects_;
  }
  void fetch(std::span<const SourceObject> objects, ObjectSink& sink) override {
    for (size_t i = 0; i < objects.size(); i++) {
      fetched_.push_back(objects[i].name);
      sink.end(i, send(objects[i].name, i, sink));
    }
  }

 private:
  Result<void> send(const std::string& name, size_t object, ObjectSink& sink) {
    const std::string& contents = contents_.at(name);
    auto bytes = [&](size_t size) {
      return Bytes(reinterpret_cast<const uint8_t*>(contents.data()), size);
    };
    // The first try breaks in the middle.
    PGO_CHECK(sink.begin(object));
    PGO_CHECK(sink.append(object, bytes(contents.size() / 2)));
    if (auto error = errors_.find(name); error != errors_.end()) return pgo::fail(error->second);
    PGO_CHECK(sink.begin(object));
    return sink.append(object, bytes(contents.size()));
  }

  std::string name_, identity_;
  std::vector<SourceObject> objects_;
  std::map<std::string, std::string> contents_;
  std::map<std::string, Error> errors_;
  Error listing_error_;
  SourceQuery query_;
  std::vector<std::string> fetched_;
};

}  // namespace pgo::test
