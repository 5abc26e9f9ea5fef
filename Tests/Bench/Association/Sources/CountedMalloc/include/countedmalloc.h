#ifndef COUNTEDMALLOC_H
#define COUNTEDMALLOC_H

/* Number of allocations this process has made so far, in all threads. */
unsigned long countedmalloc_count(void);

#endif
