import Glibc

/// Memory that ends where nothing may be touched: a plugin that reads or writes beyond it crashes at once.
///
/// Never freed; a case's process is short.
enum GuardedMemory {
    /// `count` zeroed bytes that end at an inaccessible page, with `alignment` if `count` is a multiple of it.
    static func ending(after count: Int) throws(CaseEnd) -> UnsafeMutableRawPointer {
        let page = Int(getpagesize())
        let size = (count + page - 1) / page * page
        let start = try pages(size + page)
        guard mprotect(start + size, page, PROT_NONE) == 0 else { throw .skipped("the system gave no guard page") }
        return start + (size - count)
    }

    /// Whole zeroed pages.
    static func pages(_ size: Int) throws(CaseEnd) -> UnsafeMutableRawPointer {
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, start != MAP_FAILED else { throw .skipped("the system gave no memory") }
        return start
    }
}
