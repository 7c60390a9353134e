import FramePattern
import GlassesDomain

/// Frames with the numbered pattern, in every format of a camera.
enum Frames {
    static func i420(
        _ number: UInt32 = 7, flash: Bool = false, width: Int = 64, height: Int = 96, rotation: Int = 0,
        at time: Duration = .zero
    ) -> CameraFrame {
        frame(
            FrameNumberPattern.picture(number: number, flash: flash, width: width, height: height), .i420, width,
            height,
            [
                CameraPlane(offset: 0, stride: width), CameraPlane(offset: width * height, stride: width / 2),
                CameraPlane(offset: width * height * 5 / 4, stride: width / 2),
            ], rotation: rotation, at: time)
    }

    static func frame(
        _ bytes: [UInt8], _ format: CameraPixelFormat, _ width: Int, _ height: Int, _ planes: [CameraPlane],
        rotation: Int = 0, at time: Duration = .zero
    ) -> CameraFrame {
        CameraFrame(
            bytes: bytes, format: format, width: width, height: height, rotation: rotation, planes: planes,
            time: MonotonicTime.zero.advanced(by: time), number: 0)
    }

    /// A frame of any size whose planes have `gap` bytes after each row and 5 before the first; pixels tell where they belong.
    static func striped(_ format: CameraPixelFormat, width: Int, height: Int, gap: Int) -> CameraFrame {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        var bytes: [UInt8] = []
        var planes: [CameraPlane] = []
        func add(rows: Int, columns: Int, _ value: (Int, Int) -> UInt8) {
            bytes += [UInt8](repeating: 1, count: 5)
            planes.append(CameraPlane(offset: bytes.count, stride: columns + gap))
            for row in 0..<rows {
                bytes += (0..<columns).map { value($0, row) }
                // The last row may end where its pixels do.
                if row < rows - 1 { bytes += [UInt8](repeating: 255, count: gap) }
            }
        }
        switch format {
        case .i420:
            add(rows: height, columns: width, luma)
            add(rows: halfHeight, columns: halfWidth, blue)
            add(rows: halfHeight, columns: halfWidth, red)
        case .nv12:
            add(rows: height, columns: width, luma)
            add(rows: halfHeight, columns: 2 * halfWidth) { $0 % 2 == 0 ? blue($0 / 2, $1) : red($0 / 2, $1) }
        case .yuyv:
            add(rows: height, columns: 4 * halfWidth) { column, row in
                switch column % 4 {
                case 1: blue(column / 4, row / 2)
                case 3: red(column / 4, row / 2)
                default: luma(column / 2, row)
                }
            }
        case .jpeg: break
        }
        return frame(bytes, format, width, height, planes)
    }

    static func luma(_ column: Int, _ row: Int) -> UInt8 { UInt8(16 + (column * 3 + row * 5) % 200) }
    static func blue(_ column: Int, _ row: Int) -> UInt8 { UInt8(60 + (column + row) % 100) }
    static func red(_ column: Int, _ row: Int) -> UInt8 { UInt8(200 - (column + row) % 100) }
}
