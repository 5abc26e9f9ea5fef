import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct CertsCommandTests {
    @Test func makesAndListsCertificatesThatOpenSSLTrusts() throws {
        let folder = try TemporaryFolder("certs")
        let certs = folder.path("certs")
        let made = try Tool.aasa(
            ["certs", "make", "--certs", certs, "example.com", "b.example=www.b.example"])
        expectEqual(made.status, 0, "\(made)")
        expectEqual(made.stdout.split(separator: "\n").count, 5)
        let again = try Tool.aasa(["certs", "make", "--certs", certs, "b.example=www.b.example"])
        expectEqual(again.status, 0)
        #expect(again.stdout.split(separator: "\n").allSatisfy { $0.hasPrefix("kept\t") })
        for file in ["fullchain.pem", "fullchain-rsa.pem"] {
            let verified = try Tool.run(
                "openssl",
                [
                    "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname",
                    "www.b.example", "-CAfile", "\(certs)/local-ca/ca.pem",
                    "\(certs)/b.example/\(file)",
                ])
            expectEqual(verified.status, 0, "\(verified)")
        }
        // A new name is added to those of the earlier call.
        let more = try Tool.aasa(["certs", "make", "--certs", certs, "b.example=m.b.example"])
        #expect(more.stdout.contains("renewed\t"), "\(more)")
        let listed = try Tool.aasa(["certs", "list"], environment: ["AASA_CERTS": certs])
        expectEqual(listed.status, 0, "\(listed)")
        #expect(listed.stdout.contains("ECDSA P-256") && listed.stdout.contains("RSA-2048"))
        #expect(listed.stdout.contains("(in 89 days)") || listed.stdout.contains("(in 90 days)"))
        #expect(!made.stdout.contains("PRIVATE") && !listed.stdout.contains("PRIVATE"))

        let json = try Tool.aasa(["certs", "list", "--certs", certs, "--format", "json"])
        let hosts = try #require(
            try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [[String: Any]])
        expectEqual(hosts.map { $0["host"] as? String }, ["b.example", "example.com"])
        let pairs = try #require(hosts[0]["certificates"] as? [[String: Any]])
        expectEqual(pairs.map { $0["key"] as? String }, ["ECDSA P-256", "RSA-2048"])
        expectEqual(
            (pairs[0]["names"] as? [String]), ["b.example", "m.b.example", "www.b.example"])
    }

    /// Root makes them, the service reads them: by the folder's group, or as their owner.
    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func keysMadeByRootAreReadableForTheService() throws {
        let folder = try TemporaryFolder("certs")
        let certs = try folder.makeFolder("certs")
        #expect(chown(certs, 0, 65_534) == 0 && chmod(certs, 0o750) == 0)
        let made = try Tool.aasa(["certs", "make", "--certs", certs, "a.example"])
        expectEqual(made.status, 0, "\(made)")
        func look(_ name: String) throws -> stat {
            var status = stat()
            try #require(stat("\(certs)/\(name)", &status) == 0)
            return status
        }
        for name in ["privkey.pem", "privkey-rsa.pem"] {
            let key = try look("a.example/\(name)")
            #expect(key.st_uid == 0 && key.st_gid == 65_534 && key.st_mode & 0o777 == 0o640)
        }
        try expectEqual(look("a.example").st_mode & 0o777, 0o750)
        try expectEqual(look("a.example").st_gid, 65_534)
        // The authority's key is nobody's business.
        try expectEqual(look("local-ca/privkey.pem").st_mode & 0o777, 0o600)
        try expectEqual(look("local-ca/privkey.pem").st_gid, 0)

        let other = folder.path("other")
        let given = try Tool.aasa([
            "certs", "make", "--certs", other, "--user", "nobody:nogroup", "a.example",
        ])
        expectEqual(given.status, 0, "\(given)")
        var status = stat()
        expectEqual(stat("\(other)/a.example/privkey.pem", &status), 0)
        expectEqual(status.st_uid, getpwnam("nobody").pointee.pw_uid)
        expectEqual(status.st_mode & 0o777, 0o600)
        let nobody = try Tool.aasa(["certs", "make", "--certs", other, "--user", "no-one", "a.a"])
        #expect(nobody.status == 2 && nobody.stderr.contains("no-one"), "\(nobody)")
    }

    @Test func listNamesWhatIsWrong() throws {
        let folder = try TemporaryFolder("certs")
        let certs = folder.path("certs")
        _ = try Tool.aasa(["certs", "make", "--certs", certs, "a.example", "b.example"])
        let other = try folder.read("certs/b.example/privkey.pem")
        try folder.write("certs/a.example/privkey.pem", other)
        let listed = try Tool.aasa(["certs", "list", "--certs", certs])
        expectEqual(listed.status, 1, "\(listed)")
        #expect(listed.stdout.contains("is not the key of"))
        #expect(listed.stdout.contains("same renewal"))
    }

    /// Wildcards, one certificate for all names, and certbot's second one of the same name are
    /// used by whatever host they cover: their folder is nobody's host.
    @Test(arguments: [
        ("_.a.example", "*.a.example", true), ("a.example-0001", "a.example", true),
        ("shared", "a.example", true), ("a.example", "b.example", false),
        ("b.example-0001", "a.example", false), ("a.example-2", "a.example", false),
    ]) func listJudgesNamesByTheFolderOfAHostAlone(
        name: String, covered: String, isGood: Bool
    ) throws {
        let folder = try TemporaryFolder("certs")
        let made = try Tool.aasa(
            ["certs", "make", "--certs", folder.path("made"), "x.example=\(covered)"])
        try #require(made.status == 0, "\(made)")
        for file in ["fullchain.pem", "privkey.pem"] {
            try folder.write("certs/\(name)/\(file)", folder.read("made/x.example/\(file)"))
        }
        let listed = try Tool.aasa(["certs", "list", "--certs", folder.path("certs")])
        expectEqual(listed.status, (isGood ? 0 : 1), "\(listed)")
        #expect(listed.stdout.contains("does not cover") != isGood, "\(listed)")
    }

    /// The pair is read without an error, and a server that has it refuses it.
    @Test(arguments: ["-sha1", "-sha256"])
    func listTriesWhatAServerWouldTake(digest: String) throws {
        let folder = try TemporaryFolder("certs")
        try folder.makeFolder("certs/a.example")
        let (host, work) = (folder.path("certs/a.example"), folder.path)
        for arguments in [
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(work)/ca.key",
                "-out", "\(work)/ca.pem", "-subj", "/CN=ca", "-days", "80",
            ],
            [
                "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(host)/privkey.pem", "-out",
                "\(work)/csr", "-subj", "/CN=a.example", "-addext",
                "subjectAltName=DNS:a.example", "-addext", "extendedKeyUsage=serverAuth",
            ],
            [
                "x509", "-req", "-in", "\(work)/csr", "-CA", "\(work)/ca.pem", "-CAkey",
                "\(work)/ca.key", digest, "-days", "80", "-copy_extensions", "copy", "-out",
                "\(host)/fullchain.pem",
            ],
        ] {
            let made = try Tool.run("openssl", arguments)
            try #require(made.status == 0, "\(made)")
        }
        let isRefused = digest == "-sha1"
        let listed = try Tool.aasa(["certs", "list", "--certs", folder.path("certs")])
        expectEqual(listed.status, (isRefused ? 1 : 0), "\(listed)")
        expectEqual(listed.stdout.contains("aasa serve refuses it"), isRefused, "\(listed)")
    }

    /// A folder that a script has not filled yet.
    @Test func listSaysThatThereIsNone() throws {
        let folder = try TemporaryFolder("certs")
        try folder.makeFolder("certs")
        let listed = try Tool.aasa(["certs", "list", "--certs", folder.path("certs")])
        expectEqual(listed.status, 1, "\(listed)")
        #expect(listed.stderr.contains("no certificate in it"), "\(listed)")
        #expect(listed.stderr.contains("fix: name the folder with one folder per host"))
    }

    @Test(
        arguments: [
            (["certs", "make", "--certs", "x", "../evil"], 2),
            (["certs", "make", "--certs", "x"], 2),
            (["certs", "make", "--certs", "x", "=alias.example"], 2),
            (["certs", "list", "--certs", "/nonexistent/folder"], 3),
            (["certs", "make", "--certs", "/proc/none", "a.example"], 3),
        ] as [([String], Int32)])
    func wrongUseSaysSo(arguments: [String], status: Int32) throws {
        let folder = try TemporaryFolder("certs")
        let result = try Tool.run(try Tool.aasa(), arguments, folder: folder.path)
        expectEqual(result.status, status, "\(result)")
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.hasPrefix("aasa: "))
        #expect(result.stderr.contains("fix: ") || result.stderr.contains("Usage: "))
    }
}
