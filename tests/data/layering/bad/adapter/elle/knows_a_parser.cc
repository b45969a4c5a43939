#include "engine/check.h"
#include "parsers/read.h"
