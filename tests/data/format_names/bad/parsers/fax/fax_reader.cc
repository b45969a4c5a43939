// A format, which knows itself.
#include "parsers/fax/fax_format.h"
constinit const Format kFaxFormat = {.name = "fax"};
