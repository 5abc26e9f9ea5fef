#!/bin/sh
# Installs aasa from this folder, or takes it away again.
#
# usage: ./install.sh [--prefix DIR] [--uninstall]      (as root; DIR stands for /, to try it)
#
# What is installed is listed in DIR/usr/share/aasa/installed; --uninstall removes exactly that.
# Files in /etc/aasa that were changed, the site and the certificates stay.
set -eu
# A hardened root's would keep the service out of its own folders.
umask 022
cd "$(dirname "$0")"
prefix=
uninstall=
while [ $# -gt 0 ]; do
    case "$1" in
    --prefix)
        prefix=${2:?--prefix needs a folder}
        shift 2
        ;;
    --uninstall)
        uninstall=1
        shift
        ;;
    *)
        sed -n '2,7s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
    esac
done
list=$prefix/usr/share/aasa/installed

if [ -n "$uninstall" ]; then
    [ -r "$list" ] || {
        echo "install.sh: $list is not there: aasa was not installed by this script" >&2
        exit 3
    }
    # While the units are there: a server of a binary that is gone ends with its next restart, and
    # links of `systemctl enable` would point to nothing.
    if [ -z "$prefix" ] && [ -d /run/systemd/system ]; then
        systemctl disable --now aasa.socket aasa.service aasa-watch.service || true
    fi
    while read -r file; do
        case "$file" in
        etc/*) cmp -s "tree/$file" "$prefix/$file" && rm -f "$prefix/$file" ;;
        *) rm -f "$prefix/$file" ;;
        esac
    done <"$list"
    rm -f "$list"
    # Only folders that are empty now and that this script makes.
    for folder in $(cd tree && find . -depth -type d | sed 's|^\./||'); do
        case "$folder" in
        . | usr | etc | lib | usr/bin | usr/share | usr/lib) ;;
        *) rmdir "$prefix/$folder" 2>/dev/null || true ;;
        esac
    done
    if [ -z "$prefix" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
    echo "aasa is removed"
    exit 0
fi

if ! missing=$(LC_ALL=C tree/usr/bin/aasa --version 2>&1); then
    echo "install.sh: the binary does not start here:" >&2
    echo "$missing" >&2
    echo "install OpenSSL 3 and nghttp2 (libssl3, libnghttp2-14; openssl-libs, libnghttp2)" >&2
    exit 3
fi
mkdir -p "$(dirname "$list")"
: >"$list.new"
(cd tree && find . -type d | sed 's|^\./||') | while read -r folder; do
    mkdir -p "$prefix/$folder"
done
(cd tree && find . -type f | sed 's|^\./||' | sort) | while read -r file; do
    target=$prefix/$file
    case "$file" in
    etc/*)
        # A changed configuration is kept; the new one lies beside it.
        if [ -e "$target" ] && ! cmp -s "tree/$file" "$target"; then target=$target.new; fi
        ;;
    esac
    # A running server keeps its binary: the name is given to the new file in one step.
    cp "tree/$file" "$target.aasa-install"
    chmod "$(stat -c %a "tree/$file")" "$target.aasa-install"
    mv -f "$target.aasa-install" "$target"
    echo "$file" >>"$list.new"
done
mv -f "$list.new" "$list"
if [ -z "$prefix" ] && command -v systemd-sysusers >/dev/null; then
    systemd-sysusers /usr/lib/sysusers.d/aasa.conf
fi
# Readable for the service's group alone. What an administrator gave to another group, and what a
# link leads to, stays as it is, over upgrades too.
for path in etc/aasa etc/aasa/site etc/aasa/certs etc/aasa/environment; do
    [ ! -L "$prefix/$path" ] || continue
    [ "$(stat -c %g "$prefix/$path")" = "$(id -g)" ] || continue
    chmod o= "$prefix/$path"
    if [ -z "$prefix" ] && getent group aasa >/dev/null; then chgrp aasa "/$path"; fi
done
if [ -z "$prefix" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
echo "aasa is installed; try it: aasa try"
