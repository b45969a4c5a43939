#include "engine/verdict/evidence.h"
