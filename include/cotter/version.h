/* version.h: which interface this is: tools test these. */
#ifndef COTTER_VERSION_H
#define COTTER_VERSION_H
#define PIN_PRODUCT_VERSION_MAJOR 3
#define PIN_PRODUCT_VERSION_MINOR 31
#define PIN_BUILD_NUMBER 98869
#define PIN_CRT 1
#ifndef TARGET_LINUX
#define TARGET_LINUX 1
#endif
#ifndef TARGET_IA32E
#define TARGET_IA32E 1
#endif
#ifndef HOST_IA32E
#define HOST_IA32E 1
#endif
#endif
