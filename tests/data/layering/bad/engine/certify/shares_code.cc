#include "engine/certify/certify.h"
#include "engine/infer/edges.h"
#include "engine/levels/models.h"
