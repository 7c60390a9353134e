import CALSA  // whose header declares timespec anew
import Glibc

/// CLOCK_MONOTONIC in nanoseconds: the clock of every time that crosses the ABI.
package func monotonicNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// `nanoseconds` as a limit for poll: rounded up, so that a wait never turns into a spin.
package func wholeMilliseconds(_ nanoseconds: Int64) -> Int32 {
    Int32(clamping: (max(0, nanoseconds) + millisecond - 1) / millisecond)
}
