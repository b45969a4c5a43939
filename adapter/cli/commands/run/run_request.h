// The flags of `elapid run`, and the run that they request.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "adapter/cli/commands/generate/recipe_flags.h"
#include "adapter/cli/commands/run/level_mix.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/options/options.h"
#include "engine/ir/result.h"
#include "harness/drive/drive.h"
#include "harness/drive/driver.h"
#include "harness/drive/request_feed.h"
#include "harness/generate/presets.h"
#include "harness/generate/workloads/workload_table.h"
#include "harness/servers/server_kind.h"

namespace elapid {

/// As typed.
struct RunFlags {
  RecipeFlags recipe = {};
  CheckFlags check = {};
  std::string db = {};
  std::string exec = {};
  std::vector<std::string> scenarios = {};
  std::string isolation = {};
  std::string time = {};
  std::string rate = {};
  std::string think = {};
  std::string patience = "1s";
  std::string reconnect = "30s";
  std::string faults = {};
  std::string fault_interval = "2s";
  std::string store = "store";
  std::string name = {};
  bool require_coverage = true;
  bool no_final_reads = false;
  bool timestamps = false;
  bool online = false;
  bool lists = false;
  bool matrix = false;
  std::vector<GivenOption> given = {};  ///< all of them, to be repeated
};

/// Names looked up.
struct RunRequest {
  /// The kind of server of the run's own that it starts, since the address names none; null: it
  /// starts none.
  [[nodiscard]] const ServerKind* own_server() const;

  Recipe recipe = {};
  const GeneratedWorkload* workload = nullptr;
  const Driver* driver = nullptr;
  DatabaseRequest database = {};              ///< but for its scratch folder and initial values
  LevelMix isolation = {};                    ///< what clients ask for
  std::vector<PlainField> level_fields = {};  ///< of its levels, where there are several
  FeedLimits limits = {};
  DriveOptions drive = {};
  std::vector<std::string> faults = {};  ///< that the run's own server suffers
  std::chrono::nanoseconds fault_interval = {};
  CheckRequest check = {};
  std::string levels = {};  ///< that are demanded
  /// Too little contention makes a verdict unknown that would be valid; if not, what is asked of
  /// `check` is asked here.
  bool requires_coverage = true;
  std::string store = {};
  std::string name = {};
  bool timestamps = false;
  bool online = false;
};

void add_run_flags(Options& options, RunFlags& flags);

/// What `flags` ask for; its names are borrowed from them. Loads the driver. Errors: kUsage, and of
/// find_driver().
[[nodiscard]] Result<RunRequest> run_request(const RunFlags& flags);

}  // namespace elapid
