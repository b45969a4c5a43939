// echo: single operations :echo a text, and show the response.
//
//   {:type :invoke, :f :echo, :value "a"}, {:type :ok, :f :echo, :value {:type "echo_ok", :echo
//   "a"}}
//
// The history is valid if each response has the text that was sent as its :echo, and unknown if
// there is no response. After Maelstrom, to which a request without a response is wrong, too: so it
// is under --elle-compat; elsewhere availability (parsers/door/availability.h) asks for responses.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n) in the length of texts and responses.
[[nodiscard]] WorkloadRow echo_row();

}  // namespace elapid
