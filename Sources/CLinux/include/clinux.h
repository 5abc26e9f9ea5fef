// What Swift cannot see of Linux: headers outside Glibc's module (epoll, eventfd, signalfd),
// functions hidden by _GNU_SOURCE, variadic calls and macros. Names are CLinux_ + the exact C name,
// so grep finds both.
#ifndef AASA_CLINUX_H
#define AASA_CLINUX_H
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

int CLinux_accept4(int descriptor, struct sockaddr *address, uint32_t *length, int flags);
int CLinux_pthread_setname_np(const char *name);
// Number of processors this thread may run on; 0 when the kernel does not say.
int CLinux_sched_getaffinity_count(void);
// ioctl(SIOCINQ): bytes that wait to be read; -1 with errno.
int CLinux_ioctl_SIOCINQ(int descriptor);

// ioctl(SIOCOUTQ): bytes the peer has not acknowledged; -1 with errno.
int CLinux_ioctl_SIOCOUTQ(int descriptor);

// renameat2(RENAME_EXCHANGE): each path gets what the other had, in one step; -1 with errno.
int CLinux_renameat2_RENAME_EXCHANGE(const char *path, const char *other);

struct sockaddr_in;
// res_nquery(3) of class IN, with a state of its own; server NULL: those of resolv.conf(5). The
// answer's length, or -1 with its h_errno in *failure.
int CLinux_res_nquery(
    const struct sockaddr_in *server, const char *name, int type, uint8_t *answer, int size,
    int *failure);

// The part of Linux's struct tcp_info that admission control reads.
struct CLinux_tcp_info {
    uint8_t state;                 // TCP_ESTABLISHED == 1, TCP_CLOSE_WAIT == 8, ...
    uint32_t last_data_recv_ms;    // since the last data segment came in, kernel queues included
    uint32_t last_ack_recv_ms;     // since the last segment of any kind, a FIN included
    uint32_t unacked;              // on a listening socket: connections waiting in the accept queue
    uint32_t sacked;               // on a listening socket: the accept queue's bound
    uint32_t notsent_bytes;        // handed to the kernel and never sent
    uint64_t rwnd_limited_us;      // for how long the peer's window held data back; 0 before 4.10
};
int CLinux_getsockopt_TCP_INFO(int descriptor, struct CLinux_tcp_info *info);
// setsockopt(SO_ATTACH_FILTER): a listening TCP socket drops every SYN from now on, so that no new
// connection begins; those that have begun go on (socket(7)). -1 with errno.
int CLinux_setsockopt_SO_ATTACH_FILTER_without_SYN(int descriptor);

// Thread-local fault injection (see Reactor/FaultInjection.swift): the `after`-th call of this kind
// fails with `error`.
void CLinux_fault_arm(int call, uint32_t after, uint32_t times, int error);
int CLinux_fault_take(int call);
int CLinux_fault_pending(int call);
// An old defect that a test has put back on this thread.
void CLinux_defect_put_back(int defect);
int CLinux_defect_is_back(int defect);

// The simulated kernel of this thread (see Reactor/SimulatedKernel.swift), or NULL.
void CLinux_simulate_kernel(void *kernel);
void *CLinux_simulated_kernel(void);

// The words that this process was started with, as main() gets them: Swift's CommandLine reads
// /proc/self/cmdline, which is not everywhere.
int CLinux_argument_count(void);
char **CLinux_arguments(void);

// Unmaps the pages of code and constants of this program and its libraries; what is needed of them
// is mapped again at its next use, from the page cache. Pages that a debugger or a probe wrote into
// stay. -1 with errno where /proc/self/pagemap cannot be read: nothing is done then.
int CLinux_release_code_pages(void);
// malloc_trim(0): gives the free pages of all arenas back to the kernel.
void CLinux_malloc_trim(void);
// prctl(PR_SET_NO_NEW_PRIVS): no exec gives this process a privilege again; -1 with errno.
int CLinux_prctl_set_no_new_privs(void);

// posix_spawnp(3) of a process that is not our child: a process in between starts it and ends, so
// that its parent is the nearest reaper (the service manager, or process 1) when this returns.
int CLinux_posix_spawnp_orphan(
    pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const words[], char *const variables[]);

// memfd_create(2): a file in memory, close-on-exec; -1 with errno.
int CLinux_memfd_create(const char *name);
// syncfs(2): everything written to the file system of this descriptor is on disk; -1 with errno.
int CLinux_syncfs(int descriptor);

// openat2(2) with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS; -1 with errno, ENOSYS where it is not
// known.
int CLinux_openat2_beneath(int folder, const char *path, uint64_t flags);
#endif
