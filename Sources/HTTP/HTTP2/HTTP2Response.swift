/// A response as an HTTP/2 client received it, without normalization but that no value begins or
/// ends with white space (RFC 9110 section 5.5).
package struct HTTP2Response: Sendable, Equatable {
    package var status = 0
    /// In the order received, without `:status`, trailers, and fields that RFC 9113 §8.2.1 forbids.
    package var fields: [HTTPField] = []
    package var body: [UInt8] = []
    /// Content bytes received, kept or not.
    package var bodyCount = 0

    package init() {}
}
