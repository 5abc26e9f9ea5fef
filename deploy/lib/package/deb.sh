# Makes the Debian package (sourced by deploy/package).

# The changelog of the project, newest release first, in Debian's form.
debian_changelog() {
    local date
    date=$(date -u -R -d "@$SOURCE_DATE_EPOCH")
    python3 deploy/lib/package/changelog.py deploy/CHANGELOG.md "$version" "$date"
}

# What the binary links against, as dpkg-shlibdeps finds it: security updates of OpenSSL and
# nghttp2 reach an installed aasa.
binary_depends() {
    mkdir -p "$work/shlibs/debian"
    printf 'Source: aasa\n\nPackage: aasa\nArchitecture: any\n' >"$work/shlibs/debian/control"
    (cd "$work/shlibs" && dpkg-shlibdeps -O "$1" 2>/dev/null) |
        sed -n 's/^shlibs:Depends=//p'
}

control() {
    local package=$1 depends=$2 section=$3 size=$4
    cat <<END
Package: $package
Source: aasa
Version: $version
Architecture: $architecture
Maintainer: aasa maintainers <maintainers@aasa.example>
Installed-Size: $size
Section: $section
Priority: optional
END
    [ -z "$depends" ] || echo "Depends: $depends"
}

make_deb() {
    local root=$work/deb debug=$work/dbgsym depends id size
    stage_tree "$root" "$binary"
    depends=$(binary_depends "$root/usr/bin/aasa")
    [ -n "$depends" ] || die "dpkg-shlibdeps found no libraries: is $binary a release binary?"

    # Debian's own: copyright, changelog, maintainer scripts.
    put 644 deploy/lib/package/copyright "$root/usr/share/doc/aasa/copyright"
    debian_changelog >"$root/usr/share/doc/aasa/changelog"
    gzip -9n "$root/usr/share/doc/aasa/changelog"
    install -d -m 755 "$root/DEBIAN"
    echo /etc/aasa/environment >"$root/DEBIAN/conffiles"
    for script in postinst prerm postrm; do
        put 755 "deploy/lib/package/$script" "$root/DEBIAN/$script"
    done
    size=$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)
    {
        control aasa "$depends, adduser" net "$size"
        echo "Recommends: ca-certificates"
        echo "Suggests: certbot | lego, prometheus"
        cat deploy/lib/package/description
    } >"$root/DEBIAN/control"
    (cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\n' | sort | xargs md5sum) \
        >"$root/DEBIAN/md5sums"
    same_times "$root"
    dpkg-deb --root-owner-group -Zxz --build "$root" "$output/aasa_${version}_$architecture.deb" >&2

    # The symbols, found by debuggers through the build id.
    id=$(readelf -n "$binary" | sed -n 's/.*Build ID: //p')
    if [ -n "$id" ]; then
        mkdir -p "$debug/usr/lib/debug/.build-id/${id:0:2}" "$debug/DEBIAN" \
            "$debug/usr/share/doc/aasa-dbgsym"
        objcopy --only-keep-debug --compress-debug-sections "$binary" \
            "$debug/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
        chmod 644 "$debug/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
        rmdir "$debug/usr/share/doc/aasa-dbgsym"
        ln -s aasa "$debug/usr/share/doc/aasa-dbgsym"
        size=$(du -sk --apparent-size --exclude=DEBIAN "$debug" | cut -f1)
        {
            control aasa-dbgsym "aasa (= $version)" debug "$size"
            echo "Auto-Built-Package: debug-symbols"
            echo "Build-Ids: $id"
            echo "Description: debug symbols for aasa"
        } >"$debug/DEBIAN/control"
        (cd "$debug" && find usr -type f | sort | xargs md5sum) >"$debug/DEBIAN/md5sums"
        same_times "$debug"
        dpkg-deb --root-owner-group -Zxz --build "$debug" \
            "$output/aasa-dbgsym_${version}_$architecture.deb" >&2
        echo "$output/aasa-dbgsym_${version}_$architecture.deb"
    fi
    echo "$output/aasa_${version}_$architecture.deb"
}
