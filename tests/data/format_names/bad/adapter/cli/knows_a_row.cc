#include "parsers/fax/fax_format.h"
bool is_fax = format == &kFaxFormat;
PlotFormat plot = PlotFormat::kPng;
