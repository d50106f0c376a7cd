#include "shape.h"
UINT32 SQUARE::Area() { return 9; }
UINT32 SQUARE::Sides() { return 4; }
