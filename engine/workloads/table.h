// The table of workloads: what Elapid knows of each, one row a workload.
//
// A workload lives in a folder of its own, which exports a row. What is needed of it elsewhere goes
// through the row: readers ask how to recognise it and how its operations are decoded, the check
// asks what follows from a history of it. To add one: write its folder, and add a line to
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

/// Why a history is one of the workload, whatever else it holds, as "something is appended"; empty
/// if it is not, or if further operations may show otherwise.
using Recognise = std::string_view (*)(const Clues& clues);

/// Turns an operation that is no transaction into operations of a history. Returns what is wrong
/// with it, as "expected ..., found ..."; empty if nothing is.
using DecodeCall = std::string (*)(const Call& call, DecodedCall& out);

/// What follows from the history's operations without search; null where nothing is inferred.
/// `keep_going` is asked between the steps, each linear; false stops, and leaves no explainer.
using Infer = Inference (*)(const History& history, const Assumptions& assumptions,
                            const std::function<bool()>& keep_going);

/// The verdict on a history without isolation levels. Error: kMalformed for operations that the
/// workload does not have, kInternal if evidence does not survive its verification.
using Judge = Result<Verdict> (*)(const History& history, const JudgeRequest& request);

/// The same of single operations on objects. If a claim is given, that is verified in place of all
/// this: engine/workloads/object_claims.h.
using JudgeObjects = Result<Verdict> (*)(const History& history, const JudgeRequest& request,
                                         const LevelAnswer* claim);

/// What a judged workload claims beside its judge, whose result tells the answer.
struct GeneralClaim {
  Model model;
  /// The history as transactions on registers, which the engines know; what they demand is demanded
  /// of the workload's operations. Error: why there are none. Null: it has them itself.
  Result<History> (*transactions)(const History& history, const JudgeRequest& request) = nullptr;
  /// Decides instead of the engines of transactions.
  Judge judge = nullptr;
  /// The registers are rows that the database read one by one, so that names of anomalies fit.
  bool has_items = true;
};

struct WorkloadRow {
  Workload workload;
  Recognise recognise = nullptr;
  DecodeCall decode = nullptr;  ///< null: it has transactions of micro-operations only
  Infer infer = nullptr;        ///< of those that have transactions
  Judge judge = nullptr;        ///< of those without
  JudgeObjects judge_objects = nullptr;
  ModelSet models = {};  ///< that a judge may be asked for
  std::optional<GeneralClaim> general = {};
  /// Whether a violation of the judge's claim by the beginning of a history is one of the whole,
  /// whatever becomes of the operations that are open there. Null: it may not be.
  bool (*claim_lasts)(const History& beginning) = nullptr;

  /// Whether the program checks histories of it. Others it can only read and convert.
  [[nodiscard]] bool is_checked() const { return workload.has_levels() || judge != nullptr; }
};

/// In the order in which they are asked whether they recognise a history.
[[nodiscard]] std::span<const WorkloadRow> workload_rows();

[[nodiscard]] const WorkloadRow& row_of(Workload workload);

/// Names of those that are checked, sorted.
[[nodiscard]] std::vector<std::string_view> checked_workloads();

/// Names of those that know all of these operations, as `enqueue`, in the table's order: what they
/// are the user has to say.
[[nodiscard]] std::vector<std::string_view> workloads_with(std::span<const std::string> functions);

/// The workload of this name.
[[nodiscard]] std::optional<Workload> find_workload(std::string_view name);

}  // namespace elapid
