/* restore.h: which registers are parked where, in 16 bits: five bits for each of two spill slots, register + 1; whether r11
 * is at home (r11.h), within the instruction or also between instructions; bits 13 and 14 are the engine's (MAP_CALLS,
 * MAP_NOT_A_START); the top bit says that the stack pointer has already been moved down by one word. */
#ifndef X86_RESTORE_H
#define X86_RESTORE_H
#define RESTORE(slot, reg) ((u32)((reg) + 1) << (slot) * 5)
#define RESTORE_REG(restore, slot) ((int)((restore) >> (slot) * 5 & 31) - 1)
#define RESTORE_GS 16                  /* in place of a register: the GS register's base, the application's FS base */
#define RESTORE_R11       0x0400u
#define RESTING_R11       0x0800u
#define RESTORE_RSP_MOVED 0x8000u
/* Registers that are parked across instructions (park.h) have slots of their own. A word says which they are, in five bits for each of
 * these slots, register + 1. */
enum { PARKED_SLOT = 5, MOST_PARKED = 4 };
static inline bool has_parked(u32 parked, u32 k) { return k < MOST_PARKED && parked >> k * 5 & 31; }
static inline u32 parked_reg(u32 parked, u32 k) { return (parked >> k * 5 & 31) - 1; }
static inline u32 count_parked(u32 parked)              /* if all slots up to the last are in use, as in a binding */
{
    u32 n = 0;
    while (has_parked(parked, n))
        n++;
    return n;
}
static inline u32 without_parked(u32 parked, u32 k) { return parked & ~(31u << k * 5); }
static inline u32 add_parked(u32 parked, u32 k, u32 reg) { return without_parked(parked, k) | (reg + 1) << k * 5; }
enum { RESTORE_SLOTS = 2 };
#endif
