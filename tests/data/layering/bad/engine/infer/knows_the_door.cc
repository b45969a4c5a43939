#include "engine/check/check.h"
#include "engine/graph/digraph.h"
#include "engine/verdict/verdict.h"
