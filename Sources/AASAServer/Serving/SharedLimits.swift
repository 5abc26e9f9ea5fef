/// The limits of a worker. Each of its connections keeps a reference and no copy.
package final class SharedLimits: Sendable {
    let values: ServerLimits

    package init(_ values: ServerLimits) { self.values = values }
}
