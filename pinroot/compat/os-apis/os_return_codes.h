/* os_return_codes.h: one header has all of them. */
#include "../os-apis.h"
