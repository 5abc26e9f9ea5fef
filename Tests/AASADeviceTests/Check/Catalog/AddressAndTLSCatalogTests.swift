import Testing

@testable import AASADevice

@Suite struct AddressAndTLSCatalogTests: CatalogSuite {
    @Test func hasEveryCodeOfAddresses() {
        expectWhole(
            family("addresses"), of: ["address-"],
            harmless: [.addressNotChecked: .note, .addressUnasked: .warning])
    }

    /// What devices get over all the same is told, and is no error.
    @Test func hasEveryCodeOfTLS() {
        expectWhole(
            family("TLS"), of: ["tls-"],
            harmless: [
                .tlsEndsSoon: .warning, .tlsNeedsServerName: .note, .tlsNo12: .note,
                .tlsNo13: .note, .tlsLongHello: .warning,
                .tlsNoForwardSecrecy: .warning,
            ])
    }
}
