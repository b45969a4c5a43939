// What some workloads claim, judged by the lines that were appended to a file alone.
//
//   bank                 each read is right or wrong by itself, once a first read told accounts and
//                        total
//   counter              what was added before the lines counts as two sums: what was added for
//                        sure, and what may have been
//   echo                 each response is right or wrong by itself
//   monotonic-faunadb    each operation is compared with the last one of its process
//
// What of the lines before matters for those to come is carried over, as lines in the place of all:
//
//   {:type :invoke, :process 0, :f :add, :value 812}      the sum of what was added so far
//   {:type :ok, :process 0, :f :add, :value 812}
//   {:type :invoke, :process 3, :f :read}                 what is open, as it stands in the file
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "adapter/follow/prefix_check.h"

namespace elapid {

/// Numbers that were added to a counter, by how sure that is.
struct AddedSums {
  std::int64_t surely = 0;
  std::int64_t perhaps = 0;           ///< by adds of unknown outcome, of what is positive
  std::int64_t perhaps_negative = 0;  ///< the same of what is negative
  bool overflow = false;
};

class AppendedClaim {
 public:
  /// Borrows `options`.
  explicit AppendedClaim(const FollowOptions& options) : options_(options) {}

  /// Begins behind a prefix that was checked whole.
  void begin(PrefixVerdict& prefix);

  /// The next check is of everything.
  void forget() { last_.reset(); }

  /// Whether lines that are appended may suffice.
  [[nodiscard]] bool has_begun() const { return last_.has_value(); }

  /// The verdict on the prefix of this size, of which `text` are the lines behind the one before.
  /// Nothing unless the claim is certainly kept: then the whole prefix has to be checked. So it is
  /// where an add that was open fails, since earlier reads counted it in. O(text and open
  /// operations).
  [[nodiscard]] std::optional<PrefixVerdict> extend(std::string_view text, PrefixSize size);

 private:
  /// What of the operations so far matters for those to come.
  struct Carried {
    std::string lines = {};        ///< as they stand in the file
    std::size_t open = 0;          ///< operations among them that are open
    std::size_t transactions = 0;  ///< among them
    std::size_t operations = 0;    ///< of these
    AddedSums sums = {};           ///< of a counter
  };

  bool carry(LoadedHistory& loaded);

  const FollowOptions& options_;
  std::optional<PrefixReport> last_;  // none: everything has to be checked
  std::optional<FormatName> format_;
  std::optional<Workload> workload_;
  Carried carried_;
};

}  // namespace elapid
