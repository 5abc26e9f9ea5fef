#define _GNU_SOURCE
#include "clinux.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <linux/filter.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <resolv.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void CLinux_malloc_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static int argument_count;
static char **arguments;

// glibc hands main's parameters to constructors; another C library leaves them out.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
#ifdef __GLIBC__
    argument_count = count;
    arguments = words;
#else
    (void)count;
    (void)words;
#endif
}

int CLinux_argument_count(void) { return argument_count; }

char **CLinux_arguments(void) { return arguments; }

int CLinux_accept4(int descriptor, struct sockaddr *address, uint32_t *length, int flags) {
    return accept4(descriptor, address, length, flags);
}

int CLinux_pthread_setname_np(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

int CLinux_sched_getaffinity_count(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

int CLinux_res_nquery(
    const struct sockaddr_in *server, const char *name, int type, uint8_t *answer, int size,
    int *failure) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) {
        *failure = NO_RECOVERY;
        return -1;
    }
    if (server != NULL) {
        state.nscount = 1;
        state.nsaddr_list[0] = *server;
    }
    // Seconds, and tries: who waits longer has a name server that an authority gives up on.
    state.retrans = 2;
    state.retry = 2;
    int length = res_nquery(&state, name, 1, type, answer, size);
    *failure = state.res_h_errno;
    res_nclose(&state);
    return length > size ? size : length;
}

int CLinux_ioctl_SIOCINQ(int descriptor) {
    int bytes = 0;
    return ioctl(descriptor, SIOCINQ, &bytes) == 0 ? bytes : -1;
}

int CLinux_ioctl_SIOCOUTQ(int descriptor) {
    int bytes = 0;
    return ioctl(descriptor, SIOCOUTQ, &bytes) == 0 ? bytes : -1;
}

int CLinux_renameat2_RENAME_EXCHANGE(const char *path, const char *other) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE);
}

int CLinux_getsockopt_TCP_INFO(int descriptor, struct CLinux_tcp_info *info) {
    struct tcp_info kernel;
    memset(&kernel, 0, sizeof kernel);
    socklen_t length = sizeof kernel;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &kernel, &length) != 0) return -1;
    info->state = kernel.tcpi_state;
    info->last_data_recv_ms = kernel.tcpi_last_data_recv;
    info->last_ack_recv_ms = kernel.tcpi_last_ack_recv;
    info->unacked = kernel.tcpi_unacked;
    info->sacked = kernel.tcpi_sacked;
    info->notsent_bytes = kernel.tcpi_notsent_bytes;
    info->rwnd_limited_us = kernel.tcpi_rwnd_limited;
    return 0;
}

int CLinux_setsockopt_SO_ATTACH_FILTER_without_SYN(int descriptor) {
    enum { flags = 13, syn = 0x02, ack = 0x10 };  // of the TCP header (RFC 9293 section 3.1)
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, flags),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, syn | ack),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, syn, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    };
    struct sock_fprog program = { .len = sizeof steps / sizeof *steps, .filter = steps };
    return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

enum { fault_calls = 32 };
struct fault { uint32_t after, times; int error; };
static _Thread_local struct fault faults[fault_calls];

void CLinux_fault_arm(int call, uint32_t after, uint32_t times, int error) {
    if (call < 0 || call >= fault_calls) return;
    faults[call] = (struct fault){ after, times, error };
}

int CLinux_fault_pending(int call) {
    return faults[call & (fault_calls - 1)].times != 0;
}

int CLinux_fault_take(int call) {
    struct fault *fault = &faults[call & (fault_calls - 1)];
    if (fault->times == 0) return 0;
    if (fault->after > 1) { fault->after--; return 0; }
    fault->times--;
    return fault->error;
}

static _Thread_local int defects;

void CLinux_defect_put_back(int defect) { defects = defect < 0 ? 0 : defects | 1 << defect; }

int CLinux_defect_is_back(int defect) { return defects >> defect & 1; }

static _Thread_local void *simulated_kernel;

void CLinux_simulate_kernel(void *kernel) { simulated_kernel = kernel; }

void *CLinux_simulated_kernel(void) { return simulated_kernel; }

int CLinux_prctl_set_no_new_privs(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int CLinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int CLinux_syncfs(int descriptor) { return syncfs(descriptor); }

// The kernel's struct open_how and its RESOLVE_ flags, for C libraries whose headers are older.
struct open_how_of_linux { uint64_t flags, mode, resolve; };
enum { resolve_no_magiclinks = 0x02, resolve_beneath = 0x08 };

int CLinux_openat2_beneath(int folder, const char *path, uint64_t flags) {
#ifdef SYS_openat2
    struct open_how_of_linux how = { flags, 0, resolve_no_magiclinks | resolve_beneath };
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
#else
    errno = ENOSYS;
    return -1;
#endif
}

struct orphan {
    const char *program;
    const posix_spawn_file_actions_t *actions;
    const posix_spawnattr_t *attributes;
    char *const *words;
    char *const *variables;
    pid_t process;
    int error;
};

static int start_orphan(void *argument) {
    struct orphan *orphan = argument;
    orphan->error = posix_spawnp(
        &orphan->process, orphan->program, orphan->actions, orphan->attributes, orphan->words,
        orphan->variables);
    return 0;
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// The sanitizer takes its own clone() for a fork, and ends the process where memory is shared.
int __clone(int (*)(void *), void *, int, void *, ...);
#define clone __clone
#endif
#endif

int CLinux_posix_spawnp_orphan(
    pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const words[], char *const variables[]) {
    struct orphan orphan = {program, actions, attributes, words, variables, 0, 0};
    const size_t size = 1 << 16;
    char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return errno;
    // As posix_spawn does it: the memory is shared, this thread waits, no signal is taken there.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t between = clone(start_orphan, stack + size, CLONE_VM | CLONE_VFORK | SIGCHLD, &orphan);
    int error = between < 0 ? errno : 0;
    if (between > 0) while (waitpid(between, NULL, 0) < 0 && errno == EINTR) {}
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stack, size);
    *process = orphan.process;
    return error ? error : orphan.error;
}
