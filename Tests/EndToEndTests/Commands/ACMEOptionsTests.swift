// Covers: RenewalPreflight.swift, RenewalPreflight+Report.swift
// Covers: CertsPlanCommand.swift, RenewalServiceAdapter.swift, RenewalLoop.swift
// Covers: RenewalService.swift, AuthorityClient.swift

import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.serialized) struct ACMEOptionsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("acme")
        for (host, aliases) in [("shop.test", "www.shop.test"), ("blog.test", "www.blog.test")] {
            try folder.write(
                "site/\(host)/apple-app-site-association",
                Array(
                    #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.shop"],"components":[{"/":"/a/*"}]}]}}"#
                        .utf8))
            try folder.write("site/\(host)/host.json", Array(#"{"aliases":["\#(aliases)"]}"#.utf8))
        }
        try FileManager.default.createDirectory(
            atPath: folder.path("certs"), withIntermediateDirectories: true)
    }

    @Test func `Mistakes are said with the option, and no secret is repeated`() throws {
        let result = try Tool.aasa([
            "serve", "--acme", "--site", folder.path("site"), "--certs", folder.path("certs"),
            "--redirect-http", "--acme-eab", "kid-1:not!base64secret", "--acme-email", "nobody",
            "--acme-directory", "ftp://ca.test", "--check",
        ])
        expectEqual(result.status, 2, "\(result)")
        for word in ["--redirect-http", "--acme-eab", "--acme-email", "--acme-directory"] {
            #expect(result.stderr.contains(word), "\(word): \(result)")
        }
        #expect(!result.stderr.contains("base64secret"))
    }

    /// Without the identifier, and with both swapped.
    @Test(arguments: ["\(Self.secret)", ":\(Self.secret)", "\(Self.secret):kid-1"])
    func `A key without its identifier is not repeated`(_ key: String) throws {
        let result = try Tool.aasa([
            "serve", "--acme", "--site", folder.path("site"), "--certs", folder.path("certs"),
            "--acme-eab", key, "--check",
        ])
        #expect(result.status == 2 && result.stderr.contains("--acme-eab"), "\(result)")
        #expect(!result.stderr.contains(Self.secret))
    }

    /// Each would be found out at the first order, or never.
    @Test func `Options that cannot be meant are refused at the start`() throws {
        let key = try folder.write("key.pem", Array("-----BEGIN PRIVATE KEY-----\n".utf8))
        for (options, words) in [
            (["--acme-agree-terms"], ["--acme-agree-terms", "it requires --acme"]),
            (["--acme-http", "127.0.0.1:0", "--acme-rsa"], ["--acme-http", "--acme-rsa"]),
            (["--acme", "--acme-email", "a@b.test,c@d.test"], ["--acme-email"]),
            (
                ["--acme", "--acme-eab", "a:\(Self.secret)", "--acme-eab", "b:\(Self.secret)"],
                ["2 keys for 1"]
            ),
            (["--acme", "--acme-cacert", "/nonexistent.pem"], ["--acme-cacert", "No such file"]),
            (["--acme", "--acme-cacert", key], ["--acme-cacert", "certificate"]),
        ] {
            let result = try Tool.aasa(
                [
                    "serve", "--site", folder.path("site"), "--certs", folder.path("certs"),
                    "--check",
                ] + options)
            expectEqual(result.status, 2, "\(options): \(result)")
            for word in words {
                #expect(result.stderr.contains(word), "\(options): \(result)")
            }
            #expect(!result.stderr.contains(Self.secret))
        }
    }

    private static let secret = "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W"

    /// A unit that is switched off keeps its other variables.
    @Test func `Variables without AASA_ACME are no mistake`() throws {
        let result = try Tool.aasa(
            ["serve", "--site", folder.path("site"), "--certs", folder.path("certs"), "--check"],
            environment: ["AASA_ACME": "off", "AASA_ACME_EMAIL": "mailto:ops@a.test"])
        expectEqual(result.status, 1, "\(result)")
        #expect(!result.stderr.contains("ACME"), "\(result)")
    }

    @Test func `A first start without any certificate says what it waits for`() throws {
        let own = OwnAddress()
        let result = try Tool.aasa([
            "serve", "--acme", "--site", folder.path("site"), "--certs", folder.path("certs"),
            "--listen", "\(own.text):\(try own.freePorts(1)[0])", "--acme-directory",
            "https://127.0.0.1:1/dir", "--check",
        ])
        // Nobody is there, and these names have no address: the check says so before an order does.
        expectEqual(result.status, 1, "\(result)")
        #expect(result.stderr.contains("there is no certificate for shop.test yet"))
        #expect(result.stdout.contains("127.0.0.1 gave no answer"))
        #expect(result.stdout.contains("has an A or AAAA record"))
    }

    /// Kubernetes and others make variables of files, which end with a line end.
    @Test func `The line end of a variable is not part of its value`() throws {
        let own = OwnAddress()
        let result = try Tool.aasa(
            [
                "serve", "--site", folder.path("site"), "--certs", folder.path("certs"),
                "--listen", "\(own.text):\(try own.freePorts(1)[0])", "--check",
            ],
            environment: [
                "AASA_ACME": "on\n", "AASA_ACME_EMAIL": "ops@a.test\n",
                "AASA_ACME_DIRECTORY": "https://127.0.0.1:1/dir\r\n",
                "AASA_ACME_EAB": "kid-1:\(Self.secret)\n",
            ])
        #expect(result.stdout.contains("127.0.0.1 gave no answer"), "\(result)")
        #expect(!result.stderr.contains("--acme"), "\(result)")
    }

    /// Debian's pebble, `-strict`, with a fifth of all nonces refused. Only one way is open: TLS
    /// without `--acme-http`, or HTTP while pebble looks for TLS where nobody listens, as behind a
    /// CDN that ends it.
    @Test(arguments: [false, true])
    func `pebble issues by TLS-ALPN-01 and by HTTP-01`(overHTTP: Bool) throws {
        guard (try? Tool.run("which", ["pebble"]))?.status == 0 else {
            print("SKIPPED: pebble is not installed (apt-get install pebble)")
            return
        }
        let own = OwnAddress()
        let address = own.text
        let made = try Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", folder.path("ca-key.pem"), "-out", folder.path("ca.pem"), "-subj",
                "/CN=pebble", "-days", "30", "-addext", "subjectAltName=IP:\(address)",
            ])
        expectEqual(made.status, 0, "\(made)")
        let ports = try own.freePorts(7)
        let configuration = """
            {"pebble":{"listenAddress":"\(address):\(ports[0])",
            "managementListenAddress":"\(address):\(ports[1])",
            "certificate":"\(folder.path("ca.pem"))","privateKey":"\(folder.path("ca-key.pem"))",
            "httpPort":\(ports[2]),"tlsPort":\(ports[overHTTP ? 6 : 3]),
            "externalAccountBindingRequired":false}}
            """
        try folder.write("pebble.json", Array(configuration.utf8))
        var children: [pid_t] = []
        defer {
            for child in children { kill(child, SIGTERM) }
            for child in children { waitpid(child, nil, 0) }
        }
        func start(
            _ name: String, _ program: String, _ arguments: [String],
            _ environment: [String: String] = [:]
        ) throws {
            children.append(
                try Tool.spawn(
                    program, arguments, output: folder.path("\(name).out"),
                    errors: folder.path("\(name).err"), environment: environment))
        }
        try start(
            "names", "pebble-challtestsrv",
            [
                "-defaultIPv6", "", "-defaultIPv4", address, "-http01", "", "-https01", "",
                "-tlsalpn01", "", "-dns01", "\(address):\(ports[4])", "-management",
                "\(address):\(ports[5])",
            ])
        try start(
            "pebble", "pebble",
            [
                "-config", folder.path("pebble.json"), "-dnsserver", "\(address):\(ports[4])",
                "-strict",
            ], ["PEBBLE_WFE_NONCEREJECT": "20", "PEBBLE_VA_NOSLEEP": "1"])
        usleep(1_500_000)
        let plain = overHTTP ? ["--acme-http", "\(address):\(ports[2])"] : []
        try start(
            "aasa", try Tool.aasa(),
            [
                "serve", "--site", folder.path("site"), "--certs", folder.path("certs"),
                "--listen", "\(address):\(ports[3])", "--acme", "--acme-directory",
                "https://\(address):\(ports[0])/dir", "--acme-cacert", folder.path("ca.pem"),
                "--acme-agree-terms", "--acme-rsa",
            ] + plain)
        let files = ["shop.test", "blog.test"].flatMap { host in
            ["fullchain.pem", "fullchain-rsa.pem"].map { folder.path("certs/\(host)/\($0)") }
        }
        _ = eventually(within: 300) {
            files.allSatisfy { FileManager.default.fileExists(atPath: $0) }
        }
        let log = String(decoding: (try? folder.read("aasa.err")) ?? [], as: UTF8.self)
        for file in files {
            #expect(FileManager.default.fileExists(atPath: file), "\(file)\n\(log.suffix(4000))")
        }
        let accounts = try FileManager.default.contentsOfDirectory(
            atPath: folder.path("certs/.acme/accounts"))
        expectEqual(accounts.count, 1)
        usleep(1_000_000)
        let shown = try Tool.run(
            "openssl",
            [
                "s_client", "-connect", "\(address):\(ports[3])", "-servername", "www.blog.test",
                "-verify_hostname", "www.blog.test",
            ], timeout: .seconds(20))
        #expect(shown.stdout.contains("Pebble"), "\(shown)")
    }
}
