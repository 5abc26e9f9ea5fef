#include "cbuild.h"

#ifndef AASA_COMMIT
#define AASA_COMMIT ""
#endif

// A function and not a constant: Swift would fold a constant of the header into its own object
// files, and they are not rebuilt when only the commit changes.
const char *CBuild_commit(void) { return AASA_COMMIT; }
