import TestSupport
import Testing

@testable import AASAServer

@Suite struct ServedCertificateTests {
    /// A life of 80 units from 100 to 180: a quarter is 20, an eighth 10.
    @Test(
        arguments: [
            (99, CertificateLife.notYetBegun), (100, .good), (160, .good), (161, .endsSoon),
            (170, .endsSoon), (171, .endsVerySoon), (179, .endsVerySoon), (180, .ended),
        ] as [(Int64, CertificateLife)])
    func alarmsAreFractionsOfTheLife(now: Int64, life: CertificateLife) {
        expectEqual(CertificateLife(notBefore: 100, notAfter: 180, now: now), life)
    }
}
