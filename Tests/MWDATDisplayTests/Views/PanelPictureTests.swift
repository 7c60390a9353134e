import Foundation
import MWDATImage
import Testing

@testable import MWDATDisplay

@Suite struct PanelPictureTests {
    /// A picture whose left half is red and whose right half is blue.
    private func picture(width: Int, height: Int, alpha: UInt8 = 255) throws -> UIImage {
        var rgba: [UInt8] = []
        for _ in 0..<height {
            for column in 0..<width { rgba += column < width / 2 ? [200, 0, 0, alpha] : [0, 0, 200, alpha] }
        }
        return try #require(UIImage(width: width, height: height, rgba: rgba))
    }

    private func decoded(_ address: String, _ type: String) throws -> UIImage {
        let prefix = "data:image/\(type);base64,"
        #expect(address.hasPrefix(prefix))
        let data = try #require(Data(base64Encoded: String(address.dropFirst(prefix.count))))
        return try #require(UIImage(data: data))
    }

    @Test func aPictureTravelsInTheTreeAsAFile() throws {
        let red = try picture(width: 20, height: 10)
        let view = FlexBox { Image(image: red, cornerRadius: .small) }
        var encoder = ViewEncoder()
        guard case .flexBox(let box) = try encoder.tree(of: view.element).root.content,
            case .image(let image) = box.children.first?.content
        else {
            Issue.record("the picture must be there")
            return
        }
        #expect(image.cornerRadius == .small)
        let back = try decoded(image.uri, "jpeg")
        #expect(back.width == 20 && back.height == 10)
        #expect(back.rgba[0] > 150 && back.rgba[2] < 60)
    }

    @Test(arguments: [(1800, 600, 600, 200), (600, 1200, 300, 600), (601, 1, 600, 1), (600, 600, 600, 600)])
    func aPictureLargerThanThePanelIsMadeToFit(_ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int) throws {
        let small = try #require(PanelPicture.fit(try picture(width: width, height: height)))
        #expect(small.width == newWidth && small.height == newHeight)
        #expect(Array(small.rgba[0..<4]) == [200, 0, 0, 255])
        #expect(Array(small.rgba.suffix(4)) == [0, 0, 200, 255])
    }

    @Test func aTransparentPictureKeepsItsTransparency() throws {
        let back = try decoded(PanelPicture.address(of: picture(width: 8, height: 8, alpha: 100)), "png")
        #expect(back.rgba[3] == 100)
    }
}
