// Keeps a property that a command tests: a crash of another program, a disagreement, anything that
// a script can detect.
//
// Each candidate is written to a private folder, in a format that the command reads. The shell
// runs the command, in a process group of its own, with the candidate's path in place of `{}` (at
// the end if there is none). If the command exits with 0, the candidate is kept: `! mychecker {}`
// keeps one that mychecker finds invalid, `mychecker {} 2>&1 | grep -q panic` one with a panic.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "engine/ir/result.h"
#include "harness/minimize/minimize.h"
#include "parsers/convert/plan.h"
#include "parsers/convert/target.h"

namespace elapid {

struct WhileCommand {
  std::string command = {};
  const Target* target = nullptr;  ///< the format of candidates
  std::string name = {};           ///< name of their files
  /// For single operations: their form in the source; called by several threads.
  EventDetailsFn details = {};
  bool any_loss = false;  ///< also write candidates if the format loses something
  /// After this time, the command and its children are killed, and the candidate is not kept.
  std::chrono::milliseconds timeout{60000};
  std::function<bool()> is_cancelled = {};  ///< if true, the command is killed, too; may be empty
};

/// The folder is removed with the last copy of the property. A candidate that the format cannot
/// hold is not kept. Errors: kUnreadable if no folder can be made; the property returns kUsage if
/// the shell does not find the command.
[[nodiscard]] Result<Keeps> keeps_while(const WhileCommand& command);

}  // namespace elapid
