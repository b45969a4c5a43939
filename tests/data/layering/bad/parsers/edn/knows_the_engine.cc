#include "engine/ir/history_builder.h"
#include "engine/verdict.h"
#include "parsers/bytes/byte_source.h"
