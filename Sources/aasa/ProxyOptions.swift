import AASAServer
import ArgumentParser
import Reactor

/// The options of `aasa serve` about what stands in front: fronts that pass TCP on and say whose it
/// is, and terminators of TLS.
struct ProxyOptions: ParsableArguments {
    @Option(
        help: .rare(
            "addr-or-cidr,…",
            "Require a PROXY protocol header (version 1 or 2) on TLS connections from these "
                + "addresses or networks, and refuse it from all others; repeatable."))
    var proxyProtocol: [String] = []

    @Option(
        help: .rare(
            "addr:port",
            "Expect the header only on this --listen address; repeatable. (default: all)"))
    var proxyProtocolOn: [String] = []

    @Option(
        help: .rare(
            "addr:port",
            "Also serve without TLS, for a proxy on this machine that terminates TLS: a loopback address or "
                + "unix:PATH; repeatable."))
    var listenPlain: [String] = []

    func plainListeners(_ reader: inout OptionReader) -> [SocketAddress] {
        let texts = reader.list("listen-plain", listenPlain)
        return reader.addresses(
            "listen-plain", texts, advice: "write ADDR:PORT or unix:PATH (at most 107 bytes)"
        ) { addresses in
            addresses.allSatisfy(\.isLoopback)
                ? nil
                : "without TLS nothing is served to other machines: choose 127.0.0.1, [::1] or "
                    + "unix:PATH"
        }
    }

    /// - Parameter listening: the addresses of `--listen`.
    func settings(
        _ reader: inout OptionReader, _ listening: [SocketAddress]
    ) -> ProxyProtocolSettings? {
        let name = "proxy-protocol"
        let texts = reader.list(name, proxyProtocol).flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).map {
                String($0).trimmingBlanks
            }
        }
        let chosen = reader.list("proxy-protocol-on", proxyProtocolOn)
        var networks: [AddressPrefix] = []
        for text in texts {
            do throws(AddressPrefix.Fault) {
                networks.append(try AddressPrefix(text))
            } catch {
                reader.problem(name, text, Self.advice(error))
            }
        }
        if networks.count > ProxyProtocolSettings.frontsMaximum {
            reader.problem(
                name, "\(networks.count) networks",
                "write at most \(ProxyProtocolSettings.frontsMaximum): merge networks")
        }
        let advice = "write an address of --listen"
        let listeners = reader.addresses("proxy-protocol-on", chosen, advice: advice) {
            $0.allSatisfy(listening.contains) ? nil : advice
        }
        if texts.isEmpty, let first = chosen.first {
            reader.problem(
                "proxy-protocol-on", first, "name the proxies as well: --proxy-protocol ADDR")
        }
        guard !networks.isEmpty else { return nil }
        return ProxyProtocolSettings(fronts: networks, listeners: listeners)
    }

    private static func advice(_ fault: AddressPrefix.Fault) -> String {
        switch fault {
        case .notAnAddress:
            "write a numeric address or a network, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32"
        case .bitsBehindLength(let meant): "bits are set beyond the length: write \(meant)"
        case .everybody:
            "any client could forge an address: name only your proxies"
        }
    }
}
