import Glibc

/// Waits until `condition` holds: a guard against hanging, not a measurement. Pauses are counted,
/// not the clock, so that a machine that stood still has not used the test's patience up.
///
/// - Parameter seconds: the patience, as the sum of the pauses.
/// - Returns: whether it held at last.
package func eventually(
    within seconds: UInt32 = 60, _ condition: () throws -> Bool
) rethrows -> Bool {
    var (pause, left): (UInt32, UInt32) = (1000, seconds * 1_000_000)
    while try !condition() {
        guard left > 0 else { return false }
        usleep(pause)
        left -= min(left, pause)
        pause = min(pause * 2, 50_000)
    }
    return true
}
