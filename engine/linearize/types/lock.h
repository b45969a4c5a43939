// Locks: plain, by owner, reentrant, fenced, and semaphores.
//
//   acquire by a |--|
//   acquire by b        |--|       not linearizable: a holds it, and no release is there
//
// Plain, without owners: acquires and releases alternate; a release may belong to any acquire.
// Nothing happens before it must. If an acquire returns while the lock is held, the open release
// that returns first happens, then the acquire. A release likewise. Proof: an order that does more
// by then can do it later, in pairs. Of several open releases, the first to return may be exchanged
// with the other. O(n log n).
//
// By owner: only the holder releases. If each owner's operations follow one another, and none
// follows one that never returned, its acquires and releases alternate. The lock is surely held
// from the return of an acquire to the invocation of its release. These stretches must be disjoint.
// Proof of sufficiency: in the order of the stretches, each release happens as soon as it is
// invoked, and each acquire right after the previous release or its own invocation. An acquire that
// never returned and has no release is left out. A release that never returned counts: it ends a
// stretch. O(n log n).
//
// All other locks are swept (model_sweep.h). They are the models of Jepsen's tests of Hazelcast: a
// reentrant lock counts holds up to `limit`, a semaphore counts permits. An acquire of a fenced
// lock returns a fence greater than all earlier ones, or 0 or nil for none. A reentrant acquire
// returns the fence of its hold again, or none.
//
// An operation that never returned may be of an unknown owner. If the others have no order without
// it, it is swept, too. Who holds the lock by it is told by what the holder does next.
#pragma once

#include <cstdint>

#include "engine/ir/value_pool.h"
#include "engine/linearize/operation.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"
#include "engine/linearize/types/ranks.h"

namespace elapid::linearize {

enum class LockKind : std::uint8_t {
  kPlain,
  kOwned,
  kReentrant,
  kFenced,
  kReentrantFenced,
  kSemaphore,
};

/// The owner of an acquire of a semaphore which no release names. Only releases of unknown owners
/// give such a permit back, and one is as good as another.
inline constexpr ValueId kNeverReleases = ValueId::none();

struct LockRules {
  LockKind kind = LockKind::kPlain;
  std::uint64_t limit = 2;  ///< the most holds or permits
};

/// The operations are those of LockF. Each has its owner, or nil for an unknown one, unless the
/// lock is plain.
[[nodiscard]] Judgement judge_lock(const Operations& operations, const LockRules& rules,
                                   const ValuePool& pool, std::uint64_t work = kDefaultWork);

/// States: for a semaphore the owners of permits in use; else {owner, holds, greatest fence, fence
/// of the hold}, with fences as ranks. An owner may be unknown.
class LockModel : public Model {
 public:
  LockModel(const Operations& operations, const LockRules& rules, const ValuePool& pool);

  [[nodiscard]] State initial() const override;
  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

 private:
  void step_permit(const State& state, const Operation& op, std::vector<State>& next) const;
  void step_release(const State& state, const Operation& op, std::vector<State>& next) const;
  void step_acquire(const State& state, const Operation& op, std::vector<State>& next) const;
  /// 0: none.
  [[nodiscard]] std::uint32_t fence_of(const Operation& op) const;

  LockRules rules_;
  Ranks ranks_;
};

}  // namespace elapid::linearize
