#include "cnghttp2.h"
