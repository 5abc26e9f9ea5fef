# The stages of deploy/test (sourced, not run): each installs what it needs, builds what it tests,
# and ends with `N passed, N failed` if it counts.

python=$PWD/.build/python/bin/python3

# need_python PACKAGE…: a virtual environment of the tests' own, with these packages from PyPI.
need_python() {
    need_packages "the attack suite and the reports are Python" python3
    # Asked for pip, not for python alone: an interruption may have left one without the other.
    if ! "$python" -m pip --version >/dev/null 2>&1; then
        python3 -c 'import ensurepip, venv' 2>/dev/null ||
            need_packages "tests keep their Python packages in a venv" python3-venv
        python3 -m venv --clear .build/python
    fi
    local missing=() package
    for package in "$@"; do
        "$python" -m pip -q show "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing from PyPI into .build/python: ${missing[*]}"
    "$python" -m pip -q --disable-pip-version-check install "${missing[@]}" </dev/null
}

# Prometheus and its checker, taken out of their package: installing it would start a monitoring
# daemon.
need_promtool() {
    command -v promtool >/dev/null && command -v prometheus >/dev/null && return
    [ -x .build/tools/usr/bin/promtool ] && return
    say "fetching promtool (from Debian's prometheus package) into .build/tools"
    mkdir -p .build/tools
    (
        cd .build/tools
        apt-get -q download prometheus >/dev/null 2>&1 || {
            as_root apt-get -q update >/dev/null && apt-get -q download prometheus >/dev/null
        }
        dpkg-deb -x prometheus_*.deb .
    )
}

# One build serves all default stages: the debug build of the tests has the `aasa` and `simulate`
# that the end-to-end tests, the simulation and the attacks run. Processor time from a clean clone:
# debug for everything 8.2 min; release with -enable-testing for everything 13.8 min. An index for
# editors and what a debugger reads are a fifth of it, and no test needs them. The stages of --all
# that count instructions or load a server build what ships.
debug_build() {
    need_build_packages
    swift build --build-tests --disable-index-store -debug-info-format none >&2
    export AASA_BINARY=$PWD/.build/debug/aasa
}

release_binary() {
    need_build_packages
    build_release >&2
    export AASA_BINARY=$PWD/.build/release/aasa
}

# With `deploy/test --filter` only the tests that match, whatever the stage selects.
swift_tests() {
    if [ -n "${AASA_TEST_FILTER:-}" ]; then set -- --filter "$AASA_TEST_FILTER"; fi
    python3 deploy/lib/swift_tests.py "$@"
}

stage_format() {
    local sources
    mapfile -t sources < <(git ls-files -co --exclude-standard '*.swift' |
        grep -vE '/(Fixtures|Corpus|FailCases)/')
    swift format lint --strict --parallel "${sources[@]}"
    echo "${#sources[@]} passed, 0 failed"
}

stage_build() {
    debug_build
    "$AASA_BINARY" --version
}

# Most tests wait for a process, a socket or a timer: more processes than cores keep both busy.
stage_unit() {
    need_packages "unit tests run real tools" python3 curl openssl
    debug_build
    swift_tests --processes 3 --skip '^EndToEndTests\.'
}

need_clients() {
    need_packages "end-to-end tests use real clients and tools" \
        python3 curl openssl wrk nghttp2-client strace valgrind pebble etcd-server etcd-client
}

stage_e2e() {
    need_clients
    debug_build
    swift_tests --processes 4 --filter '^EndToEndTests\.'
}

# The worker's decisions against drawn clients and attackers, on a simulated clock.
stage_simulation() {
    debug_build
    SIMULATE_BINARY=$PWD/.build/debug/simulate Tests/Simulation/run --seeds 60 --size 1500
}

need_attackers() {
    need_packages "attacks are measured from outside, and tried on nginx as well" \
        curl openssl strace iproute2 nginx-light nghttp2-client
    need_python h2 hpack httpx
}

# One row of each class: what proves that the defence is there. The costs are the release's matter.
stage_attack() {
    need_attackers
    debug_build
    PATH=$PWD/.build/python/bin:$PATH Tests/Attacks/run --sample
}

stage_attacks() {
    need_attackers
    release_binary
    PATH=$PWD/.build/python/bin:$PATH Tests/Attacks/run
}

stage_release() {
    release_binary
    "$AASA_BINARY" --version
}

# Most of its time is waiting: its files run side by side.
stage_certificates() {
    need_packages "automatic certificates are tested against real authorities and clients" \
        python3 curl openssl nghttp2-client strace pebble certbot lego faketime \
        etcd-server etcd-client
    release_binary
    Tests/Certificates/run
}

stage_guards() {
    need_packages "the cost of a request is counted by these" \
        strace valgrind binutils openssl python3
    release_binary
    Tests/Guards/run
    # The worker's decisions against drawn clients and attackers, on a simulated clock.
    Tests/Simulation/run --size 3000
}

