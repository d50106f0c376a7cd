#include "launcher/help.h"
int doctor(void) { return 0; }
