// Why one transaction precedes another, and the facts that this rests on.
#pragma once

#include <span>
#include <vector>

#include "engine/evidence/story.h"
#include "engine/verdict/evidence.h"

namespace elapid {

/// Orders of writers that a proof has shown or assumed.
struct KnownOrders {
  std::vector<Choice> assumed = {};
  std::vector<Choice> proved = {};  ///< the claim that shows proved[i] has the number i + 1
};

/// The value of a register before the step. The initial state has the name that the read shows,
/// which may be nil though another value is the initial one.
[[nodiscard]] ValueId value_before(const History& history, const Step& step);

/// Makes the ends of the steps actors of the story, in the order of the walk.
void cast(std::span<const Step> steps, Story& story);

/// `T1 < T2, because ….` for each step; the last one says that this is a contradiction.
[[nodiscard]] std::vector<Claim> chain(std::span<const Step> steps, const KnownOrders& known,
                                       Story& story);

/// `, since T1 wrote 1 before T2 read 2 in process 0 (sequential-keys)`. Transactions that are not
/// in `told` become witnesses.
[[nodiscard]] Phrase to_phrase(const VersionReason& reason, std::span<const TxnId> told,
                               Story& story);

}  // namespace elapid
