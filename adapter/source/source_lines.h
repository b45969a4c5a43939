// File and line of places in a history's source.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "engine/ir/visible.h"
#include "parsers/read.h"

namespace elapid {

/// Finding a line means counting newlines from the start of the file. Asked for all places before
/// the first line is wanted, this counts once.
class SourceLines {
 public:
  explicit SourceLines(LoadedHistory& loaded) : loaded_(loaded) {}

  /// Announces that file_line will be asked for this place.
  void want(SourcePosition position) { lines_.try_emplace(key(position), 0); }

  /// `history.edn:12`, on one line.
  [[nodiscard]] std::string file_line(SourcePosition position) {
    return visible_line(file(position)) + ":" + std::to_string(line(position));
  }

  [[nodiscard]] const std::string& file(SourcePosition position) const;
  [[nodiscard]] std::uint64_t line(SourcePosition position);

 private:
  using Key = std::pair<std::uint16_t, std::uint64_t>;

  static Key key(SourcePosition position) { return {position.file, position.offset}; }

  void count();

  LoadedHistory& loaded_;
  std::map<Key, std::uint64_t> lines_;  // 0: not counted yet
};

}  // namespace elapid
