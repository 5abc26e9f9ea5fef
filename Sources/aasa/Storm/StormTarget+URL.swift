import AASAClient
import AASADevice
import AASAStorm

extension StormTarget {
    /// Reads `https://HOST[:PORT][/PATH]` and finds the address: of `--resolve`, or of DNS. Without
    /// a path, or with a lone slash, each device asks where its era looks (`path` is then empty).
    init(url text: String, connect: ConnectOptions) throws {
        let url = try ServerURL(https: text)
        try connect.checkFiles()
        // A lone slash is how people write "the site"; no device asks for it.
        let isSite = url.target.isEmpty || url.target == "/"
        switch connect.resolver.addresses(of: url.host, port: url.port) {
        case .success(let addresses):
            guard let address = addresses.first else {
                throw CommandError("it has no address", place: url.host)
            }
            self.init(
                host: url.host, address: address,
                path: isSite ? "" : url.requestTarget,
                authorityFile: connect.cacert)
        case .failure(let failure):
            throw CommandError(
                "\(failure)", place: url.host,
                remedy: "check the name, or say where it is: --resolve "
                    + "\(url.host):\(url.port):ADDR")
        }
    }
}
