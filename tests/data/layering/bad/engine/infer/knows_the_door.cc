#include "engine/check.h"
#include "engine/graph/digraph.h"
#include "engine/verdict.h"
