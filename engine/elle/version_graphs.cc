#include "engine/elle/version_graphs.h"

#include <algorithm>
#include <utility>

#include "engine/elle/champ_order.h"
#include "engine/elle/value_hash.h"
#include "engine/elle/version_sources.h"
#include "engine/elle/version_tries.h"
#include "engine/graph/scc.h"

namespace elapid::elle {

namespace {

class Merger {
 public:
  Merger(const History& history, const RegisterVersions& versions, const VersionSources& sources)
      : history_(history), versions_(versions), all_sources_(sources) {}

  void add(VersionSource source) {
    used_.push_back(source);
    VersionEdges edges = all_sources_.edges(source);
    VersionEdges all = edges_;
    all.insert(all.end(), edges.begin(), edges.end());
    Digraph merged(versions_.count(), all);
    const auto cycles =
        strong_components(merged.vertex_count(), MaskedSuccessors(merged, kWwEdge)).groups();
    const bool is_dropped = !cycles.empty();
    sources_.push_back({source, std::move(edges), is_dropped});
    if (is_dropped) {
      report(cycles);
      used_.pop_back();
      keep_leftovers();
    } else {
      edges_ = std::move(all);
      result_.graph = std::move(merged);
    }
  }

  VersionGraphs take() && { return std::move(result_); }

 private:
  struct Source {
    VersionSource source;
    VersionEdges edges;
    bool is_dropped;
  };

  /// The edges of one key and source.
  using KeyEdges = std::vector<VersionTrie::Edge>;

  void report(const std::vector<std::vector<std::uint32_t>>& cycles) {
    for (const std::vector<std::uint32_t>& cycle : cycles) {
      CyclicVersionsEvidence evidence{
          .key = versions_.key({cycle.front()}), .versions = {}, .sources = used_};
      for (const std::uint32_t version : cycle) {
        evidence.versions.push_back(versions_.value({version}));
      }
      std::sort(evidence.versions.begin(), evidence.versions.end());
      result_.cyclic_versions.push_back({AnomalyType::kCyclicVersions, std::move(evidence)});
    }
  }

  /// Goes through all unions so far as Elle's library does, key by key.
  void keep_leftovers() {
    const std::vector<std::vector<std::uint32_t>> of_key = versions_by_key();
    std::vector<std::uint32_t> local(versions_.count());
    std::vector<std::vector<KeyEdges>> sources(of_key.size());  // by key
    for (const std::vector<std::uint32_t>& versions : of_key) {
      for (std::uint32_t i = 0; i < versions.size(); ++i) {
        local[versions[i]] = i;
      }
    }
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      VersionEdges edges = all_sources_.edges_from_untouched(sources_[s].source);
      edges.insert(edges.end(), sources_[s].edges.begin(), sources_[s].edges.end());
      for (const LabelledEdge& edge : edges) {
        std::vector<KeyEdges>& of_sources = sources[versions_.key({edge.from}).index()];
        of_sources.resize(sources_.size());
        of_sources[s].emplace_back(local[edge.from], local[edge.to]);
      }
    }
    edges_.clear();
    for (std::size_t k = 0; k < of_key.size(); ++k) {
      add_united(of_key[k], sources[k]);
    }
    result_.graph = Digraph(versions_.count(), edges_);
  }

  [[nodiscard]] std::vector<std::vector<std::uint32_t>> versions_by_key() const {
    std::vector<std::vector<std::uint32_t>> of_key(history_.key_count());
    for (std::uint32_t v = 0; v < versions_.count(); ++v) {
      of_key[versions_.key({v}).index()].push_back(v);
    }
    return of_key;
  }

  /// Appends the edges of one key after all its unions.
  void add_united(const std::vector<std::uint32_t>& versions,
                  const std::vector<KeyEdges>& sources) {
    std::vector<std::uint32_t> hashes;
    for (const std::uint32_t version : versions) {
      const std::uint32_t hash = hash_of(history_, versions_.value({version}), HashCode::kJava);
      hashes.push_back(champ_mix(static_cast<std::int32_t>(hash)));
    }
    VersionTrie trie(hashes);
    for (std::size_t s = 0; s < sources.size(); ++s) {
      trie.unite(sources[s], sources_[s].is_dropped);
    }
    for (const auto& [from, to] : trie.edges()) {
      edges_.push_back({versions[from], versions[to], kWwEdge});
    }
  }

  const History& history_;
  const RegisterVersions& versions_;
  const VersionSources& all_sources_;
  VersionEdges edges_;
  std::vector<Source> sources_;
  std::vector<VersionSource> used_;
  VersionGraphs result_;
};

}  // namespace

VersionGraphs version_graphs(const History& history, const RegisterVersions& versions,
                             const Assumptions& assumptions) {
  const VersionSources sources(history, versions, assumptions);
  Merger merger(history, versions, sources);
  const auto add = [&](VersionSource source, bool is_assumed) {
    if (is_assumed) {
      merger.add(source);
    }
  };
  add(VersionSource::kInitialState, true);
  add(VersionSource::kTransactionOrder,
      !assumptions.transaction_order.empty() || assumptions.order_is_empty);
  add(VersionSource::kWfrKeys, assumptions.wfr_keys);
  add(VersionSource::kSequentialKeys, assumptions.sequential_keys);
  add(VersionSource::kLinearizableKeys, assumptions.linearizable_keys);
  return std::move(merger).take();
}

}  // namespace elapid::elle
