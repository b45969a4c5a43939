// The operations of a binary history, each as the text of an EDN map, or read without one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/jepsen_binary/plain_records.h"

namespace elapid::jepsen_binary {

/// The place where a damaged file was cut, or of a part that was left out.
struct Break {
  std::uint64_t offset = 0;
  std::string message = {};
};

class OpTexts {
 public:
  virtual ~OpTexts() = default;
  OpTexts(const OpTexts&) = delete;
  OpTexts& operator=(const OpTexts&) = delete;

  /// Puts the next operation into `text`. False at the end. Errors have byte offsets.
  virtual Result<bool> next(std::string& text) = 0;

  /// Steps to the next operation without a text, if `records` reads it. Else false, and next()
  /// gives its text.
  virtual bool next_plain(PlainRecords& /*records*/, OpMap& /*op*/) { return false; }

  /// The offset of the operation in the file.
  [[nodiscard]] virtual std::uint64_t offset() const = 0;

  /// Whether its value is a key and a value of jepsen.independent, if the file tells that.
  [[nodiscard]] virtual bool is_tuple() const = 0;

  /// The parts left out so far; always empty unless the file is salvaged.
  [[nodiscard]] const std::vector<Break>& breaks() const { return breaks_; }

 protected:
  OpTexts() = default;

  /// Notes an error once, even if it occurs again.
  void note(const Error& error) {
    const std::uint64_t offset = error.byte_offset.value_or(0);
    if (breaks_.empty() || breaks_.back().offset != offset) {
      breaks_.push_back({offset, error.message});
    }
  }

 private:
  std::vector<Break> breaks_;
};

}  // namespace elapid::jepsen_binary
