# Shared by the scripts in deploy/ (sourced, not run): messages, system packages, Swift.

say() { printf '%s\n' "$*" >&2; }
die() {
    say "$(basename "$0"): $*"
    exit 3
}

# Runs a command as root: directly, or through sudo.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "'$1' needs root and there is no sudo: run this script as root, or install $PACKAGES"
    fi
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# need_packages WHY PACKAGE...: installs the missing ones, without starting what they bring.
need_packages() {
    local why=$1 missing=() package
    shift
    # Tools that were installed by hand are not visible here: the build reports what is missing.
    if ! command -v dpkg-query >/dev/null; then
        say "this is not Debian or Ubuntu; what lacks has to be installed by hand ($why): $*"
        return 0
    fi
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    PACKAGES="${missing[*]}"
    say "installing $PACKAGES ($why)"
    install_packages "${missing[@]}"
}

# Some packages bring daemons, and none may start (invoke-rc.d(8)). The policy that says so is taken
# away again however this script ends: left behind, it would keep every daemon of the machine from
# starting, for ever. One that was there already is left as it is.
policy=/usr/sbin/policy-rc.d
policy_is_ours=
forbid_daemons() {
    [ ! -e "$policy" ] || return 0
    policy_is_ours=1
    trap allow_daemons EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap 'exit 129' HUP
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
}
allow_daemons() {
    [ -n "$policy_is_ours" ] || return 0
    as_root rm -f "$policy"
    policy_is_ours=
    trap - EXIT INT TERM HUP
}

install_packages() {
    local log options
    log=$(mktemp)
    options=(-y -q --no-install-recommends -o DPkg::Lock::Timeout=300)
    # The lists of a fresh machine are empty or old; installing straight away is faster when not.
    if ! apt_get "${options[@]}" -s install "$@" >"$log" 2>&1; then
        as_root apt-get -q -o DPkg::Lock::Timeout=300 update >"$log" 2>&1 ||
            say "apt-get update failed: $(tail -n 3 "$log")"
    fi
    forbid_daemons
    local status=0
    as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install "$@" \
        >"$log" 2>&1 </dev/null || status=$?
    allow_daemons
    if [ "$status" != 0 ]; then
        tail -n 15 "$log" >&2
        rm -f "$log"
        die "apt-get could not install: $* (the lines above are its reason)"
    fi
    rm -f "$log"
}

apt_get() { env DEBIAN_FRONTEND=noninteractive apt-get "$@" </dev/null; }

# swift_libraries LIBRARY: Debian's package of a library that Swift's programs load.
swift_libraries() {
    case "$1" in
    libncurses* | libtinfo* | libform* | libpanel*) echo libncurses6 ;;
    libxml2*) echo libxml2 ;;
    libcurl*) echo libcurl4 ;;
    libedit*) echo libedit2 ;;
    libsqlite3*) echo libsqlite3-0 ;;
    libz3*) echo libz3-4 ;;
    libpython3*) echo libpython3-dev ;;
    libuuid*) echo libuuid1 ;;
    *) echo "libncurses6 libxml2 libcurl4 libedit2 libsqlite3-0 libpython3-dev" ;;
    esac
}

need_swift() {
    command -v swift >/dev/null ||
        die "Swift is not installed: get 6.2 or newer from https://www.swift.org/install/linux"
    local said version library
    if ! said=$(swift --version 2>&1); then
        library=$(sed -nE 's/.*shared libraries: ([^ :]+).*/\1/p' <<<"$said" | head -n 1)
        say "$said"
        die "swift cannot start${library:+: the library $library is missing}; install what Swift needs:" \
            "apt-get install $(swift_libraries "$library") (https://www.swift.org/install/linux)"
    fi
    version=$(sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' <<<"$said" | head -n 1)
    case "$version" in
    [0-5].* | 6.0 | 6.1) die "Swift $version is too old: aasa needs 6.2 or newer" ;;
    esac
}

need_build_packages() {
    need_packages "aasa is built on OpenSSL 3 and nghttp2" \
        libssl-dev libnghttp2-dev pkg-config zlib1g-dev git ca-certificates
}

# build_release: .build/release/aasa, with Swift's runtime inside and OpenSSL from the system.
build_release() {
    swift build -c release --static-swift-stdlib --product aasa
}
