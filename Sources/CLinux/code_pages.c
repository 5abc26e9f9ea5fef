#define _GNU_SOURCE
#include "clinux.h"
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

// Bit 61 of an entry of /proc/self/pagemap: the page is a file's, and nobody wrote into it.
static const uint64_t page_of_file = UINT64_C(1) << 61;

static int release_object(struct dl_phdr_info *object, size_t size, void *pagemap) {
    (void)size;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
        uintptr_t start = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
        const uintptr_t end = object->dlpi_addr + part->p_vaddr + part->p_memsz;
        while (start < end) {
            uint64_t entries[512];
            size_t count = (end - start + page - 1) / page;
            if (count > 512) count = 512;
            const ssize_t length = (ssize_t)(count * sizeof entries[0]);
            if (pread(*(int *)pagemap, entries, (size_t)length,
                      (off_t)(start / page * sizeof entries[0])) != length) break;
            for (size_t from = 0; from < count;) {
                size_t to = from;
                while (to < count && (entries[to] & page_of_file)) to++;
                if (to > from)
                    madvise((void *)(start + from * page), (to - from) * page, MADV_DONTNEED);
                from = to + 1;
            }
            start += count * page;
        }
    }
    return 0;
}

int CLinux_release_code_pages(void) {
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (pagemap < 0) return -1;
    dl_iterate_phdr(release_object, &pagemap);
    close(pagemap);
    return 0;
}
