#include "engine/ir/similar_names.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace elapid {
namespace {

/// How spellings are compared: in lower case, with hyphens between words.
std::string folded(std::string_view name) {
  std::string result(name.starts_with(':') ? name.substr(1) : name);
  for (char& c : result) {
    c = c == '_' || c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

/// The fewest letters to insert, remove, replace or swap with their neighbour: Damerau's distance
/// where no letter is edited twice. Wagner and Fischer's algorithm with three rows kept.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_before(b.size() + 1);
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::swap(two_before, before);
    std::swap(before, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({before[j] + (a[i] == b[j] ? 0 : 1), before[j + 1] + 1, row[j] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
        row[j + 1] = std::min(row[j + 1], two_before[j - 1] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> similar_names(std::string_view name,
                                       const std::vector<std::string_view>& known,
                                       std::size_t limit) {
  using Candidate = std::pair<std::size_t, std::string_view>;  // edits, spelling

  const std::string wanted = folded(name);
  const std::size_t tolerance = std::max<std::size_t>(1, wanted.size() / 3);
  std::vector<Candidate> candidates;
  for (const std::string_view spelling : known) {
    // Each missing letter is an edit, so a name that is far too long cannot be similar.
    if (wanted.size() > spelling.size() + tolerance) {
      continue;
    }
    const std::size_t distance = edit_distance(wanted, folded(spelling));
    if (distance <= tolerance) {
      candidates.emplace_back(distance, spelling);
    }
  }
  std::ranges::sort(candidates);
  candidates.resize(std::min(limit, candidates.size()));
  std::vector<std::string> result;
  result.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    result.emplace_back(candidate.second);
  }
  return result;
}

}  // namespace elapid
