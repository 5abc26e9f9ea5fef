import AASAClient
import AASAServer
import AppSiteAssociation
import OpenSSL

/// Asks a live host for its document and siblings, by the checker's client.
struct LiveImport {
    let connect: ConnectOptions

    func read(_ text: String) throws -> ImportedSite {
        let url = try ServerURL(https: text)
        try connect.checkFiles()
        let origin = text.prefix { $0 != "?" }.split(separator: "/").prefix(2)
            .joined(separator: "//")
        let client = try HTTPClient(resolver: connect.resolver)
        var found: SourceText?
        var failures: [String] = []
        for path in ["/.well-known/" + ImportedSite.documentName, "/" + ImportedSite.documentName]
        where found == nil {
            switch fetch(client, url, path) {
            case .body(let bytes): found = SourceText(name: origin + path, bytes: bytes)
            case .refused(let why), .failed(let why): failures.append("\(path): \(why)")
            }
        }
        guard let found else {
            throw CommandError(
                failures.joined(separator: "; "), place: url.host,
                remedy: "aasa check \(url.host) says what is wrong with it")
        }
        var site = ImportedSite(document: AssociationInput.payload(found))
        if CMSVerifier.looksSigned(found.bytes) {
            site.notes.append(
                "\(found.name) is signed: the document inside it was taken, and aasa serve can sign it"
            )
        }
        // A server cannot be asked what it has: these are the names that have a meaning.
        for name in SiblingCatalog.knownNames {
            let place = "\(origin)/.well-known/\(name)"
            let bytes: [UInt8]
            switch fetch(client, url, "/.well-known/" + name) {
            case .body(let found): bytes = found
            case .refused: continue
            case .failed(let why):
                site.missing.append("\(place), if there is one: \(why)")
                continue
            }
            // Single-page applications answer every path with their page.
            if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"), name != "host-meta" {
                continue
            }
            site.add(name, bytes, from: place)
        }
        return site
    }

    private enum Fetched {
        case body([UInt8])
        case refused(String)
        case failed(String)
    }

    private func fetch(_ client: HTTPClient, _ url: ServerURL, _ path: String) -> Fetched {
        var request = ClientRequest(host: url.host, port: url.port, target: path)
        request.security.isTLS = url.isTLS
        request.security.authorityFile = connect.cacert
        do {
            let response = try client.send(request)
            return response.status == 200
                ? .body(response.body) : .refused("status \(response.status)")
        } catch {
            return .failed("\(error)")
        }
    }
}
