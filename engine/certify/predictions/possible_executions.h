// The executions that keep a prefix of each session, as clauses for CaDiCaL.
//
//   whole(t)       t is kept as observed
//   stops(t, i)    t is the last kept of its session, and i is its last kept event
//   reads(t, i, w) event i of t is kept and reads from w
//   edge(a, b)     event a comes before event b, where the level asks it
//
// A relaxed boundary transaction is whole, so that it stops at its last event, and each of its
// reads is free. A strict one stops at the first read that differs from the observed one.
// docs/predict.md, item 5, has the demands of levels; visible transactions are as in Biswas and
// Enea (OOPSLA 2019), starts and commits as in Cerone, Bernardi and Gotsman (CONCUR 2015).
//
// Of the writers of a list, edges between commits are a total order, and a read shows the writers
// up to the one that it reads from. An order explains an execution if it also has the shown writers
// in this order, before all others.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/certify/predictions/kept_sessions.h"
#include "engine/certify/predictions/no_prediction.h"

namespace CaDiCaL {
class Solver;
}

namespace elapid::certify {

class PossibleExecutions {
 public:
  /// Refers to the sessions. Near quadratic in the operations on a key.
  PossibleExecutions(const KeptSessions& sessions, const NoPrediction& claim);
  PossibleExecutions(const PossibleExecutions&) = delete;
  PossibleExecutions& operator=(const PossibleExecutions&) = delete;
  ~PossibleExecutions();

  /// Excludes the executions that this order explains at the target. `places`: the places of each
  /// transaction's events, start_of() and commit_of().
  void exclude_explained(const std::vector<std::uint32_t>& places);

  enum class Left : std::uint8_t { kNothing, kSomething, kUnknown };

  /// Whether an execution remains.
  [[nodiscard]] Left search(const std::function<bool()>& keep_going);

 private:
  using Literal = int;  // of CaDiCaL

  /// A read, and a transaction from which it may read.
  struct Choice {
    std::uint32_t txn = 0;
    std::uint32_t event = 0;
    KeyId key = {};
    std::uint32_t writer = kNoTxn;
    Literal holds = 0;
    bool is_as_observed = false;  ///< of a list also the elements before the last one
  };

  struct Write {
    std::uint32_t txn = 0;
    Literal is_kept = 0;
    Literal is_committed = 0;  ///< its transaction is kept, whether or not the write is cut off
  };

  using Places = std::vector<std::uint32_t>;

  [[nodiscard]] Literal new_literal();
  void add(std::span<const Literal> clause);

  void add(std::initializer_list<Literal> clause) { add(std::span(clause)); }

  [[nodiscard]] Literal any_of(const std::vector<Literal>& literals);
  [[nodiscard]] Literal both(Literal a, Literal b);
  [[nodiscard]] Literal edge(std::uint32_t from, std::uint32_t to);

  void add_boundary(std::uint32_t txn);
  [[nodiscard]] Literal keeps(std::uint32_t txn, std::uint32_t event);
  void add_read(std::uint32_t txn, std::uint32_t event);
  void add_write(std::uint32_t txn, std::uint32_t event);
  void find_happens_before();
  [[nodiscard]] Literal precedes(std::uint32_t first, std::uint32_t second);
  [[nodiscard]] Literal counts(const Write& write) const;
  void order_lists();
  void demand_list(const Choice& choice);
  void find_shown();

  void demand_level();
  void demand_visible(const Choice& choice);
  void demand_not_between(const Choice& choice);
  void demand_no_overlap();
  [[nodiscard]] Literal visible(const Choice& choice, std::uint32_t other, Visibility level);

  [[nodiscard]] std::vector<Literal> breaches(const Choice& choice, const Places& places);
  void add_overlaps(const Places& places, std::vector<Literal>& clause);
  void add_reversed(const Places& places, std::vector<Literal>& clause);

  [[nodiscard]] bool forbid_circle();

  const KeptSessions& sessions_;
  const NoPrediction& claim_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
  int variables_ = 0;
  Literal true_ = 0;
  std::vector<Literal> whole_;                           // by transaction
  std::vector<std::map<std::uint32_t, Literal>> stops_;  // by transaction: by event
  std::vector<std::vector<Choice>> choices_;             // by transaction
  std::vector<std::vector<Write>> writes_;               // by key
  std::vector<std::map<std::uint32_t, Literal>> shown_;  // by key: whether a list shows the writer
  std::vector<std::vector<bool>> before_;  // [t][v]: v happens before t in the observation
  std::map<std::pair<Literal, Literal>, Literal> both_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Literal> edges_;
};

/// Events as numbers: one for each transaction, or two if the level distinguishes start and commit.
[[nodiscard]] constexpr std::uint32_t start_of(Visibility level, std::uint32_t txn) {
  return has_two_events(level) ? 2 * txn : txn;
}

[[nodiscard]] constexpr std::uint32_t commit_of(Visibility level, std::uint32_t txn) {
  return has_two_events(level) ? 2 * txn + 1 : txn;
}

}  // namespace elapid::certify
