#include <vector>

#include "engine/ir/ids.h"
#include "parsers/read.h"
