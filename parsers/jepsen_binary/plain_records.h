// The short cut through operation records of the most frequent shape: Fressian becomes an operation
// without a text in between. The records are those of Jepsen's generators of transactions, as
// `#jepsen.history.Op [0 1 :ok 2 :txn [[:append 8 1] [:r 63 [1 2]]] nil]`.
#pragma once

#include <optional>
#include <vector>

#include "engine/ir/value_pool.h"
#include "parsers/fressian/decoder.h"
#include "parsers/jepsen/op_map.h"

namespace elapid::jepsen_binary {

/// Reads records of one decoder at a time. Words are known by their places in its cache.
class PlainRecords {
 public:
  /// Borrows `values`. Reads lists only in list-append.
  PlainRecords(ValuePool& values, Workload workload)
      : values_(values), has_lists_(workload.has_lists()) {}

  /// Reads the next object, if it is a record of the usual shape: natural numbers and keywords
  /// only, a client's process, micro-operations `append`, `w` and `r`, no further keys. Otherwise
  /// returns false and leaves the decoder where it is; its text then gives the same operation, or
  /// an error. For records of other shapes this costs one look at their beginning.
  bool read(fressian::Decoder& decoder, OpMap& op);

  /// Must be called before the next read() if the decoder has read something else since.
  void forget() { words_.clear(); }

 private:
  friend class PlainRecord;

  /// The meanings of a text in the cache, as far as they were asked for.
  struct Word {
    std::optional<EventType> type = {};   ///< of a keyword
    std::optional<ValueId> keyword = {};  ///< the same
    std::optional<ValueId> named = {};    ///< of a string: the keyword of this name
    std::optional<OpKind> micro_op = {};  ///< of a string
  };

  ValuePool& values_;
  bool has_lists_;
  std::vector<Word> words_;  // by place in the cache
};

}  // namespace elapid::jepsen_binary
