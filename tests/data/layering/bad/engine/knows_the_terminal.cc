#include "adapter/cli/options.h"
#include "engine/infer/edges.h"
