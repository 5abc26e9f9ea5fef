import AASAFleet
import AASAServer
import AppSiteAssociation
import OpenSSL
import Reactor

/// Loads a site as the server would, without serving it.
enum FleetTrial {
    /// A revision's folder on a machine, by the machine's own configuration.
    static func problem(folder: String, configuration: ServerConfiguration) -> String? {
        var trial = configuration
        trial.revisionLink = folder
        do {
            let report = try load(trial)
            return report.refusal(judgesCertificates: configuration.revisionHasCertificates)
                .map { strip(folder, from: $0) }
        } catch {
            return strip(folder, from: "\(error)")
        }
    }

    /// A reader knows the file by its place in the site.
    private static func strip(_ folder: String, from text: String) -> String {
        let real = Files.resolved(folder) ?? folder
        return text.replacing(real + "/", with: "").replacing(folder + "/", with: "")
    }

    private static func load(_ configuration: ServerConfiguration) throws -> LoadReport {
        var loader = SiteLoader(
            configuration: configuration, libraries: [try TLSLibrary()], tickets: nil,
            sign: { try CMSSigner.sign($0, with: $1) })
        return try loader.load(now: WallClock.seconds).report
    }

    /// A site that is to be published: everything that a load of it finds.
    ///
    /// - Parameter certificates: nil: the machines have their own, and what cannot be signed here
    ///   is signed there.
    static func findings(of site: SiteSource, certificates: String?) throws -> [Diagnostic] {
        if let certificates {
            let configuration = ServerConfiguration(
                siteFolder: site.path, certificateFolder: certificates, listen: [])
            do {
                let report = try load(configuration)
                return report.findings.flatMap(\.findings)
                    + report.certificates.filter(\.isError).map {
                        Diagnostic(
                            code: "certificate", severity: .error, message: $0.problem.cause,
                            remedy: $0.problem.remedy, file: $0.problem.place)
                    }
            } catch let failure as Problem {
                throw CommandError(failure, status: .findings)
            }
        }
        let source = site.withoutConflicts()
        if source.hosts.isEmpty {
            throw CommandError(
                "it contains no host", place: site.path,
                remedy: "make a folder per host, such as \(site.path)/example.com/",
                status: .findings)
        }
        let builder = SnapshotBuilder(
            factory: ResponseFactory(strictTransportSecuritySeconds: 0), defaultHost: nil,
            certificatePath: "certs")
        let built = builder.build(
            source, store: CertificatesInUse(), previous: [:], generation: 1,
            now: WallClock.seconds, sign: { try CMSSigner.sign($0, with: $1) })
        return built.findings.flatMap(\.findings).filter { !$0.needsOwnCertificate }
    }
}
