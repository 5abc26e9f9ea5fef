import TestSupport
import Testing

@testable import HTTP

struct HTTP2ErrorTests {
    @Test func theLibraryHasTheSecurityLimits() throws {
        try expectEqual(HTTP2Library.missingLimits(), [])
        expectEqual(HTTP2Library.version.split(separator: ".").count, 3)
    }

    @Test func descriptionNamesTheCall() {
        let error = HTTP2Error(call: "nghttp2_submit_request", code: -509)
        #expect(error.description.hasPrefix("nghttp2_submit_request: "))
        #expect(error.description.hasSuffix("(-509)"))
    }
}
