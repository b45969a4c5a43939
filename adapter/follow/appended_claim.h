// Claims of some workloads, judged by only the lines that were appended to a file.
//
//   bank                 each read is right or wrong by itself,
//                        after a first read with accounts and
//                        total
//   counter              two sums stand for earlier adds: the certain ones,
//                        and those that may have happened
//   echo                 each response is right or wrong by itself
//   monotonic-faunadb    each operation is compared with the last one of its process
//
// Some lines replace all earlier ones, and carry over the facts that later lines depend on:
//
//   {:type :invoke, :process 0, :f :add, :value 812}      the sum of all adds so far
//   {:type :ok, :process 0, :f :add, :value 812}
//   {:type :invoke, :process 3, :f :read}                 open operations, as in the file
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "adapter/follow/prefix_check.h"

namespace elapid {

/// Numbers that were added to a counter, certainly or perhaps.
struct AddedSums {
  std::int64_t surely = 0;
  std::int64_t perhaps = 0;           ///< positive numbers of adds with unknown outcome
  std::int64_t perhaps_negative = 0;  ///< negative numbers of these
  bool overflow = false;
};

class AppendedClaim {
 public:
  /// Keeps a reference to `options`.
  explicit AppendedClaim(const FollowOptions& options) : options_(options) {}

  /// Begins after a prefix that was checked as a whole.
  void begin(PrefixVerdict& prefix);

  /// Forgets the lines: the next check is of the whole file.
  void forget() { last_.reset(); }

  /// Whether the appended lines may suffice.
  [[nodiscard]] bool has_begun() const { return last_.has_value(); }

  /// The verdict on the prefix of this size; `text` has its lines after the last checked prefix.
  /// Nothing if the claim may be violated: then the whole prefix must be checked. An open add that
  /// fails is an example, because earlier reads counted it in. Linear in the text and the open
  /// operations.
  [[nodiscard]] std::optional<PrefixVerdict> extend(std::string_view text, PrefixSize size);

 private:
  /// The facts that later operations depend on.
  struct Carried {
    std::string lines = {};        ///< as in the file
    std::size_t open = 0;          ///< open operations among them
    std::size_t transactions = 0;  ///< among them
    std::size_t operations = 0;    ///< operations of these
    AddedSums sums = {};           ///< of a counter
  };

  bool carry(LoadedHistory& loaded);

  const FollowOptions& options_;
  std::optional<PrefixReport> last_;  // none: the whole file must be checked
  std::optional<FormatName> format_;
  std::optional<Workload> workload_;
  Carried carried_;
};

}  // namespace elapid
