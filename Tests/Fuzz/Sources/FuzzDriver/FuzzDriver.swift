/// Hands the process over to libFuzzer.
///
/// The package manager renames the `main` of an executable, so that libFuzzer's own would never be
/// found: each fuzzer has a `main.swift` that calls this instead.
///
/// - Parameter body: tries one input; returns 0. Traps, sanitizer reports and hangs are findings.
public func runFuzzer(
    _ body: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> Never {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments, body))
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

@_silgen_name("exit")
private func exit(_ status: CInt) -> Never
