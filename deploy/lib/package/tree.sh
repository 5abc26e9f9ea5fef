# The tree that every package installs (sourced by deploy/package): files below usr, etc and lib.

package_version() {
    sed -n 's/.*static let number = "\([0-9][^"]*\)".*/\1/p' Sources/aasa/Version.swift
}

package_commit() {
    local commit
    commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || commit=unknown
    [ -z "$(git status --porcelain 2>/dev/null)" ] || commit=$commit-modified
    echo "$commit"
}

# same_times FOLDER: every file gets the commit's time, so that two builds are equal.
same_times() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# put MODE SOURCE TARGET: one file, folders made as needed.
put() { install -D -m "$1" "$2" "$3"; }

# Man pages of every command, from the binary's own description of itself, by argument-parser's
# generator.
stage_manual() {
    local root=$1 binary=$2 pages date page generator
    pages=$root/usr/share/man/man1
    mkdir -p "$pages"
    need_build_packages
    swift build --product generate-manual >&2
    date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)
    generator=.build/debug/generate-manual
    [ -x "$generator" ] || generator=$generator-tool
    LC_ALL=C.UTF-8 "$generator" "$binary" --multi-page --section 1 --date "$date" \
        --output-directory "$pages" >&2
    LC_ALL=C.UTF-8 python3 deploy/lib/package/manual.py "$pages"
    for page in "$pages"/*; do gzip -9n "$page"; done
}

stage_completions() {
    local root=$1 binary=$2
    mkdir -p "$root/usr/share/bash-completion/completions" \
        "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d"
    # Sourced, never run: it has no interpreter line.
    "$binary" --generate-completion-script bash | sed '1{/^#!/d}' \
        >"$root/usr/share/bash-completion/completions/aasa"
    "$binary" --generate-completion-script zsh >"$root/usr/share/zsh/vendor-completions/_aasa"
    "$binary" --generate-completion-script fish >"$root/usr/share/fish/vendor_completions.d/aasa.fish"
}

# stage_tree ROOT BINARY: everything but what Debian alone wants.
stage_tree() {
    local root=$1 binary=$2 file
    mkdir -p "$root"
    put 755 "$binary" "$root/usr/bin/aasa"
    strip --remove-section=.comment --remove-section=.note "$root/usr/bin/aasa"
    for file in aasa.service aasa.socket aasa-watch.service; do
        put 644 "deploy/systemd/$file" "$root/lib/systemd/system/$file"
    done
    put 644 deploy/systemd/aasa.sysusers "$root/usr/lib/sysusers.d/aasa.conf"
    for file in deploy/certificates/*; do
        put 755 "$file" "$root/usr/share/aasa/certificates/${file##*/}"
    done
    stage_manual "$root" "$binary"
    stage_completions "$root" "$binary"
    # Installing makes them readable for the service's group alone.
    put 644 deploy/lib/package/environment "$root/etc/aasa/environment"
    install -d -m 755 "$root/etc/aasa/site" "$root/etc/aasa/certs"

    local doc=$root/usr/share/doc/aasa
    put 644 README.md "$doc/README.md"
    put 644 deploy/README.md "$doc/deploy/README.md"
    for file in RELEASE-DAY TEAMS CERTIFICATES CHANGELOG OPTIONS; do put 644 "deploy/$file.md" "$doc/deploy/$file.md"; done
    for file in guides fronts fleet prometheus reference; do
        (cd deploy && find "$file" -name '*.md' -o -name '*.webp') | while read -r page; do
            put 644 "deploy/$page" "$doc/deploy/$page"
        done
    done
    for file in deploy/fronts/*.c* deploy/fronts/*.json; do
        put 644 "$file" "$doc/examples/fronts/${file##*/}"
    done
    put 644 deploy/kernel/60-aasa.conf "$doc/examples/sysctl/60-aasa.conf"
    for file in deploy/prometheus/*.yml deploy/prometheus/*.json; do
        put 644 "$file" "$doc/examples/prometheus/${file##*/}"
    done
    (cd site && find . -type f) | while read -r file; do
        put 644 "site/$file" "$doc/examples/site/$file"
    done
}
