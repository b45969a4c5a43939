// A client that is a program: lines of JSON on its standard input and output (docs/predict.md).
//
//   > {"do": "begin", "session": "2", "transaction": 1}
//   < {"do": "get", "key": "balance"}
//   > {"type": "ok", "value": 100}
//   < {"do": "put", "key": "balance", "value": 10}
//   > {"type": "ok"}
//   < {"do": "commit"}
//   > {"type": "ok"}
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "engine/ir/result.h"
#include "harness/predict/replay_store.h"
#include "harness/process/line_program.h"

namespace elapid {

class LineClient final : public ReplayClient {
 public:
  /// `patience`: the program's time for each line.
  LineClient(LineProgram program, std::chrono::milliseconds patience)
      : program_(std::move(program)), patience_(patience) {}

  /// Errors: kUnreadable if the program ends or does not answer; kMalformed for a line that is not
  /// in the protocol.
  Result<bool> run(const std::string& session, std::size_t number, ReplayTxn& txn) override;

 private:
  Status tell(const std::string& line);

  LineProgram program_;
  std::chrono::milliseconds patience_;
};

}  // namespace elapid
