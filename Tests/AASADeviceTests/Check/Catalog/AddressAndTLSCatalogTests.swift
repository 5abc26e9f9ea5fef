import Testing

@testable import AASADevice

@Suite struct AddressAndTLSCatalogTests: CatalogSuite {
    @Test func hasEveryCodeOfAddresses() {
        expectWhole(
            family("addresses"), of: ["address-"],
            harmless: ["address-not-checked": .note, "address-unasked": .warning])
    }

    /// What devices get over all the same is told, and is no error.
    @Test func hasEveryCodeOfTLS() {
        expectWhole(
            family("TLS"), of: ["tls-"],
            harmless: [
                "tls-ends-soon": .warning, "tls-needs-server-name": .note, "tls-no-1.2": .note,
                "tls-no-1.3": .note, "tls-long-hello": .warning,
                "tls-no-forward-secrecy": .warning,
            ])
    }
}
