import AASAClient
import AASAServer
import AppSiteAssociation
import OpenSSL

/// Asks a live host for its document and siblings, by the checker's client.
struct LiveImport {
    let connect: ConnectOptions

    func read(_ text: String) throws -> ImportedSite {
        let url: ServerURL
        do {
            url = try ServerURL(parsing: text)
        } catch {
            throw CommandError(
                "\"\(text)\" cannot be asked", remedy: "write https://host or https://host:port",
                status: .usage)
        }
        try connect.checkFiles()
        let client = try HTTPClient(resolver: connect.resolver)
        var site = ImportedSite()
        var failures: [String] = []
        for path in ["/.well-known/" + ImportedSite.documentName, "/" + ImportedSite.documentName]
        where site.document == nil {
            switch fetch(client, url, path) {
            case .body(let bytes):
                let source = SourceText(name: "https://\(url.host)\(path)", bytes: bytes)
                site.document = AssociationInput.payload(source)
                if CMSVerifier.looksSigned(bytes) {
                    site.notes.append("\(path) is signed; the document inside it was taken")
                }
            case .other(let why): failures.append("\(path): \(why)")
            }
        }
        guard site.document != nil else {
            throw CommandError(
                failures.joined(separator: "; "), place: url.host,
                remedy: "aasa check \(url.host) says what is wrong with it")
        }
        for name in ImportedSite.siblingNames {
            guard case .body(let bytes) = fetch(client, url, "/.well-known/" + name) else {
                continue
            }
            // Single-page applications answer every path with their page.
            let isPage = bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
            if isPage || SiblingCatalog.refusal(of: name, bytes: bytes) != nil { continue }
            site.siblings.append((name, bytes))
        }
        return site
    }

    private enum Fetched {
        case body([UInt8])
        case other(String)
    }

    private func fetch(_ client: HTTPClient, _ url: ServerURL, _ path: String) -> Fetched {
        var request = ClientRequest(host: url.host, port: url.port, target: path)
        request.security.isTLS = url.isTLS
        request.security.authorityFile = connect.cacert
        do {
            let response = try client.send(request)
            return response.status == 200
                ? .body(response.body) : .other("status \(response.status)")
        } catch {
            return .other("\(error)")
        }
    }
}
