/* xed-interface.h: all of XED that there is, is in one header. */
#ifdef __cplusplus
extern "C" {
#endif
#include "cotter/xed_decoded.h"
#include "cotter/xed_encoded.h"
#ifdef __cplusplus
}
#endif
