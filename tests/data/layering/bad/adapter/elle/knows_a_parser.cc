#include "engine/check/check.h"
#include "parsers/read.h"
