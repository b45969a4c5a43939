#include "engine/ir/history_builder.h"
#include "engine/verdict/verdict.h"
#include "parsers/bytes/byte_source.h"
