/* client.c: see client.h. */
#include "engine/client.h"
#include "base/lock.h"
#include "base/sys.h"
#include "engine/thread.h"

static struct lock lock;
static int owner;                               /* kernel thread id */
static u32 depth;                               /* of the owner */

/* Before the application starts, the thread has no record yet. */
int client_self(void) { return thr_self.tid ? thr_self.tid : sys_gettid(); }

bool client_lock_is_mine(void) { return __atomic_load_n(&owner, __ATOMIC_RELAXED) == client_self(); }

void client_lock(void)
{
    if (!client_lock_is_mine()) {
        lock_take(&lock);
        __atomic_store_n(&owner, client_self(), __ATOMIC_RELAXED);
    }
    depth++;
}

void client_unlock(void)
{
    if (--depth)
        return;
    __atomic_store_n(&owner, 0, __ATOMIC_RELAXED);
    lock_drop(&lock);
}

bool client_lock_died_with(u32 tid) { return lock_died_with(&lock, tid); }

void client_lock_take_over(void)
{
    lock_inherit(&lock);
    owner = 0;
    depth = 0;
    lock_drop(&lock);
}

void client_lock_forked(void) { owner = client_self(); }

void client_lock_release_all(void)
{
    if (!client_lock_is_mine())
        return;
    depth = 1;
    client_unlock();
}
