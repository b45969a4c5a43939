// The common part of all sources of requests on keys: the keys, and which requests still need them.
#pragma once

#include <cstdint>
#include <utility>

#include "harness/generate/key_space.h"
#include "harness/generate/request.h"

namespace elapid {

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

}  // namespace elapid
