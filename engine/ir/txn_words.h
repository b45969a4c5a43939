// A word for each transaction, such as the level that it asked for or the function that it called.
// Takes no memory while all words are equal or missing, otherwise two bytes a transaction.
//
// ```cpp
// TxnWords words;
// words.push_back(words.number("si"));
// words.push_back(words.number("si"));
// CHECK(words.of({1}) == "si");
// words.push_back(TxnWords::kNone);
// CHECK(words.of({2}).empty());
// CHECK(words.words().size() == 1);
// ```
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"

namespace elapid {

class TxnWords {
 public:
  using Number = std::uint16_t;
  static constexpr Number kNone = 0;

  /// The number of a word; a new one if needed. kNone for the empty word, and beyond 65,535 words.
  /// Linear in the number of words.
  Number number(std::string_view word) {
    const auto known = std::ranges::find(words_, word);
    if (known != words_.end()) {
      return static_cast<Number>(known - words_.begin() + 1);
    }
    if (word.empty() || words_.size() == std::numeric_limits<Number>::max()) {
      return kNone;
    }
    words_.emplace_back(word);
    return static_cast<Number>(words_.size());
  }

  /// Adds the word of the next transaction.
  void push_back(Number number) {
    if (each_.empty() && (count_ == 0 || number == common_)) {
      common_ = number;
    } else {
      if (each_.empty()) {
        each_.assign(count_, common_);
      }
      each_.push_back(number);
    }
    ++count_;
  }

  /// Whether no transaction has a word.
  [[nodiscard]] bool is_empty() const { return each_.empty() && common_ == kNone; }

  [[nodiscard]] Number number_of(TxnId txn) const {
    return each_.empty() ? common_ : each_[txn.index()];
  }

  /// The word of the transaction; empty if it has none.
  [[nodiscard]] std::string_view of(TxnId txn) const {
    const Number number = number_of(txn);
    return number == kNone ? std::string_view() : words_[number - 1U];
  }

  /// All words, by number - 1.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

  /// Puts transaction `from[i]` at place i.
  void permute(const std::vector<std::uint32_t>& from) {
    std::vector<Number> permuted;
    permuted.reserve(each_.size());
    for (std::size_t i = 0; i < from.size() && !each_.empty(); ++i) {
      permuted.push_back(each_[from[i]]);
    }
    each_ = std::move(permuted);
  }

  [[nodiscard]] std::size_t memory_bytes() const { return each_.size() * sizeof(Number); }

 private:
  std::vector<std::string> words_;
  Number common_ = kNone;
  std::size_t count_ = 0;
  std::vector<Number> each_;  // empty while all transactions have the common one
};

}  // namespace elapid
