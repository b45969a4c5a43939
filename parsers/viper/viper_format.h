// Viper's histories: a directory with one log a session, of JSON lines (`json`, viper_json.h) or of
// Jepsen's :ok operations in EDN (`edn`, viper_edn.h).
//
//   {"value": [["w", 1, 101, true], ["r", 2, 7, false]]}                        J0.log
//   {:type :ok, :f :txn, :value [[:w 1 101 nil] [:r 2 7 false]], :process 0}    Jep0.log
#pragma once

#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kViperFormat;

/// Reads files named J..., Jep... or history.edn..., in the order of their numbers; each is a
/// session, unless its operations name a :process. Dialects `json` and `edn`; by default the first
/// non-empty file decides. The history is one of registers, or (EDN only) lists; with ranges,
/// inserts or deletes of rows (ViperRows), unless ReadOptions::workload asks for others. All
/// transactions are committed. Errors: those of ViperJsonReader and ViperEdnReader; kUnreadable for
/// a directory without such files.
Result<History> read_viper(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

/// Adds the losses of a history of rows as JSON. Error kUsage if logs cannot hold the history: see
/// ViperRowLines.
Status plan_viper_rows(const Plan& plan, std::vector<Loss>& losses);

/// Writes a file J<session>.log a session, a line of JSON a transaction. Reads of the initial state
/// read 0, which no transaction writes. The file Jinitial.log has the initial contents of rows.
Status write_viper_json(const Plan& plan, OutputDirectory& out);

/// Writes a file Jep<session>.log a session, a map of EDN a transaction. Reads of the initial state
/// read nil, or the empty list.
Status write_viper_edn(const Plan& plan, OutputDirectory& out);

}  // namespace elapid
