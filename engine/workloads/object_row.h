// The row of a workload of single operations on objects, which are judged for linearizability.
#pragma once

#include "engine/linearize/object_verdict.h"
#include "engine/workloads/table.h"

namespace elapid {

template <JudgeObjects kJudge>
WorkloadRow object_row(Workload workload, Recognise recognise, DecodeCall decode) {
  return {.workload = workload,
          .recognise = recognise,
          .decode = decode,
          .judge = [](const History& history,
                      const JudgeRequest& request) { return kJudge(history, request, nullptr); },
          .judge_objects = kJudge,
          .models = linearize::object_models()};
}

}  // namespace elapid
