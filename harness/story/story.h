// Tells a small history: its steps in order, the steps that make the anomaly, and the reason.
//
// ```cpp
// const History history = register_history("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2");
// const Verdict verdict = check(history, {.models = {Model::kPlSi}}).value();
// const ToldStory story = tell_story(history, verdict, {.whole_txns = 100000});
// CHECK(story.size == "2 transactions, 4 operations, from 100,000 transactions");
// CHECK(story.columns.size() == 2);
// CHECK(story.steps[1].text == "read x = nil");
// ```
//
// story_text.h and story_svg.h show one. It is meant for histories of a dozen transactions.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"
#include "harness/story/schedule.h"

namespace elapid {

/// A session with steps in the story.
struct StoryColumn {
  std::string name = {};  ///< `session 3`
};

/// A row: a begin, an operation or an end.
struct StoryStep {
  StoryMoment moment = {};
  std::size_t column = 0;
  std::size_t txn = 0;     ///< in ToldStory::txns
  std::string text = {};   ///< `begin`, `read x = [1 2]`, `append 1 to x`, `commit`
  std::size_t number = 0;  ///< its number in the anomaly, from 1; 0: no part of it
};

/// A transaction; its first and last step are given by their rows.
struct StoryTxn {
  std::string label = {};  ///< `T1`
  TxnId txn = {};
  std::size_t column = 0;
  std::size_t first_row = 0;
  std::size_t last_row = 0;
};

/// An edge of the cycle.
struct StoryEdge {
  std::size_t from = 0;  ///< in ToldStory::txns
  std::size_t to = 0;
  std::size_t from_row = 0;   ///< row of the operation that shows the edge, else of the end
  std::size_t to_row = 0;     ///< row of the operation that shows the edge, else of the begin
  std::string relation = {};  ///< `rw`
  std::string key = {};       ///< printed; empty for session order and real time
};

struct ToldStory {
  std::string title = {};   ///< `lost-update: two transactions ...`, or the verdict
  std::string levels = {};  ///< `not snapshot-isolation`; empty if no level is ruled out
  std::string size = {};    ///< `2 transactions, 4 operations, from 100,000 transactions`
  std::vector<StoryColumn> columns = {};
  std::vector<StoryTxn> txns = {};       ///< T1, T2, ... in the order in which they begin
  std::vector<StoryStep> steps = {};     ///< one a row
  std::vector<StoryEdge> edges = {};     ///< in the order of the cycle; empty if there is none
  std::vector<std::string> claims = {};  ///< why, in sentences; steps of proofs are indented
};

struct StoryOptions {
  std::string anomaly = {};  ///< the anomaly to tell, by name; if it is missing, the leading one
  /// For a history of single operations: the operation's text in the source, `:enqueue 80`. Empty:
  /// the decoded operation is told.
  std::function<std::string(TxnId)> call_text = {};
  std::size_t whole_txns = 0;  ///< size of the history that this is a part of; 0: it is whole
};

/// Whether some transaction begins while another one, except the initial one, is open.
[[nodiscard]] bool overlaps(const History& history, const ToldStory& story);

/// `verdict`: of this history.
[[nodiscard]] ToldStory tell_story(const History& history, const Verdict& verdict,
                                   const StoryOptions& options);

/// The steps of the cycle that shows the anomaly of this name; none if it is not a cycle.
[[nodiscard]] std::vector<Step> cycle_steps(const Verdict& verdict, const std::string& anomaly);

}  // namespace elapid
