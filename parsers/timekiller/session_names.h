// Numbers for the sids of a TimeKiller history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "engine/ir/seeded_hash.h"
#include "parsers/timekiller/timekiller_txn.h"

namespace elapid {

/// Natural numbers keep their value; other sids, which are rare, count down from -1 by appearance.
class SessionNames {
 public:
  std::int64_t number(const TimekillerTxn& txn) {
    const TimekillerScalar& sid = txn.session;
    if (sid.is_number() && sid.number >= 0) {
      return sid.number;
    }
    const auto next = -1 - static_cast<std::int64_t>(other_.size());
    return other_.try_emplace(txn.text_of(sid), next).first->second;
  }

  /// The number of sids so far that are no natural numbers.
  [[nodiscard]] std::size_t other_count() const { return other_.size(); }

 private:
  std::unordered_map<std::string, std::int64_t, SeededHash> other_;
};

}  // namespace elapid
