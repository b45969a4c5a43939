#include "adapter/cli/options/options.h"
#include "engine/infer/edges.h"
