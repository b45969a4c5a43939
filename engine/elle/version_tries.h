// The edges of a dropped source that stay in Elle's graph of versions, by a quirk of its library.
//
// Elle keeps the graph of a key's versions as a Bifurcan map from each version to its successors.
// To try a source, it unites the two graphs. If the union has a cycle, it continues with the old
// graph, which should not have changed. But a union of graphs that come from unions may put
// entries into nodes of its operands (shared_tries.h).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/elle/shared_tries.h"
#include "engine/elle/version_sources.h"

namespace elapid::elle {

/// The graph of one key. `hashes`: of its versions, borrowed; versions are numbered 0 .. n-1
/// here.
class VersionTrie final : public MapEntries {
 public:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  explicit VersionTrie(const std::vector<std::uint32_t>& hashes);

  /// Unites with the graph of a source. Keeps the union, or (`is_dropped`) only its effects on the
  /// old graph.
  void unite(std::span<const Edge> source, bool is_dropped);

  /// All edges, with the remaining ones of dropped sources.
  [[nodiscard]] std::vector<Edge> edges() const;

  [[nodiscard]] std::uint32_t key(std::uint32_t entry) const override {
    return entries_[entry].version;
  }

  std::uint32_t merge(std::uint32_t left, std::uint32_t right) override;

 private:
  using SetId = SharedTries::SetId;

  struct Entry {
    std::uint32_t version;
    SetId successors;
  };

  std::uint32_t make_entry(std::uint32_t version, SetId successors);
  SetId build(std::span<const Edge> source);

  const std::vector<std::uint32_t>& hashes_;
  SharedTries successors_;
  SharedTries maps_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> entry_hashes_;
  SetId graph_;  // none() before the first source
};

}  // namespace elapid::elle
