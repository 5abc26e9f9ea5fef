import Testing

@testable import AASADevice

@Suite struct AddressAndTLSCatalogTests: CatalogSuite {
    @Test func hasEveryCodeOfAddresses() {
        expectWhole(
            CheckCatalog.addresses, of: ["address-"],
            harmless: [.addressNotChecked: .info, .addressUnasked: .warning])
    }

    /// What devices get over all the same is told, and is no error.
    @Test func hasEveryCodeOfTLS() {
        expectWhole(
            CheckCatalog.tls, of: ["tls-"],
            harmless: [
                .tlsEndsSoon: .warning, .tlsNeedsServerName: .info, .tlsNo12: .info,
                .tlsNo13: .info,
            ])
    }
}
