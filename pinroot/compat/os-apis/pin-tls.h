/* pin-tls.h: one header has all of them. */
#include "../os-apis.h"
