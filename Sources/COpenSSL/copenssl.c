#include "copenssl.h"

static _Thread_local void *thread_reserve;

void *COpenSSL_thread_reserve(void) { return thread_reserve; }
void COpenSSL_set_thread_reserve(void *reserve) { thread_reserve = reserve; }
