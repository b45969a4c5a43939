// What lines of events say, put together.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace elapid {

[[nodiscard]] std::string read_text(const std::string& path);

/// Without their newlines.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

/// Without its newline; empty if there is none.
[[nodiscard]] std::string last_line(std::string_view text);

/// What stands behind `"name":`, up to the next comma outside an array; empty if nothing does.
[[nodiscard]] std::string field_of(std::string_view line, std::string_view name);

/// The violations that stand in the end, of final and late events: the rest of the line by what
/// identifies it. Others are passed over.
class Told {
 public:
  /// What is wrong with the events, if something is: numbers that leap or are there twice, a
  /// violation that becomes final twice, one taken back that was not there.
  [[nodiscard]] std::string hear(std::string_view text);

  [[nodiscard]] const std::map<std::string, std::string>& violations() const { return violations_; }

  /// How many events there were of a kind, or violations of an axiom that became final.
  [[nodiscard]] std::size_t count(const std::string& what) const {
    const auto found = counts_.find(what);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, std::string> violations_;
  std::map<std::string, std::size_t> counts_;
  std::size_t last_number_ = 0;
};

}  // namespace elapid