stage_fuzz() {
    need_build_packages
    SWIFT_BACKTRACE=enable=no Tests/Fuzz/run "${FUZZ_SECONDS:-30}"
}

stage_deploy() {
    need_packages "deployment files are checked by the tools that read them" \
        curl openssl shellcheck systemd chromium python3 wrk strace procps xz-utils \
        nginx-light libnginx-mod-stream haproxy
    need_python pyyaml kubernetes-validate sslyze websockets jsonschema \
        prometheus-client botocore
    need_promtool
    need_packages "TLS is judged by other people's scanners" testssl.sh sslscan bsdextrautils
    release_binary
    PATH=$PWD/.build/python/bin:$PWD/.build/tools/usr/bin:$PATH deploy/check
}

# Their rows depend on the speed of cores that others share: a row that is not as expected is
# reported and no failure. An experiment that cannot run is one.
stage_experiments() {
    need_packages "the quick overload experiments: a slow server and a storm" python3 curl openssl
    release_binary
    swift build -c release --static-swift-stdlib --product experiment-server
    local status=0
    Tests/Experiments/run --quick || status=$?
    if [ "$status" = 1 ]; then echo "REPORT: some experiments are not as expected"; fi
    [ "$status" -le 1 ]
}

stage_examples() {
    need_packages "a package that uses the library is built and run" python3
    Tests/Examples/run
}

# A server on somebody else's framework: its packages are a first build of minutes.
stage_hummingbird() {
    need_packages "a server that uses the library is built, run and asked" python3 curl
    release_binary
    Tests/Examples/run HummingbirdServer
}

stage_fleet() {
    need_packages "a fleet's bad day: etcd, namespaces, certificates" \
        python3 openssl iproute2 etcd-server etcd-client nghttp2-client
    release_binary
    as_root env AASA_BINARY="$AASA_BINARY" Tests/Fleet/run
}

# What changes do the tests not notice? Some 15 minutes on a quiet machine.
stage_mutation() {
    need_build_packages
    Tests/Mutation/run
}

# The suite under one sanitizer. Both look at a release with a debug build's assertions and faults
# to order: a debug build's argument parser judges all our commands at each start of the tool, two
# thirds of a run's time. The address sanitizer looks at optimized code, in which objects end at
# their last use, as in what ships. The thread sanitizer does not: it cannot see the counts of
# references by which optimized code knows that an array is its own. It looks at what more than one
# thread runs. A crash gets no backtrace: the address sanitizer ends the crashed process, and then
# Swift's program for backtraces waits for it without end.
sanitize() {
    local kind=$1 flags=() tests=()
    local build=(-c release --sanitize "$kind" --scratch-path ".build-$kind")
    local threads="AASAFleetTests AASAServerTests AASAStormTests ACMETests EndToEndTests"
    threads+=" OpenSSLTests ReactorTests"
    local one_thread='^ACMETests\.(Year|OrderMachine)Tests/|^AASAServerTests\.SharedLinkTests/'
    one_thread+='|^EndToEndTests\.LinkReportTests/manyTestsTimesManyRulesAreBounded'
    if [ "$kind" = thread ]; then
        export AASA_TEST_TARGETS=$threads
        flags=(-Xswiftc -Onone) tests=(--skip "$one_thread")
    fi
    swift build --build-tests "${build[@]}" -Xswiftc -enable-testing \
        -Xswiftc -assert-config -Xswiftc Debug -Xswiftc -DFAULT_INJECTION "${flags[@]}"
    AASA_BINARY=$PWD/.build-$kind/release/aasa AASA_SANITIZER=$kind SWIFT_BACKTRACE=enable=no \
        python3 deploy/lib/swift_tests.py --bundle ".build-$kind/release/aasaPackageTests.xctest" \
        "${tests[@]}"
}

# Side by side, as each waits for half of its time, and to their ends, as each finds what the other
# cannot.
stage_sanitize() {
    need_build_packages
    need_clients
    local kind failed=0
    local -A runs=()
    export LSAN_OPTIONS="suppressions=$PWD/deploy/lib/leaks.supp:print_suppressions=0"
    for kind in thread address; do
        (sanitize "$kind") >"$logs/sanitize-$kind.log" 2>&1 &
        runs[$kind]=$!
    done
    for kind in thread address; do
        if ! wait "${runs[$kind]}"; then
            say "sanitize: the $kind sanitizer's run failed"
            failed=1
        fi
        cat "$logs/sanitize-$kind.log"
    done
    return "$failed"
}

stage_packages() {
    need_packages "packages are made, judged and installed in a clean root" \
        python3 curl lintian dpkg-dev xz-utils debootstrap buildah iproute2
    release_binary
    as_root env AASA_BINARY="$AASA_BINARY" Tests/Packages/run
}
