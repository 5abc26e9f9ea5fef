import TestSupport
import Testing

@Suite struct EtcdOptionsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("etcd-options") }

    private func status(_ options: [String]) throws -> Tool.Result {
        try Tool.aasa(
            ["fleet", "status"] + options, environment: ["AASA_FLEET": "web", "AASA_ETCD": ""])
    }

    @Test func withoutMembersItSaysHowTheyAreWritten() throws {
        for options in [[], ["--etcd", ","], ["--etcd", "ftp://a"]] {
            let result = try status(options)
            expectEqual(result.status, 2, "\(result)")
            #expect(result.stderr.contains("write https://HOST:2379"), "\(result)")
        }
    }

    @Test func everyMistakeIsSaidAtOnce() throws {
        let empty = try folder.write("empty", "\n \n")
        let result = try status([
            "--etcd", "http://127.0.0.1:1", "--etcd-cacert", folder.path("none.pem"),
            "--etcd-cert", folder.path("c.pem"), "--etcd-user", "ann", "--etcd-password-file",
            empty,
        ])
        expectEqual(result.status, 2)
        for part in [
            "--etcd-cacert", "No such file", "--etcd-cert and --etcd-key go together",
            "the file is empty",
        ] { #expect(result.stderr.contains(part), "\(part): \(result)") }
    }

    @Test func aUserWantsItsPasswordFile() throws {
        let bare = try status(["--etcd", "http://127.0.0.1:1", "--etcd-user", "ann"])
        expectEqual(bare.status, 2)
        #expect(bare.stderr.contains("name the file that holds the password"), "\(bare)")
        let missing = try status([
            "--etcd", "http://127.0.0.1:1", "--etcd-token-file", folder.path("none"),
        ])
        expectEqual(missing.status, 2)
        #expect(missing.stderr.contains("--etcd-token-file"), "\(missing)")
    }

    @Test func rootsWithoutACertificateAreSaid() throws {
        let file = try folder.write("ca.pem", "no PEM")
        let result = try status(["--etcd", "https://127.0.0.1:1", "--etcd-cacert", file])
        expectEqual(result.status, 2, "\(result)")
        #expect(result.stderr.contains("\(file) holds no certificate"), "\(result)")
    }

    @Test func aPairThatCannotBeReadIsSaid() throws {
        let file = try folder.write("c.pem", "no PEM")
        let result = try status([
            "--etcd", "http://127.0.0.1:1", "--etcd-cert", file, "--etcd-key", file,
        ])
        #expect(result.status == 2 && result.stderr.contains("--etcd-cert"), "\(result)")
    }
}

/// The roles of deploy/fleet/README.md, before a real etcd with users.
@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct EtcdRolesTests {
    private let bed: FleetBed

    init() throws { bed = try FleetBed() }

    private func turnOnUsers() throws {
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
            let done = try bed.etcd.control(arguments)
            expectEqual(done.status, 0, "\(arguments): \(done)")
        }
    }

    /// A machine's user cannot publish; whoever shows no name sees nothing.
    @Test func rolesHoldWhatTheyPromise() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        try turnOnUsers()
        let password = try bed.site.folder.write("machine.pw", "m \r\n")
        let reader = try bed.site.folder.write("reader.pw", "o\n")
        let asMachine = ["--etcd-user", "machine", "--etcd-password-file", password]
        let asReader = ["--etcd-user", "reader", "--etcd-password-file", reader]
        let server = try bed.serve("m1", asMachine)
        let status = try bed.fleet(["status", "--wait", "60s"] + asReader)
        expectEqual(status.status, 0, "\(status)\n\(server.log)")
        try bed.change("/denied/*")
        for arguments in [["publish", bed.site.site], ["promote", "stable", "x"]] {
            for user in [asMachine, asReader] {
                let denied = try bed.fleet(arguments + user)
                expectEqual(denied.status, 3, "\(denied)")
                #expect(denied.stderr.contains("permission denied"), "\(denied)")
            }
        }
        try expectEqual(bed.fleet("status").status, 3)
        let wrong = try bed.site.folder.write("wrong.pw", "x\n")
        let refused = try bed.fleet([
            "status", "--etcd-user", "reader", "--etcd-password-file", wrong,
        ])
        #expect(refused.status == 3 && refused.stderr.contains("--etcd-user"), "\(refused)")
    }
}
