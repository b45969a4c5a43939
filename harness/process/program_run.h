// Runs a foreign program to its end or to a limit. The program may crash, hang, print without end,
// ignore a request to end, or leave children behind.
//
// ```cpp
// const ProgramRun run = run_program({"/bin/sh", "-c", "echo yes; exit 3"}, "/tmp",
//                                    {.time = std::chrono::minutes(1)});
// CHECK(run.exit_code == 3);
// CHECK(run.out == "yes\n");
// ```
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/process/process_user.h"

namespace elapid {

class ForkServer;

struct RunLimits {
  std::optional<std::chrono::milliseconds> time = {};  ///< wall-clock time
  std::optional<std::uint64_t> memory = {};            ///< bytes of data, for each of its processes
  std::optional<std::uint64_t> file = {};              ///< bytes of each file that it writes
  std::chrono::milliseconds grace{2000};               ///< from SIGTERM to SIGKILL
  std::size_t output = std::size_t{1} << 20;  ///< bytes kept of each stream: its start and its end
  std::optional<ProcessUser> user = {};       ///< its user; nothing: the user of this program
};

/// The outcome of a run.
struct ProgramRun {
  std::string start_error = {};  ///< why it could not be started; empty if it was started
  std::optional<int> exit_code = {};
  std::optional<int> signal = {};  ///< the signal that ended it
  bool is_out_of_time = false;     ///< the limit of time ended it
  bool is_cancelled = false;       ///< the caller cancelled it
  std::string out = {};
  std::string err = {};
  bool is_cut = false;  ///< whether output in the middle was dropped
  // Usage of the program and of the children that it waited for.
  std::chrono::microseconds cpu_time{};
  std::chrono::microseconds wall_time{};
  std::uint64_t peak_bytes = 0;  ///< of the largest process; at least what this program had
                                 ///< resident when it started the other
};

/// Runs a command in `folder` with no input. The program gets a process group of its own; none of
/// its processes are left when this returns. Calls `is_cancelled`, which may be empty, ten times a
/// second. Looks on the PATH for a program without a slash in its name. If a server is given, the
/// server runs the command, if it can.
[[nodiscard]] ProgramRun run_program(const std::vector<std::string>& command,
                                     const std::string& folder, const RunLimits& limits,
                                     const std::function<bool()>& is_cancelled = {},
                                     ForkServer* server = nullptr);

/// Prepares a new process before the program starts: sets the limits that the system enforces
/// (memory, files, user), makes a process group, and arranges that the process ends with the thread
/// that started it. Calls only functions that are safe between fork and exec.
void prepare_child(const RunLimits& limits);

/// The path of a program of this name on the PATH; empty if there is none.
[[nodiscard]] std::string find_on_path(const std::string& name);

/// `SIGSEGV`; the number for a signal without a name.
[[nodiscard]] std::string signal_name(int signal);

}  // namespace elapid
