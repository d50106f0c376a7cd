/* System V semaphores and message queues order, too. */
#include <pthread.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

static int sem, queue, counter, table[10];
struct message { long type; int index; };

static void *adds(void *v)
{
    for (int i = 0; i < 20; i++) {
        struct sembuf down = { 0, -1, 0 }, up = { 0, 1, 0 };
        semop(sem, &down, 1);
        counter++;
        semop(sem, &up, 1);
    }
    for (int i = 0; i < 5; i++) {
        struct message m;
        msgrcv(queue, &m, sizeof m.index, 0, 0);
        table[m.index] *= 2;
    }
    return v;
}

int main(void)
{
    pthread_t t[2];
    sem = semget(IPC_PRIVATE, 1, 0600);
    queue = msgget(IPC_PRIVATE, 0600);
    semctl(sem, 0, SETVAL, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, adds, NULL);
    for (int i = 0; i < 10; i++) {
        struct message m = { 1, i };
        table[i] = i;
        msgsnd(queue, &m, sizeof m.index, 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    semctl(sem, 0, IPC_RMID);
    msgctl(queue, IPC_RMID, NULL);
    printf("%d %d\n", counter, table[9]);
}
