// The common part of all sources of requests on keys: the keys, and which requests still need them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/key_space.h"
#include "harness/generate/request.h"

namespace elapid {

/// An operation whose answer is a tree that its reads fill in.
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

  /// Writes of this value to every key.
  [[nodiscard]] std::vector<RequestStep> all_written(std::int64_t value) const {
    std::vector<RequestStep> writes;
    for (std::size_t place = 0; place < keys_.count(); ++place) {
      const KeyRef ref = keys_.at(place);
      writes.push_back({OpKind::kWrite, ref.slot, ref.key, value});
    }
    return writes;
  }

  /// Gives a step the key that only its request's reads have told.
  void set_key(RequestStep& step, KeyRef ref) {
    keys_.hold(ref.slot);
    keys_.release(step.slot);
    step.slot = ref.slot;
    step.key = ref.key;
  }

 private:
  KeySpace keys_;
};

/// One request reads all that there is, and does so in the end.
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

  /// Reads all that there is.
  virtual void read(Request& out) = 0;
};

}  // namespace elapid
