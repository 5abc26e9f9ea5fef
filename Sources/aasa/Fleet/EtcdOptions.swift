import AASAClient
import AASAFleet
import AASAServer
import ArgumentParser
import OpenSSL
import Reactor

/// Where etcd is, whom to trust there, and who we are: the options of `aasa fleet` and of `aasa
/// serve --fleet`, each a flag and an environment variable.
struct EtcdOptions: ParsableArguments {
    @Option(
        help: .value("url,…", "The client URLs of etcd's members: https://HOST:2379,…"))
    var etcd: String?

    @Option(
        help: .rare("file", "Trust only these authorities for etcd. (default: the machine's roots)")
    )
    var etcdCacert: String?

    @Option(help: .rare("file", "The client certificate for etcd."))
    var etcdCert: String?

    @Option(help: .rare("file", "The key of --etcd-cert."))
    var etcdKey: String?

    @Option(help: .rare("name", "The user of etcd."))
    var etcdUser: String?

    @Option(help: .rare("file", "The password of --etcd-user."))
    var etcdPasswordFile: String?

    @Option(help: .rare("file", "A token for etcd, instead of a user."))
    var etcdTokenFile: String?

    /// A password or token is a line.
    private static let secretBytesMaximum = 16_384

    /// What flags and environment together make; nil where a URL is missing or wrong, which the
    /// reader then says.
    ///
    /// - Parameter isNeeded: false where it is no mistake to name no member.
    func access(_ reader: inout OptionReader, isNeeded: Bool) -> EtcdAccess? {
        let advice = "write https://HOST:2379, with commas between members"
        let urls = reader.text("etcd", etcd)
        let cacert = reader.text("etcd-cacert", etcdCacert)
        let certificate = reader.text("etcd-cert", etcdCert)
        let key = reader.text("etcd-key", etcdKey)
        let user = reader.text("etcd-user", etcdUser)
        let passwordFile = reader.text("etcd-password-file", etcdPasswordFile)
        let tokenFile = reader.text("etcd-token-file", etcdTokenFile)
        guard let urls else {
            if isNeeded { reader.problem("etcd", "", advice) }
            return nil
        }
        var members: [ServerURL] = []
        for part in urls.split(separator: ",", omittingEmptySubsequences: false) {
            let text = String(part).trimmingBlanks
            do throws(ServerURL.Problem) {
                members.append(try ServerURL(parsing: text))
            } catch {
                reader.problem("etcd", text, advice)
            }
        }
        guard !members.isEmpty else { return nil }
        var access = EtcdAccess(members: members)
        if let cacert {
            AuthorityFile.check(cacert, "etcd-cacert", &reader)
            access.security.authorityFile = cacert
            access.security.trustsMachine = false
        }
        switch (certificate, key) {
        case (nil, nil): break
        case (let certificate?, let key?):
            do {
                access.security.certificate = ClientCertificate(
                    try CertificateFolder.load(.init(chain: certificate, key: key)))
            } catch {
                reader.problem("etcd-cert", certificate, "\(error)")
            }
        default: reader.problem("etcd-cert", "", "--etcd-cert and --etcd-key go together")
        }
        if let user {
            if let password = secret("etcd-password-file", passwordFile, &reader) {
                access.identity = .user(user, password: password)
            }
        } else if let tokenFile, let token = secret("etcd-token-file", tokenFile, &reader) {
            access.identity = .token(token)
        }
        return access
    }

    private func secret(
        _ option: String, _ path: String?, _ reader: inout OptionReader
    ) -> String? {
        guard let path else {
            reader.problem(option, "", "name the file that holds the password of --etcd-user")
            return nil
        }
        do throws(FileError) {
            let bytes = try Files.read(path, limit: Self.secretBytesMaximum)
            let text =
                String(decoding: bytes, as: UTF8.self).trimmingWhiteSpace
                .split(whereSeparator: \.isNewline).first?.trimmingWhiteSpace ?? ""
            if text.isEmpty { reader.problem(option, path, "the file is empty") }
            return text
        } catch {
            reader.problem(option, path, error.cause)
            return nil
        }
    }
}
