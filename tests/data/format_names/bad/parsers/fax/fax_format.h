// The row of the format, for the table.
#pragma once

extern const Format kFaxFormat;
