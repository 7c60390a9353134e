/// A struct of functions that is the same for every instance: written once, before anyone has it, and never freed.
///
/// `@unchecked` because its pointer leads to memory that nobody changes after `init`.
struct SharedTable<Functions>: @unchecked Sendable {
    let pointer: UnsafePointer<Functions>

    init(_ functions: Functions) {
        let table = UnsafeMutablePointer<Functions>.allocate(capacity: 1)
        table.initialize(to: functions)
        pointer = UnsafePointer(table)
    }
}
