import TestSupport
import Testing

@testable import AASAServer

@Suite struct MemoryGroupTests {
    private func groups(_ membership: String, _ files: [String: String]) -> [MemoryGroup] {
        MemoryGroup.own(membership: membership) { files[$0] }
    }

    @Test func theOwnGroupAndThoseAboveIt() {
        let found = groups(
            "0::/system.slice/aasa.service\n",
            [
                "/sys/fs/cgroup/system.slice/aasa.service/memory.max": "268435456\n",
                "/sys/fs/cgroup/system.slice/memory.max": "max\n",
                "/sys/fs/cgroup/memory.max": "1073741824\n",
            ])
        expectEqual(found.map(\.limit), [268_435_456, 1_073_741_824])
        expectEqual(
            found.map(\.folder), ["/sys/fs/cgroup/system.slice/aasa.service", "/sys/fs/cgroup"])
    }

    /// In a container with a namespace of its own the path is `/`; without one it is the host's,
    /// which is not mounted.
    @Test(arguments: ["0::/\n", "0::/kubepods/burstable/pod1/4f\n"])
    func inAContainerTheRootIsTheOwn(membership: String) {
        let found = groups(membership, ["/sys/fs/cgroup/memory.max": "134217728"])
        expectEqual(found.map(\.limit), [134_217_728])
    }

    @Test func theFirstVersionHasOtherNames() {
        let found = groups(
            "12:cpu,cpuacct:/x\n9:memory:/docker/4f\n0::/\n",
            [
                "/sys/fs/cgroup/memory/docker/4f/memory.limit_in_bytes": "536870912\n",
                // PAGE_COUNTER_MAX: no limit.
                "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            ])
        expectEqual(found.map(\.limit), [536_870_912])
        expectEqual(found.map(\.isFirstVersion), [true])
    }

    @Test func nonsenseIsNoGroup() {
        #expect(groups("", [:]).isEmpty)
        #expect(groups("\n:\n::\n1:2\n", ["/sys/fs/cgroup/memory.max": "5"]).isEmpty)
    }

    @Test func theCacheOfFilesDoesNotCount() {
        let second = MemoryGroup(folder: "/g", limit: 1000, isFirstVersion: false)
        let stat = "anon 100\nfile 800\nkernel_stack 10\npagetables 10\nshmem 30\nsock 50\n"
        expectEqual(second.share { $0 == "/g/memory.stat" ? stat : nil }, 0.2)
        let first = MemoryGroup(folder: "/g", limit: 1000, isFirstVersion: true)
        let files = [
            "/g/memory.stat": "cache 800\ntotal_rss 100\ntotal_shmem 50\n",
            "/g/memory.kmem.tcp.usage_in_bytes": "50\n",
            "/g/memory.kmem.usage_in_bytes": "100\n",
        ]
        expectEqual(first.share { files[$0] }, 0.3)
        expectEqual(second.share { _ in nil }, 0)
    }
}
