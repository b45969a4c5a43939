// A workload does not know another one.
#include "engine/workloads/kafka/analysis.h"
