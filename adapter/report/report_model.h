// What a report says of one history, before anything is drawn or written: the verdict in one
// sentence, where the levels stand, what was found and why that is so, what was taken for granted,
// and how to see it again. Plain text and numbers: no markup, and no ids of the engine.
//
// It is made of a checked history (report.h) and read by the page and by its short forms. Only what
// evidence names is in it, within ReportLimits, so that it is small whatever the history's size.
// Nothing in it varies between runs: the same history and question give the same report.
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

/// A piece of a sentence. An actor's has the anchor of the transaction; a list that is shortened
/// has itself in full, if that is not too long.
struct ReportWord {
  enum class Kind : std::uint8_t { kText, kActor, kValue, kCitation };
  Kind kind = Kind::kText;
  std::string text = {};
  std::string anchor = {};
  std::string whole = {};
};

using ReportWords = std::vector<ReportWord>;

/// That one transaction comes before another.
struct ReportEdge {
  std::string from = {};  ///< `T1`
  std::string to = {};
  Relation relation = Relation::kWw;
  std::string key = {};        ///< empty for session order and real time
  bool by_timestamps = false;  ///< of real time: that of the database's timestamps
};

/// A sentence of a proof, and its steps: the cases of a case split, or what would follow otherwise.
struct ReportSentence {
  std::string anchor = {};  ///< `a1.e2`
  ReportWords says = {};
  std::optional<ReportEdge> edge = {};
  std::vector<ReportSentence> steps = {};
  std::size_t left_out = 0;  ///< how many sentences that would follow this one are not shown
};

/// A transaction that takes part.
struct ReportActor {
  std::string anchor = {};   ///< `a1.t2`
  std::string label = {};    ///< `T2`
  std::string file = {};     ///< of its completion, or what there is
  std::uint64_t line = 0;    ///< 0: the source has no lines
  std::string place = {};    ///< `session 3, transaction 5`, of session traces
  std::string session = {};  ///< `process 3`
  std::string status = {};   ///< committed, aborted, indeterminate
  std::string text = {};     ///< the event with what matters of it
  /// The line of the source as it stands there; empty if it is not the event's own, or too long.
  std::string raw = {};
  std::string whole = {};       ///< else the event in full; empty if that is the same, or too long
  std::size_t whole_bytes = 0;  ///< how long it is
  bool is_reader_only = false;  ///< it only shows what others did
};

/// Anomalies of further types that the same transactions show.
struct ReportFollower {
  std::string name = {};
  std::string gloss = {};
  std::size_t count = 1;
  std::vector<ReportSentence> proof = {};
};

/// One root cause: its participants, and why that cannot be.
struct ReportFinding {
  std::string anchor = {};       ///< `a1`
  std::string name = {};         ///< of the anomaly, as `G-single-item`
  std::string gloss = {};        ///< `read skew`
  std::size_t count = 1;         ///< of this name in the history; one is shown
  bool is_doubtful = false;      ///< errors of clocks explain it
  std::string key_noun = "key";  ///< what keys are called: `row`, of rows
  std::vector<std::string> keys = {};
  std::vector<std::string> sessions = {};
  std::vector<ReportActor> actors = {};
  std::size_t actors_left_out = 0;
  std::size_t txn_count = 0;  ///< of those that take part, without those that only show
  std::vector<ReportSentence> proof = {};
  std::vector<ReportFollower> followers = {};
  ModelSet rules_out = {};  ///< the weakest levels that it rules out
  ModelSet survivors = {};  ///< the strongest that it says nothing against
  std::optional<Exhibit> exhibit = {};
};

/// Where the history stands with a level.
enum class LevelState : std::uint8_t {
  kHolds,      ///< proven
  kUnrefuted,  ///< asked about, no violation can be inferred, and not proven either
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

/// What several checkers say of the same levels.
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

/// Something the reader of the history remarked, and where.
struct ReportRemark {
  std::string place = {};
  std::string text = {};
};

struct ReportModel {
  std::string name = {};             ///< of the history: its path, and the independent key it is of
  std::string unit = "transaction";  ///< what the history consists of; else `operation`
  std::string headline = {};         ///< the verdict: `Not snapshot isolation`
  /// What is said of it: the first anomaly, the strongest level still possible, completeness.
  std::vector<std::string> clauses = {};
  Validity validity = Validity::kUnknown;
  std::vector<std::string> asked = {};   ///< the levels demanded, spoken
  bool asked_all = false;                ///< about every level by itself
  std::vector<ReportLevel> levels = {};  ///< all, by Model; empty for workloads that have none
  bool by_timestamps = false;            ///< violations are those of the order that timestamps give
  std::vector<ReportFinding> findings = {};
  std::size_t findings_left_out = 0;
  std::optional<ReportOverview> overview = {};  ///< none where pictures show the history whole
  std::optional<ReportOpinions> opinions = {};
  std::vector<std::string> certainty = {};    ///< how sure this is, a sentence each
  std::vector<std::string> unknown = {};      ///< what stays open, why, and what to do
  std::vector<std::string> assumptions = {};  ///< what was taken for granted
  std::vector<ReportRemark> remarks = {};     ///< of the reader
  std::size_t remarks_left_out = 0;
  bool has_order_page = false;             ///< order.html stands beside it (order/order_page.h)
  std::vector<ReportFact> facts = {};      ///< what is in the history
  std::vector<ReportFact> reproduce = {};  ///< what for, and the command
  std::vector<ReportFact> origin = {};     ///< version, format, hash
};

/// What a report holds at most; what is beyond is counted.
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
