#include "explanation.h"
