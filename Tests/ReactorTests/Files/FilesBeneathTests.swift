// Covers: Files+Beneath.swift

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Reactor

@Suite struct FilesBeneathTests {
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder("beneath")
        try folder.write("outside", "secret")
        try folder.write("root/host/file", "public")
        root = try #require(Files.resolved(folder.path("root")))
    }

    private func read(_ path: String) throws -> String {
        let bytes = try Files.read(folder.path(path), limit: 100, beneath: [root])
        return String(decoding: bytes, as: UTF8.self)
    }

    /// With openat2(2), and where the kernel has none or a filter forbids it.
    @Test(arguments: [nil, ENOSYS, EPERM] as [Int32?])
    func linksWorkBelowTheRootAndNowhereElse(number: Int32?) throws {
        func arm() {
            if let number { FaultInjection.arm(.openat2, times: 1000, number: number) }
        }
        defer { FaultInjection.disarm() }
        arm()
        try expectEqual(read("root/host/file"), "public")

        // Kubernetes: file → ..data/file, ..data → ..2026_11_22.
        try folder.write("root/volume/..2026_11_22/file", "mounted")
        expectEqual(symlink("..2026_11_22", folder.path("root/volume/..data")), 0)
        expectEqual(symlink("..data/file", folder.path("root/volume/file")), 0)
        try expectEqual(read("root/volume/file"), "mounted")
        // A link from one host to another, and an absolute one that stays inside.
        expectEqual(symlink("../volume/file", folder.path("root/host/other")), 0)
        try expectEqual(read("root/host/other"), "mounted")
        expectEqual(symlink(root + "/host/file", folder.path("root/absolute")), 0)
        try expectEqual(read("root/absolute"), "public")

        for (name, target) in [
            ("relative", "../../outside"), ("far", folder.path("outside")),
            ("through", "../../root/../outside"),
        ] {
            expectEqual(symlink(target, folder.path("root/host/\(name)")), 0)
            let error = #expect(throws: FileError.self) { try read("root/host/\(name)") }
            guard case .outside(let place) = error?.reason else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
            #expect(place.hasSuffix("/outside"))
        }
        // A folder whose name only begins like the root's.
        try folder.write("root-of-others/file", "secret")
        expectEqual(symlink("../../root-of-others", folder.path("root/host/near")), 0)
        #expect(throws: FileError.self) { try read("root/host/near/file") }
        let missing = #expect(throws: FileError.self) { try read("root/host/missing") }
        expectEqual(missing?.isMissing, true)
    }

    private final class End: Sendable {
        let flag = Atomic<Bool>(false)
    }

    /// A link that is swapped between a file inside and one outside, while it is read: the outside
    /// is never seen. Looking first (realpath) and opening then (open) shows it within a second.
    @Test(arguments: [nil, ENOSYS] as [Int32?])
    func aSwappedLinkNeverLeadsOut(number: Int32?) throws {
        let link = folder.path("root/host/swapped")
        let spare = folder.path("root/host/spare")
        let targets = ["file", "../../outside"]
        expectEqual(symlink(targets[0], link), 0)
        let end = End()
        let swapper = Thread {
            var turn = 0
            while !end.flag.load(ordering: .relaxed) {
                turn += 1
                unlink(spare)
                _ = symlink(targets[turn % 2], spare)
                rename(spare, link)
            }
        }
        swapper.start()
        defer { end.flag.store(true, ordering: .relaxed) }
        if let number { FaultInjection.arm(.openat2, times: 1_000_000, number: number) }
        defer { FaultInjection.disarm() }
        var seen: [String: Int] = [:]
        var reads = 0
        // The other thread may start late: both have to have been met.
        while reads < 5000 || (reads < 1_000_000 && seen.count < 2) {
            reads += 1
            do {
                seen[try read("root/host/swapped"), default: 0] += 1
            } catch is FileError {
                seen["refused", default: 0] += 1
            }
        }
        #expect(seen["secret"] == nil, "\(seen)")
        #expect(seen["public", default: 0] > 0 && seen["refused", default: 0] > 0, "\(seen)")
    }
}
