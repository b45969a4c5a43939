// The table of workloads: the facts about each workload, one row a workload.
//
// A workload lives in a folder of its own, which exports a row. Other code uses a workload only
// through its row: readers ask how to recognise the workload and how to decode its operations; the
// check asks what follows from a history of it. To add one: write its folder, and add a line to
// known_workloads.h and to table.cc.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/infer/inference.h"
#include "engine/ir/call.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"
#include "engine/workloads/clues.h"

namespace elapid {

/// The reason why a history surely belongs to the workload, as "something is appended"; empty if
/// there is none, or if further operations may refute it.
using Recognise = std::string_view (*)(const Clues& clues);

/// Turns a single operation, which is no transaction, into operations of a history. Returns the
/// error, as "expected ..., found ..."; empty if there is none.
using DecodeCall = std::string (*)(const Call& call, DecodedCall& out);

/// The inference from the history's operations, without search; null if the workload has none.
/// Calls `keep_going` between the steps, each linear; false stops, and leaves no explainer.
using Infer = Inference (*)(const History& history, const Assumptions& assumptions,
                            const std::function<bool()>& keep_going);

/// The verdict on a history without isolation levels. Errors: kMalformed for operations that the
/// workload does not have; kInternal if evidence does not survive its verification.
using Judge = Result<Verdict> (*)(const History& history, const JudgeRequest& request);

/// The same for single operations on objects. If a claim is given, only the claim is verified:
/// engine/workloads/object_claims.h.
using JudgeObjects = Result<Verdict> (*)(const History& history, const JudgeRequest& request,
                                         const LevelAnswer* claim);

/// The claim of a judged workload that the engines of transactions can check, beside its judge.
struct GeneralClaim {
  Model model;
  /// The history as transactions on registers, which the engines know. A level demanded of these is
  /// demanded of the operations. Error: why there are none. Null: use the history as it is.
  Result<History> (*transactions)(const History& history, const JudgeRequest& request) = nullptr;
  /// If set: decides instead of the engines of transactions.
  Judge judge = nullptr;
  /// Whether the database reads registers one by one, as items: then names of item anomalies fit.
  bool has_items = true;
  /// Whether a violation of the judge's claim is one of this claim, too.
  bool follows = false;
};

struct WorkloadRow {
  Workload workload;
  Recognise recognise = nullptr;
  DecodeCall decode = nullptr;  ///< null: the workload has transactions of micro-operations only
  Infer infer = nullptr;        ///< for workloads with transactions
  Judge judge = nullptr;        ///< for workloads without transactions
  JudgeObjects judge_objects = nullptr;
  /// Whether its own :read is invoked with `[key nil]`, as that of independent keys.
  bool reads_by_key = false;
  ModelSet models = {};  ///< models that a judge can check
  /// Whether the judge demands something else than the first of these where none is asked for.
  bool has_own_claim = false;
  std::optional<GeneralClaim> general = {};
  /// Whether a violation of the judge's claim by a prefix of the history is a violation by the
  /// whole history, however the open operations of the prefix end. Null: not always.
  bool (*claim_lasts)(const History& beginning) = nullptr;

  /// Whether the program checks its histories. It only reads and converts those of other workloads.
  [[nodiscard]] bool is_checked() const { return workload.has_levels() || judge != nullptr; }
};

/// The rows, in the order in which they are asked to recognise a history.
[[nodiscard]] std::span<const WorkloadRow> workload_rows();

[[nodiscard]] const WorkloadRow& row_of(Workload workload);

/// The sorted names of the workloads that are checked.
[[nodiscard]] std::vector<std::string_view> checked_workloads();

/// The names of the workloads that have all these operations, as `enqueue`, in the table's order.
/// The user must choose among them.
[[nodiscard]] std::vector<std::string_view> workloads_with(std::span<const std::string> functions);

/// The workload of this name.
[[nodiscard]] std::optional<Workload> find_workload(std::string_view name);

}  // namespace elapid
