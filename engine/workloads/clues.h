// Clues from a first look at a history's operations, for recognising its workload.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace elapid {

/// Whether the :error of a failed removal says that nothing was there, or gives no reason.
[[nodiscard]] inline bool tells_of_nothing(std::string_view error) {
  return error.empty() || error == "nil" || error.find("empty") != std::string_view::npos ||
         error.find("exhausted") != std::string_view::npos;
}

/// The forms of the operations of one function that are not transactions.
struct CallClue {
  bool has_nil = false;         ///< a :value that is nil, or none
  bool has_scalar = false;      ///< a number, a name, a string, ...
  bool has_nonzero = false;     ///< a scalar other than 0, with which counters begin
  bool has_collection = false;  ///< a vector, list, set or map
  bool ends_empty = false;      ///< the last completion showed nil or `:empty`, or failed with an
                                ///< :error that tells of that, or none
  bool has_map = false;         ///< a map, which is a collection
  std::size_t shown = 0;        ///< operations that succeeded with a collection
  bool has_timed_row = false;   ///< a map with `:val` and `:sts` (CockroachDB), or several
  bool asks_nil = false;        ///< an invocation with nil: the completion gives the question
  bool has_set = false;         ///< a set, which is a collection
  bool has_subkeys = false;     ///< `[7 [nil "7_1" "7_0"]]`, subkeys of a key newest first
  bool has_repeat = false;      ///< a vector with a value twice: `[5 5 3]`
  std::optional<std::size_t> length = {};  ///< of the first vector shown
  bool has_lengths = false;                ///< vectors of other lengths were shown, too
};

struct Clues {
  /// Whether all operations were looked at; else later ones may show more.
  bool is_whole = false;
  // For transactions' micro-operations.
  bool has_append = false;
  bool has_list = false;  ///< a read of a list
  bool has_write = false;
  bool has_read = false;   ///< a read of something else
  bool has_other = false;  ///< any other micro-operation
  bool has_row = false;    ///< one on rows of tables, as `:rp` or `:insert`
  bool has_log = false;    ///< one on logs of messages, `:send` or `:poll`
  // For transactions as a whole: see may_be_long_fork().
  bool writes_one = false;   ///< `:f :write, :value [[:w 7 1]]`
  bool reads_group = false;  ///< `:f :read, :value [[:r 7 nil] [:r 8 nil]]`
  bool has_other_transaction = false;
  /// By function, without a colon.
  std::map<std::string, CallClue, std::less<>> calls = {};

  /// The clues of calls of `f`.
  [[nodiscard]] CallClue call(std::string_view f) const {
    const auto found = calls.find(f);
    return found == calls.end() ? CallClue() : found->second;
  }

  [[nodiscard]] bool has_call(std::string_view f) const { return calls.contains(f); }

  /// Whether transactions have micro-operations.
  [[nodiscard]] bool has_mops() const {
    return has_append || has_list || has_write || has_read || has_other;
  }

  /// Whether all operations are calls of these functions.
  [[nodiscard]] bool has_only(std::initializer_list<std::string_view> functions) const {
    return !has_mops() && std::ranges::all_of(calls, [&](const auto& call) {
      return std::ranges::find(functions, call.first) != functions.end();
    });
  }

  /// Whether all transactions are of Jepsen's long-fork: a :write writes 1 to one register, a :read
  /// reads several. Those of rw-register are :txn, and their values show their writers.
  [[nodiscard]] bool may_be_long_fork() const {
    return writes_one && !has_other_transaction && (reads_group || !is_whole);
  }

  /// A read shows a value twice, which a set cannot, and all reads show the same number of values.
  [[nodiscard]] bool shows_rows() const {
    const CallClue read = call("read");
    return read.has_repeat && !read.has_lengths && !read.has_set;
  }

  /// Single values are written, and reads show collections. There is nothing else, and no register
  /// whose reads show written values.
  [[nodiscard]] bool reads_collections_of_writes() const {
    const CallClue write = call("write");
    const CallClue read = call("read");
    return !has_mops() && calls.size() == 2 && write.has_scalar && !write.has_collection &&
           read.shown > 0 && !read.has_scalar && !read.has_map;
  }
};

}  // namespace elapid
