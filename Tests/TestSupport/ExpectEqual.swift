public import Testing

/// Records an issue unless two values are equal.
///
/// It stands in place of `#expect(actual == expected)`, which says the same: the macro takes 19 ms
/// to compile between two integers and 50 ms between two arrays of strings, this function 1 ms and
/// 9 ms (Swift 6.3.1, `-Onone`, 200 of each in a file), and the tests hold 6,600 of them. For every
/// other condition use `#expect`.
public func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard actual != expected else { return }
    let values = "\(String(reflecting: actual)) is not \(String(reflecting: expected))"
    let text = comment().map { "\(values): \($0)" } ?? values
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
}
