// The content of a report, before it is drawn or written: the verdict in one sentence, the state of
// each level, the findings with their proofs, the assumptions, and commands that repeat the check.
// Plain text and numbers: no markup, and no ids of the engine.
//
// report_of() (report.h) makes it; the page and the short forms read it. It has only what evidence
// names, within ReportLimits, so its size does not depend on the history's. The same history and
// question always give the same report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/report/exhibit.h"
#include "adapter/report/overview.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A piece of a sentence. An actor has the anchor of its transaction; a shortened list also has its
/// full text, unless that is too long.
struct ReportWord {
  enum class Kind : std::uint8_t { kText, kActor, kValue, kCitation };
  Kind kind = Kind::kText;
  std::string text = {};
  std::string anchor = {};
  std::string whole = {};
};

using ReportWords = std::vector<ReportWord>;

/// One transaction comes before another.
struct ReportEdge {
  std::string from = {};  ///< `T1`
  std::string to = {};
  Relation relation = Relation::kWw;
  std::string key = {};        ///< empty for session order and real time
  bool by_timestamps = false;  ///< of real time: by the database's timestamps
};

/// A sentence of a proof with its steps: the cases of a split, or consequences of the contrary.
struct ReportSentence {
  std::string anchor = {};  ///< `a1.e2`
  ReportWords says = {};
  std::optional<ReportEdge> edge = {};
  std::vector<ReportSentence> steps = {};
  std::size_t left_out = 0;  ///< sentences after this one that are not shown
};

/// A transaction that a finding names.
struct ReportActor {
  std::string anchor = {};   ///< `a1.t2`
  std::string label = {};    ///< `T2`
  std::string file = {};     ///< of its completion, or else of its invocation
  std::uint64_t line = 0;    ///< 0: the source has no lines
  std::string place = {};    ///< `session 3, transaction 5`, of session traces
  std::string session = {};  ///< `process 3`
  std::string status = {};   ///< committed, aborted, indeterminate
  std::string text = {};     ///< the event, shortened to the relevant part
  /// The line of the source. Empty if it has more than the event, or is too long.
  std::string raw = {};
  std::string whole = {};       ///< the event in full; empty if it is the same, or too long
  std::size_t whole_bytes = 0;  ///< its length
  bool is_reader_only = false;  ///< it only shows others' writes
};

/// An anomaly of another type that the same transactions show.
struct ReportFollower {
  std::string name = {};
  std::string gloss = {};
  std::size_t count = 1;
  std::vector<ReportSentence> proof = {};
};

/// One root cause: its transactions, and the proof.
struct ReportFinding {
  std::string anchor = {};       ///< `a1`
  std::string name = {};         ///< of the anomaly, as `G-single-item`
  std::string gloss = {};        ///< `read skew`
  std::size_t count = 1;         ///< anomalies of this name in the history; one is shown
  bool is_doubtful = false;      ///< errors of clocks may explain it
  std::string key_noun = "key";  ///< the word for keys: `row` if they are rows
  std::vector<std::string> keys = {};
  std::vector<std::string> sessions = {};
  std::vector<ReportActor> actors = {};
  std::size_t actors_left_out = 0;
  std::size_t txn_count = 0;  ///< transactions, without readers only
  std::vector<ReportSentence> proof = {};
  std::vector<ReportFollower> followers = {};
  ModelSet rules_out = {};  ///< the weakest levels that it refutes
  ModelSet survivors = {};  ///< the strongest levels that it does not refute
  std::optional<Exhibit> exhibit = {};
};

/// The state of a level.
enum class LevelState : std::uint8_t {
  kHolds,      ///< proven
  kUnrefuted,  ///< asked about: no violation can be inferred, but no proof either
  kViolated,
  kUnknown,  ///< asked about, and not decided
  kOpen,     ///< not asked about, and nothing found against it
};

struct ReportLevel {
  Model model = Model::kPl3;
  LevelState state = LevelState::kOpen;
  bool is_asked = false;
  std::string because = {};  ///< why unknown
};

/// The answers of several checkers on the same levels.
struct ReportOpinions {
  struct Row {
    std::string checker = {};
    std::vector<std::string> answers = {};  ///< by level: valid, invalid, unknown, failed or -
  };

  std::vector<std::string> levels = {};
  std::vector<Row> rows = {};
  std::vector<std::string> rulings = {};  ///< on their disagreements, a sentence each
};

/// A fact with its name, as `sessions: 12`.
using ReportFact = std::pair<std::string, std::string>;

/// A remark of the history's reader, with its place.
struct ReportRemark {
  std::string place = {};
  std::string text = {};
};

struct ReportModel {
  std::string name = {};             ///< of the history: its path, and its independent key
  std::string unit = "transaction";  ///< the history's units; else `operation`
  std::string headline = {};         ///< the verdict: `Not snapshot isolation`
  /// Details: the first anomaly, the strongest level still possible, how complete the check is.
  std::vector<std::string> clauses = {};
  Validity validity = Validity::kUnknown;
  std::vector<std::string> asked = {};   ///< the demanded levels, in words
  bool asked_all = false;                ///< every level was asked by itself
  bool asked_of_each = false;            ///< each transaction asked for one of these levels
  std::vector<ReportLevel> levels = {};  ///< all, by Model; empty for workloads that have none
  bool by_timestamps = false;            ///< violations are of the timestamps' order
  std::vector<ReportFinding> findings = {};
  std::size_t findings_left_out = 0;
  std::optional<ReportOverview> overview = {};  ///< none if pictures show the whole history
  std::optional<ReportOpinions> opinions = {};
  std::vector<std::string> certainty = {};    ///< how certain the verdict is, a sentence each
  std::vector<std::string> unknown = {};      ///< what stays open, why, and what to do
  std::vector<std::string> assumptions = {};  ///< the assumptions
  std::vector<ReportRemark> remarks = {};     ///< of the reader
  std::size_t remarks_left_out = 0;
  bool has_order_page = false;             ///< order.html exists beside it (order/order_page.h)
  std::vector<ReportFact> facts = {};      ///< the contents of the history
  std::vector<ReportFact> reproduce = {};  ///< a purpose, and its command
  std::vector<ReportFact> origin = {};     ///< version, format, hash
};

/// The most that a report holds. The parts left out are counted.
struct ReportLimits {
  std::size_t findings = 40;
  std::size_t actors = 40;                ///< of a finding
  std::size_t sentences = 60;             ///< of a finding, at each depth
  std::size_t text_bytes = 3'000;         ///< of an operation or a sentence's word
  std::size_t whole_bytes = 6'000;        ///< of one event or list in full
  std::size_t all_whole_bytes = 200'000;  ///< of all of these together
  std::size_t name_bytes = 300;           ///< of a key, a file, a session
  std::size_t remarks = 20;
};

}  // namespace elapid
