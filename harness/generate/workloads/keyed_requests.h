// The common part of all sources of requests on keys: the keys, and which requests use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/key_space.h"
#include "harness/generate/request.h"

namespace elapid {

/// Begins an operation with a tree as its value. Its reads fill in the tree of the answer.
inline void begin_tree(std::string_view function, PlainTree asked, Request& out) {
  out.function = function;
  out.invoked = out.completed = PlainValue::kTree;
  out.asked = std::move(asked);
  out.answered = out.asked;
  out.depends_on_reads = true;
}

class KeyedRequests : public RequestSource {
 public:
  void done(const Request& request) override {
    for (const RequestStep& step : request.steps) {
      keys_.release(step.slot);
    }
  }

 protected:
  explicit KeyedRequests(KeySpace keys) : keys_(std::move(keys)) {}

  KeySpace& keys() { return keys_; }

  [[nodiscard]] const KeySpace& keys() const { return keys_; }

  void add(OpKind kind, KeyRef ref, Request& out, std::int64_t value = 0) {
    keys_.hold(ref.slot);
    out.steps.push_back({kind, ref.slot, ref.key, value});
  }

  /// A write of this value to every key.
  [[nodiscard]] std::vector<RequestStep> all_written(std::int64_t value) const {
    std::vector<RequestStep> writes;
    for (std::size_t place = 0; place < keys_.count(); ++place) {
      const KeyRef ref = keys_.at(place);
      writes.push_back({OpKind::kWrite, ref.slot, ref.key, value});
    }
    return writes;
  }

  /// Sets the key of a step, which is only known after its request's reads.
  void set_key(RequestStep& step, KeyRef ref) {
    keys_.hold(ref.slot);
    keys_.release(step.slot);
    step.slot = ref.slot;
    step.key = ref.key;
  }

 private:
  KeySpace keys_;
};

/// A source with final requests that read everything.
class WholeReads : public KeyedRequests {
 public:
  bool final_read(std::size_t n, Request& out) override {
    if (n > 0) {
      return false;
    }
    read(out);
    return true;
  }

 protected:
  using KeyedRequests::KeyedRequests;

  static void begin_read(PlainValue completed, Request& out) {
    out.function = "read";
    out.invoked = PlainValue::kNil;
    out.completed = completed;
    out.only_reads = true;
  }

  /// Makes the request that reads everything.
  virtual void read(Request& out) = 0;
};

}  // namespace elapid
