/// A whole response.
package struct ClientResponse: Sendable {
    package let head: ResponseHead
    /// The content, its transfer and content codings removed.
    package let body: [UInt8]

    package var status: Int { head.status }
    /// The first value of a field, its name compared without regard to case.
    package func value(_ name: String) -> String? { head.value(name) }
}
