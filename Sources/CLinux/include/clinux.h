#ifndef AASA_CLINUX_H
#define AASA_CLINUX_H
#include <sys/epoll.h>
#endif
