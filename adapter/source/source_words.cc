#include "adapter/source/source_words.h"

#include <fmt/format.h>

#include <vector>

#include "adapter/elle/explanation.h"
#include "parsers/door/door.h"

namespace elapid {

void SourceWords::want_all_of(const Verdict& verdict, TextOptions options) {
  options.place = [this](TxnId txn, EventKind kind) { return want(txn, kind); };
  options.cite = [this](std::span<const TxnId> txns) {
    for (const TxnId txn : txns) {
      want(txn, representative_ref(history_, txn).kind);
    }
    return std::string();
  };
  static_cast<void>(explanation(history_, verdict, options));
}

std::string SourceWords::place(TxnId txn, EventKind kind) {
  const SourcePosition position = history_.event(txn, kind).position;
  if (loaded_.has_lines()) {
    return lines_.file_line(position);
  }
  return lines_.file(position) +
         (history_.info().is_session_trace ? ", " + place_in_session(history_, txn) : "");
}

std::string SourceWords::cite(std::span<const TxnId> txns, bool full) {
  const bool is_one_file = history_.info().files.size() < 2;
  std::vector<std::string> numbers;
  for (const TxnId txn : txns) {
    const SourcePosition position = history_.representative(txn).position;
    numbers.push_back(is_one_file ? fmt::to_string(lines_.line(position))
                                  : lines_.file_line(position));
  }
  return (is_one_file ? txns.size() == 1 ? "line " : "lines " : "") + enumeration(numbers, full);
}

const std::string& SourceWords::file(TxnId txn, EventKind kind) const {
  return lines_.file(history_.event(txn, kind).position);
}

std::uint64_t SourceWords::line(TxnId txn, EventKind kind) {
  return loaded_.has_lines() ? lines_.line(history_.event(txn, kind).position) : 0;
}

std::string SourceWords::want(TxnId txn, EventKind kind) {
  lines_.want(history_.event(txn, kind).position);
  return "";
}

TextOptions with_source(LoadedHistory& loaded, const Verdict& verdict, TextOptions options,
                        SourceWords& words) {
  options.fields = {};
  if (loaded.has_lines()) {
    words.want_all_of(verdict, options);
    options.cite = [&words, full = options.full](std::span<const TxnId> txns) {
      return words.cite(txns, full);
    };
  }
  options.place = [&words](TxnId txn, EventKind kind) { return words.place(txn, kind); };
  options.fields = event_fields(loaded);
  return options;
}

const std::string& SourceLines::file(SourcePosition position) const {
  return loaded_.history().info().files.at(position.file);
}

std::uint64_t SourceLines::line(SourcePosition position) {
  std::uint64_t& known = lines_[key(position)];
  if (known == 0) {
    count();
  }
  return known;
}

/// Counts lines in ascending order, in one pass over each file.
void SourceLines::count() {
  for (auto& [place, line] : lines_) {
    if (line == 0) {
      line = loaded_.line_column({.file = place.first, .offset = place.second}).line;
    }
  }
}

}  // namespace elapid
