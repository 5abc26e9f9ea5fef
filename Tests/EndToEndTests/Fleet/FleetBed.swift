import Foundation
import Glibc
import TestSupport

/// A real etcd, a site, and the commands and machines of a fleet.
struct FleetBed {
    let etcd: EtcdProcess
    let site: SampleSite

    init() throws {
        etcd = try EtcdProcess()
        site = try SampleSite()
    }

    func fleet(_ arguments: String...) throws -> Tool.Result { try fleet(arguments) }

    func fleet(_ arguments: [String]) throws -> Tool.Result {
        try Tool.aasa(
            ["fleet"] + arguments, environment: ["AASA_FLEET": "web", "AASA_ETCD": etcd.url])
    }

    func serve(
        _ machine: String, _ options: [String] = [], ownCertificates: Bool = true
    ) throws -> ServerProcess {
        try ServerProcess(
            fleetOf: site,
            options: [
                "--fleet", "web", "--etcd", etcd.url, "--machine", machine, "--state",
                state(machine),
            ] + (ownCertificates ? ["--certs", site.certs] : []) + options)
    }

    func state(_ machine: String) -> String { site.folder.path("state-\(machine)") }

    /// Another path in the first team's fragment.
    func change(_ path: String) throws {
        let team = SampleSite.teams[0]
        try site.write(
            "example.com/teams/\(team).json", SampleSite.fragment(team, path: path))
    }

    func document(_ server: ServerProcess) throws -> String {
        String(decoding: try server.client().get().body, as: UTF8.self)
    }
}
