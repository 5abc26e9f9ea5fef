// Covers: FleetPublish.swift, FleetStatus.swift, FleetHistory.swift, FleetMoves.swift
// Covers: FleetUpkeep.swift, FleetDifference.swift, FleetTrial.swift, FleetOptions.swift
// Covers: FleetServeOptions.swift, FleetFollower.swift, EtcdOptions.swift, SiteFiles.swift
// Covers: EtcdClient.swift, FleetAgent.swift, AgentRun.swift

import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct FleetCommandTests {
    private let etcd: EtcdProcess
    private let site: SampleSite

    init() throws {
        etcd = try EtcdProcess()
        site = try SampleSite()
    }

    private func fleet(_ arguments: String...) throws -> Tool.Result {
        try Tool.aasa(
            ["fleet"] + arguments, environment: ["AASA_FLEET": "web", "AASA_ETCD": etcd.url])
    }

    private func serve(
        _ machine: String, state: String, _ options: [String] = []
    ) throws -> ServerProcess {
        try ServerProcess(
            fleetOf: site,
            options: [
                "--fleet", "web", "--etcd", etcd.url, "--machine", machine, "--state", state,
                "--certs", site.certs,
            ] + options)
    }

    private func change(_ path: String) throws {
        let team = SampleSite.teams[0]
        try site.write(
            "example.com/teams/\(team).json", SampleSite.fragment(team, path: path))
    }

    private func document(_ server: ServerProcess) throws -> String {
        String(decoding: try server.client().get().body, as: UTF8.self)
    }

    @Test func aPublicationIsServedByEveryMachineAndTakenBack() throws {
        let first = try fleet("publish", site.site, "--note", "first")
        #expect(first.status == 0 && first.stdout.contains("revision 1 published"), "\(first)")
        let one = try serve("m1", state: site.folder.path("s1"))
        let two = try serve("m2", state: site.folder.path("s2"))
        let both = try fleet("status", "--wait", "30s", "--expect", "2")
        #expect(both.status == 0 && both.stdout.contains("2 of 2 serve 1"), "\(both)")

        try change("/new/*")
        let plan = try fleet("publish", site.site, "--dry-run")
        #expect(plan.stdout.contains("/new/*"), "\(plan)")
        #expect(try fleet("publish", site.site).status == 0)
        #expect(try fleet("status", "--wait", "30s", "--expect", "2").status == 0)
        for server in [one, two] { #expect(try document(server).contains("/new/*")) }
        let difference = try fleet("diff", "2")
        #expect(difference.status == 1 && difference.stdout.contains("~ rule"), "\(difference)")

        // What has errors is not published.
        try site.write("example.com/teams/\(SampleSite.teams[1]).json", "{")
        let broken = try fleet("publish", site.site)
        #expect(broken.status == 1 && broken.stderr.contains("json-truncated"), "\(broken)")

        #expect(try fleet("rollback", "1", "--note", "oops").status == 0)
        #expect(try fleet("status", "--wait", "30s", "--expect", "2").status == 0)
        #expect(try !document(one).contains("/new/*"))
        let history = try fleet("history")
        #expect(history.stdout.contains("[stable]  first"), "\(history)")
        #expect(history.stdout.contains("rollback to 1"), "\(history)")
        let metrics = try one.metric("aasa_fleet_revision")
        #expect(metrics == 1)

        // A machine that ends leaves the list at once.
        #expect(two.stop() == 0)
        let alone = try fleet("status")
        #expect(alone.stdout.contains("1 of 1 serves 1"), "\(alone)")
        #expect(try fleet("verify").status == 0)
    }

    @Test func withoutEtcdAMachineServesOnAndStarts() throws {
        #expect(try fleet("publish", site.site).status == 0)
        let state = site.folder.path("s1")
        let first = try serve("m1", state: state)
        etcd.kill()
        #expect(try first.client().get().status == 200)
        #expect(first.stop() == 0)
        let again = try serve("m1", state: state)
        #expect(try again.client().get().status == 200)
        #expect(again.eventually { again.log.contains("what is served stays") })
        // It comes back, and is followed again.
        try etcd.restart()
        try change("/back/*")
        #expect(try fleet("publish", site.site).status == 0)
        let status = try fleet("status", "--wait", "30s")
        #expect(status.status == 0, "\(status)\n\(again.log)")
        #expect(try document(again).contains("/back/*"))
        let nothing = try Tool.aasa([
            "serve", "--fleet", "web", "--etcd", "http://127.0.0.1:1", "--listen", "127.0.0.1:0",
        ])
        #expect(nothing.status == 2 && nothing.stderr.contains("--state"), "\(nothing)")
    }

    /// Whatever somebody puts into the store: nobody serves it, everybody says why.
    @Test func damageInTheStoreIsRefusedByEveryMachine() throws {
        #expect(try fleet("publish", site.site).status == 0)
        let one = try serve("m1", state: site.folder.path("s1"))
        #expect(try fleet("status", "--wait", "30s").status == 0)
        let before = try document(one)
        // Published as it should be, and spoiled before the machine wakes up.
        one.signal(SIGSTOP)
        try change("/poisoned/*")
        #expect(try fleet("publish", site.site).status == 0)
        for key in try etcd.control(["get", "--prefix", "/aasa/web/blobs/", "--keys-only"]).stdout
            .split(separator: "\n")
        {
            let value = try etcd.control(["get", "--print-value-only", String(key)]).stdout
            if value.contains("/poisoned/*") {
                try etcd.control(["put", String(key), "{\"poison\":true}"])
            }
        }
        one.signal(SIGCONT)
        let isRefused = try one.eventually {
            try fleet("status").stdout.contains("refused 2: ")
        }
        #expect(isRefused, "\(one.log)")
        #expect(try document(one) == before)
        #expect(try fleet("status").status == 1)
        #expect(try fleet("verify").status == 1)
        #expect(try fleet("rollback", "1").status == 0)
        #expect(try fleet("status", "--wait", "30s").status == 0)
        // The pointer itself.
        try etcd.control(["put", "/aasa/web/channels/stable", "{}"])
        let isNoticed = try one.eventually { try one.metric("aasa_fleet_refused") == 1 }
        #expect(isNoticed, "\(one.log)")
        #expect(try document(one) == before)
    }

    @Test func certificatesComeEncryptedAndAreServed() throws {
        let key = site.folder.path("fleet.key")
        #expect(try fleet("key", key).status == 0)
        let missing = try fleet("publish", site.site, "--certs", site.certs)
        #expect(missing.status == 3 && missing.stderr.contains("--fleet-key"), "\(missing)")
        let published = try fleet(
            "publish", site.site, "--certs", site.certs, "--fleet-key", key)
        #expect(published.status == 0, "\(published)")
        let stored = try etcd.control(["get", "--prefix", "/aasa/"]).outputBytes
        #expect(!String(decoding: stored, as: UTF8.self).contains("PRIVATE KEY"))
        let server = try ServerProcess(
            fleetOf: site,
            options: [
                "--fleet", "web", "--etcd", etcd.url, "--machine", "m1", "--state",
                site.folder.path("s1"), "--fleet-key", key,
            ])
        #expect(try server.client().get().status == 200)
        #expect(try fleet("verify", "--fleet-key", key).status == 0)
        // Two keys at once, and then the new one alone.
        #expect(try fleet("key", key, "--add").status == 0)
        let again = try fleet("publish", site.site, "--certs", site.certs, "--fleet-key", key)
        #expect(again.stdout.contains("revision 2"), "\(again)")
        // The machine has the old key alone until it is restarted: it refuses, and serves on.
        let isRefused = try server.eventually {
            try fleet("status").stdout.contains("no key of this machine opens it")
        }
        #expect(isRefused, "\(server.log)")
        #expect(try server.client().get().status == 200)
        #expect(server.stop() == 0)
        let next = try ServerProcess(
            fleetOf: site,
            options: [
                "--fleet", "web", "--etcd", etcd.url, "--machine", "m1", "--state",
                site.folder.path("s1"), "--fleet-key", key,
            ])
        #expect(try fleet("status", "--wait", "30s").status == 0, "\(next.log)")
    }

    /// The roles of deploy/fleet/README.md: a machine's user cannot publish.
    @Test func rolesHoldWhatTheyPromise() throws {
        #expect(try fleet("publish", site.site).status == 0)
        for arguments in [
            ["user", "add", "root:r"], ["user", "grant-role", "root", "root"],
            ["user", "add", "machine:m"], ["role", "add", "aasa-machine"],
            ["role", "grant-permission", "aasa-machine", "--prefix=true", "read", "/aasa/web/"],
            [
                "role", "grant-permission", "aasa-machine", "--prefix=true", "readwrite",
                "/aasa/web/machines/",
            ],
            ["user", "grant-role", "machine", "aasa-machine"],
            ["user", "add", "reader:o"], ["role", "add", "aasa-reader"],
            ["role", "grant-permission", "aasa-reader", "--prefix=true", "read", "/aasa/web/"],
            ["user", "grant-role", "reader", "aasa-reader"],
            ["auth", "enable"],
        ] {
            let done = try etcd.control(arguments)
            #expect(done.status == 0, "\(arguments): \(done)")
        }
        let password = try site.folder.write("machine.pw", "m\n")
        let reader = try site.folder.write("reader.pw", "o\n")
        let asMachine = ["--etcd-user", "machine", "--etcd-password-file", password]
        let server = try serve("m1", state: site.folder.path("s1"), asMachine)
        let status = try Tool.aasa(
            [
                "fleet", "status", "--wait", "30s", "--etcd-user", "reader", "--etcd-password-file",
                reader,
            ], environment: ["AASA_FLEET": "web", "AASA_ETCD": etcd.url])
        #expect(status.status == 0, "\(status)\n\(server.log)")
        try change("/denied/*")
        for arguments in [["publish", site.site], ["rollback", "1", "--channel", "x"]] {
            for user in [asMachine, ["--etcd-user", "reader", "--etcd-password-file", reader]] {
                let denied = try Tool.aasa(
                    ["fleet"] + arguments + user,
                    environment: ["AASA_FLEET": "web", "AASA_ETCD": etcd.url])
                #expect(denied.status == 3, "\(denied)")
                #expect(denied.stderr.contains("permission denied"), "\(denied)")
            }
        }
        let stranger = try fleet("status")
        #expect(stranger.status == 3, "\(stranger)")
    }
}
