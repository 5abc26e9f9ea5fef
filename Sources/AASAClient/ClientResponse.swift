/// A complete response.
package struct ClientResponse: Sendable {
    package let head: ResponseHead
    /// The content without transfer and content codings.
    package let body: [UInt8]

    package var status: Int { head.status }
    /// The first value of a field; the name is case-insensitive.
    package func value(_ name: String) -> String? { head.value(name) }
}
