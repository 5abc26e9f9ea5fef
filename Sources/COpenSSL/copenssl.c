#include "copenssl.h"

static _Thread_local void *thread_key_pool;

void *COpenSSL_thread_key_pool(void) { return thread_key_pool; }
void COpenSSL_set_thread_key_pool(void *pool) { thread_key_pool = pool; }
