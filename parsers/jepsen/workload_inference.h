// Which workload a history is of, from its operations.
#ifndef ELAPID_PARSERS_JEPSEN_WORKLOAD_INFERENCE_H_
#define ELAPID_PARSERS_JEPSEN_WORKLOAD_INFERENCE_H_

#include <string>

#include "parsers/jepsen/op_map.h"
#include "parsers/jepsen/single_op.h"
#include "parsers/options.h"

namespace elapid {

/// The workload of the first append or write that a client makes; in a history without one, that
/// of its reads. Operations are to be read as those of list-append.
class WorkloadInference {
 public:
  /// The pool is that of the operations.
  explicit WorkloadInference(ValuePool& values) : functions_(values) {}

  /// Takes one more operation into account. True once no further one can change the answer.
  bool look_at(const OpMap& op);

  [[nodiscard]] Workload workload() const;
  /// `The workload is list-append: something is appended.`
  [[nodiscard]] std::string sentence() const;

 private:
  void look_at_single(const OpMap& op);

  OpFunctions functions_;
  bool has_append_ = false;
  bool has_write_ = false;
  bool has_list_ = false;
  bool has_read_ = false;
  bool has_register_write_ = false;
  bool has_register_read_ = false;
  bool has_other_ = false;
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_WORKLOAD_INFERENCE_H_
