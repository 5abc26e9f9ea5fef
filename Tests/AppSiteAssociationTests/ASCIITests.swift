import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct ASCIITests {
    @Test func only_capital_letters_change() {
        for byte in UInt8.min...UInt8.max {
            let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            expectEqual(byte.asciiLowercased, (isCapital ? byte + 32 : byte))
        }
    }
}
