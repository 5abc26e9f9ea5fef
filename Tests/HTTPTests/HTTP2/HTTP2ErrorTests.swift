import Testing

@testable import HTTP

struct HTTP2ErrorTests {
    @Test func theLibraryHasTheSecurityLimits() throws {
        #expect(try HTTP2Library.missingLimits() == [])
        #expect(HTTP2Library.version.split(separator: ".").count == 3)
    }

    @Test func descriptionNamesTheCall() {
        let error = HTTP2Error(call: "nghttp2_submit_request", code: -509)
        #expect(error.description.hasPrefix("nghttp2_submit_request: "))
        #expect(error.description.hasSuffix("(-509)"))
    }
}
