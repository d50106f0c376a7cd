/* frame_offsets.h: what bridge.S knows of struct x86_frame; checked in bridge.c. */
#define FRAME_MXCSR   416
#define FRAME_HAS_X87 420       /* and x86_app_x87: one of these, or 0 */
#define X87_SAVED 1
#define X87_ASK   2             /* perhaps it is not used: xgetbv tells */
#define FRAME_IS_WIDE 424       /* a byte: see uppers.h */
#define FRAME_X87     448
#define FRAME_VECTORS 1024
#define FRAME_MASKS   3072
#define FRAME_X87_ENV 3136
