import Foundation
import Glibc
import Testing

@testable import MWDATBridge

@Suite struct PairingStoreTests {
    private let phone = PairedPhone(identifier: "p1", name: "Ana's \"phone\"")
    private let key = [UInt8](0..<32)

    @Test func aKeySurvivesTheProcessInAFileOfItsOwnersAlone() throws {
        let path = temporaryPath("pairs/dat.json")
        let store = try PairingStore(path: path)
        try store.keep(phone, key: key)
        var information = stat()
        #expect(stat(path, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o600)
        let again = try PairingStore(path: path)
        #expect(again.phones == [phone])
        #expect(again.key(of: "p1") == key)
        #expect(again.host == store.host)
    }

    @Test func aForgottenPhoneIsForgottenForGood() throws {
        let path = temporaryPath("dat.json")
        let store = try PairingStore(path: path)
        try store.keep(phone, key: key)
        try store.forget("p1")
        #expect(store.key(of: "p1") == nil)
        #expect(try PairingStore(path: path).phones.isEmpty)
    }

    @Test(arguments: [mode_t(0o644), 0o660, 0o604])
    func aFileThatOthersMayOpenIsRefused(_ mode: mode_t) throws {
        let path = temporaryPath("dat.json")
        try PairingStore(path: path).keep(phone, key: key)
        #expect(chmod(path, mode) == 0)
        #expect(throws: DATBridgeError.self) { try PairingStore(path: path) }
    }

    @Test(arguments: ["", "{", "{\"host\":\"h\"}", "{\"host\":\"h\",\"phones\":[{\"identifier\":\"a\"}]}"])
    func aDamagedFileIsRefusedRatherThanReplaced(_ text: String) throws {
        let path = temporaryPath("dat.json")
        try PairingStore(path: path).keep(phone, key: key)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, 0o600) == 0)
        #expect(throws: DATBridgeError.self) { try PairingStore(path: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
    }

    @Test func aLinkInThePlaceOfTheFileIsRefused() throws {
        let path = temporaryPath("dat.json")
        try PairingStore(path: path).keep(phone, key: key)
        #expect(symlink(path, path + "-link") == 0)
        #expect(throws: DATBridgeError.self) { try PairingStore(path: path + "-link") }
    }

    @Test func whatCannotBeWrittenIsNotKeptInMemoryEither() throws {
        let store = try PairingStore(path: "/proc/no-such-folder/dat.json")
        #expect(throws: DATBridgeError.self) { try store.keep(phone, key: key) }
        #expect(store.phones.isEmpty)
    }

    @Test func theOldestPhoneGoesWhenThereAreTooMany() throws {
        let store = try PairingStore(path: nil)
        for number in 0...PairingStore.mostPhones {
            try store.keep(PairedPhone(identifier: "p\(number)", name: ""), key: key)
        }
        #expect(store.phones.count == PairingStore.mostPhones)
        #expect(store.key(of: "p0") == nil)
    }
}
