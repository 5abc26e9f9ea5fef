// What this binary was built from, as the package's manifest was told (AASA_COMMIT).
#ifndef AASA_CBUILD_H
#define AASA_CBUILD_H

// The commit, abbreviated; an empty string when the build was not told.
const char *CBuild_commit(void);
#endif
