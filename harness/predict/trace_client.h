// A client that repeats observed operations, whatever it reads: for traces without a program.
#pragma once

#include "engine/ir/history.h"
#include "harness/predict/replay_store.h"

namespace elapid {

class TraceClient final : public ReplayClient {
 public:
  explicit TraceClient(const History& observed) : observed_(observed) {}

  Result<bool> run(const std::string& session, std::size_t number, ReplayTxn& txn) override;

 private:
  const History& observed_;
};

}  // namespace elapid
