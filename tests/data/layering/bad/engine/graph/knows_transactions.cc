#include "engine/graph/digraph.h"
#include "engine/ir/history.h"
