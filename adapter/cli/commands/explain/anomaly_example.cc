#include "adapter/cli/commands/explain/anomaly_example.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/inject/anomaly_sketches.h"

namespace elapid {

namespace {

using T = AnomalyType;

constexpr std::string_view kWriteSkew = "0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1";

/// Examples of anomalies that the injector knows under another name, on registers.
constexpr std::array<std::pair<AnomalyType, std::string_view>, 6> kOthers = {{
    {T::kGMsr, "0> wx1; 1> wy1; 2> rx_ ry_; 3> ry_ rx_; 0+ wx1; 1+ wy1; 2+ rx1 ry_; 3+ ry1 rx_"},
    {T::kGCursor, "0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2"},
    {T::kGMonotonic, "0> wx1 wy1; 1> rx_ ry_; 0+ wx1 wy1; 1+ rx1 ry_"},
    {T::kGUpdate, kWriteSkew},
    {T::kG1, "0> wx1; 1> rx_; 0- wx1; 1+ rx1"},
    {T::kWriteSkew, kWriteSkew},
}};

}  // namespace

std::optional<TinyHistory> example_of(AnomalyType type) {
  const auto other = std::ranges::find(kOthers, type, &decltype(kOthers)::value_type::first);
  if (other != kOthers.end()) {
    return parse_tiny(Workload::kRwRegister, other->second);
  }
  const AnomalySketch* sketch = find_sketch(type);
  if (sketch == nullptr) {
    return std::nullopt;
  }
  return sketch->registers.empty() ? parse_tiny(Workload::kListAppend, sketch->lists)
                                   : parse_tiny(Workload::kRwRegister, sketch->registers);
}

}  // namespace elapid
