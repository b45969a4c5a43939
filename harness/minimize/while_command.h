// Keeps what makes a command succeed: a crash of another program, a disagreement, anything that a
// script can see.
//
// Each candidate is written to a private folder, in a format that the command reads, and the
// command is run by the shell, in a process group of its own, with the candidate's path in place of
// `{}` (behind everything else where there is no `{}`). It is kept if the command exits with 0, as
// in `! mychecker {}` for one that mychecker finds invalid, or `mychecker {} 2>&1 | grep -q panic`.
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
  std::string name = {};           ///< of their files
  /// Of single operations, which are written as the source has them; asked by several threads.
  EventDetailsFn details = {};
  bool any_loss = false;  ///< write candidates although the format loses something
  /// Then the command is killed with all that it has started, and the candidate is not kept.
  std::chrono::milliseconds timeout{60000};
  std::function<bool()> is_cancelled = {};  ///< likewise; may be empty
};

/// The folder is removed once the property and all copies of it are gone. A candidate that the
/// format cannot hold is not kept. Errors: kUnreadable if no folder can be made; of the property,
/// kUsage if the shell does not find the command.
[[nodiscard]] Result<Keeps> keeps_while(const WhileCommand& command);

}  // namespace elapid
