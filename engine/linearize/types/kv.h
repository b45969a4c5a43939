// One key of a store: get, put, append to its text, delete.
//
//   append "x" |--|
//   append "y"      |--|
//   get "yx"             |--|      not linearizable: "x" comes before "y"
//
// Searched by model_sweep.h. Keys are independent, so callers judge each key by itself. A put or an
// append that never returned is left out if no get shows its text: without it each get still has
// its result, since a get between it and the next put would show it. If no written text begins with
// another one, a get has at most one decomposition into texts. It is found from left to right among
// the sorted texts: the last text up to the rest. Proof: if the rest begins with t, and u is later
// and up to the rest, then u begins with t. If some text begins with another one, a text counts as
// seen wherever it occurs.
//
// A state is the last put and the appends since, as a chain from the last append back: equal
// beginnings are stored once, and an append costs O(1). A get compares lengths and hashes, then the
// texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/ir/value_pool.h"
#include "engine/linearize/operation.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// The operations are those of KvF on one key, without gets that never returned. `initial`: the
/// result of a get before the first put and after a delete: nil, or an empty text. An append to nil
/// is an append to an empty text.
[[nodiscard]] Judgement judge_kv(const Operations& operations, ValueId initial,
                                 const ValuePool& pool, std::uint64_t work = kDefaultWork);

/// States: the number of a link.
class KvModel : public Model {
 public:
  KvModel(ValueId initial, const ValuePool& pool);

  [[nodiscard]] State initial() const override { return {0}; }

  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  [[nodiscard]] bool is_read(const Operation& op) const override {
    return op.f == static_cast<std::uint8_t>(KvF::kGet);
  }

 private:
  static constexpr std::uint32_t kFirst = 0xffffffffU;

  /// A put (`before` is kFirst), or an append to the text of the link `before`.
  struct Link {
    std::uint32_t before;
    ValueId value;
    std::uint64_t length;
    std::uint64_t hash;
  };

  [[nodiscard]] std::uint32_t link(std::uint32_t before, ValueId value) const;
  [[nodiscard]] bool shows(std::uint32_t link, ValueId result) const;
  /// For a text, the part between its quotes; for other values, their written form.
  [[nodiscard]] std::string text_of(ValueId value) const;
  [[nodiscard]] bool is_text(ValueId value) const;

  const ValuePool& pool_;
  // Links are made during steps.
  mutable std::vector<Link> links_;
  mutable IntMap number_of_;  // by the link before and the value
};

}  // namespace elapid::linearize
