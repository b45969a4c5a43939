#include <rapidjson/reader.h>
