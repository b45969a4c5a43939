// The flags of `elapid run`, and the run that they request.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/commands/generate/recipe_flags.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/options/options.h"
#include "engine/ir/result.h"
#include "harness/drive/database_uri.h"
#include "harness/drive/drive.h"
#include "harness/drive/driver.h"
#include "harness/drive/request_feed.h"
#include "harness/generate/presets.h"
#include "harness/generate/workloads/workload_table.h"
#include "harness/servers/private_server.h"
#include "harness/servers/server_kind.h"

namespace elapid {

// The levels that the clients of a run ask for: one, or several with the share of each.

struct LevelMix {
  std::vector<std::string> levels = {};  ///< not empty, without repetition
  std::vector<std::size_t> shares = {};  ///< of each; positive

  [[nodiscard]] bool is_one() const { return levels.size() == 1; }

  /// `serializable+read-committed`, for names of folders.
  [[nodiscard]] std::string name() const;

  /// `serializable:30,read-committed:70`; for one level its name.
  [[nodiscard]] std::string text() const;
};

/// Reads `serializable:30,read committed:70`, or `serializable+read-committed` with equal shares.
/// SQL's names of levels are accepted. Error kUsage: a share that is no positive number, a level
/// that appears twice, an empty name, more than 256 levels.
[[nodiscard]] Result<LevelMix> parse_level_mix(std::string_view text);

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
  std::vector<GivenOption> given = {};  ///< all options, to be repeated
};

/// The run, with all names looked up.
struct RunRequest {
  /// The kind of the run's own server, if the address names no server; null if the run starts
  /// none.
  [[nodiscard]] const ServerKind* own_server() const;

  Recipe recipe = {};
  const GeneratedWorkload* workload = nullptr;
  const Driver* driver = nullptr;
  DatabaseRequest database = {};              ///< without its scratch folder and initial values
  LevelMix isolation = {};                    ///< the levels that clients ask for
  std::vector<PlainField> level_fields = {};  ///< of its levels, if there are several
  FeedLimits limits = {};
  DriveOptions drive = {};
  std::vector<std::string> faults = {};  ///< of the run's own server
  std::chrono::nanoseconds fault_interval = {};
  CheckRequest check = {};
  std::string levels = {};  ///< the demanded levels
  /// Whether too little contention makes a valid verdict unknown. If false, `check` decides
  /// that.
  bool requires_coverage = true;
  std::string store = {};
  std::string name = {};
  bool timestamps = false;
  bool online = false;
};

void add_run_flags(Options& options, RunFlags& flags);

/// The run that `flags` ask for; its names are borrowed from them. Loads the driver. Errors:
/// kUsage, and of find_driver().
[[nodiscard]] Result<RunRequest> run_request(const RunFlags& flags);

// The run's own server, if the address of the database names none.

/// The kind of server to start. Null if the address or its parameters name a server, or if the
/// database is no server.
[[nodiscard]] const ServerKind* own_server_kind(const Driver& driver, const DatabaseUri& uri);

/// Starts own_server_kind(), and makes `uri` its address, with the same parameters. Nothing if
/// there is no server to start. The server ends with the object.
[[nodiscard]] Result<std::optional<PrivateServer>> start_own_server(const Driver& driver,
                                                                    DatabaseUri& uri);

}  // namespace elapid
