// From one input to its verdict.
#ifndef ELAPID_ADAPTER_CLI_CHECK_INPUT_H_
#define ELAPID_ADAPTER_CLI_CHECK_INPUT_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/check_request.h"
#include "adapter/cli/progress.h"
#include "adapter/elle/event_text.h"
#include "engine/check/check.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// A history with its verdict.
struct CheckedHistory {
  LoadedHistory loaded;
  Verdict verdict;
  std::chrono::duration<double> reading = {};
  std::chrono::duration<double> checking = {};
};

/// What is demanded of a history where the user does not say: strict serializability of Jepsen
/// histories, as Elle; of session traces, which know no real time, strong session serializability.
[[nodiscard]] ModelSet models_demanded(const CheckRequest& request, const HistoryInfo& info);

/// Checks a history that was read. Errors as below,
/// without a file's name.
Result<Verdict> check_loaded(const LoadedHistory& loaded, CheckOptions options);

/// Reads `path` and checks what is in it, one history or, with --independent, one a key. Running
/// out of memory while checking gives unknown. Error: of the reader, of the engine, and kUsage for
/// a workload without a check.
Result<std::vector<CheckedHistory>> check_input(const std::string& path,
                                                const CheckRequest& request, Progress& progress);

/// Reads what the history does not keep of an event from its source again.
[[nodiscard]] EventFieldsFn event_fields(LoadedHistory& loaded);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_CHECK_INPUT_H_
