/* restore.h: which registers are parked in which spill slots, in 16 bits: five bits a slot, register + 1; bits 13 and 14
 * are the engine's (MAP_CALLS, MAP_NOT_A_START); the top bit says that the stack pointer has already been moved down by one word. */
#ifndef X86_RESTORE_H
#define X86_RESTORE_H
#define RESTORE(slot, reg) ((u32)((reg) + 1) << (slot) * 5)
#define RESTORE_REG(restore, slot) ((int)((restore) >> (slot) * 5 & 31) - 1)
#define RESTORE_RSP_MOVED 0x8000u
enum { RESTORE_SLOTS = 2 };
#endif
