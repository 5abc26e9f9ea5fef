import AppSiteAssociation
import Foundation
import Hummingbird

// server HOST-FOLDER PORT: merges the teams' files of a host, and serves the document and its
// siblings. What is wrong is printed; of what has errors nothing is served.

let host = URL(fileURLWithPath: CommandLine.arguments[1])
let port = Int(CommandLine.arguments[2]) ?? 8080

do {
    let documents = try HostDocuments(host)
    for finding in documents.findings { print(finding) }
    if documents.findings.contains(where: { $0.severity == .error }) { exit(1) }
    let router = Router()
    for (path, bytes) in documents.byPath {
        router.get(RouterPath(path)) { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        }
    }
    let address = BindAddress.hostname("127.0.0.1", port: port)
    try await Application(router: router, configuration: .init(address: address)).runService()
} catch {
    print(error)
    exit(1)
}
