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
#define RESTING_PARKED    0x1000u       /* the trace's parked registers are in their slots (park.h) */
#define RESTORE_RSP_MOVED 0x8000u
enum { PARKED_SLOT = 5, MOST_PARKED = 4 };
/* Which they are, in five bits each, register + 1, the first lowest. */
static inline bool has_parked(u32 parked, u32 k) { return k < MOST_PARKED && parked >> k * 5; }
static inline u32 parked_reg(u32 parked, u32 k) { return (parked >> k * 5 & 31) - 1; }
static inline u32 count_parked(u32 parked)
{
    u32 n = 0;
    while (has_parked(parked, n))
        n++;
    return n;
}
static inline u32 add_parked(u32 parked, u32 k, u32 reg) { return parked | (reg + 1) << k * 5; }
enum { RESTORE_SLOTS = 2 };
#endif
