"""Checks the worked examples of docs/dat-bridge.md, and the bounds that it names."""

import json
import pathlib
import re
import unittest

import handshake
import messages
import pictures
from framing import Breach, Parser, decode_header, encode

PAGE = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "dat-bridge.md").read_text(encoding="utf-8")
EXAMPLE = json.loads(re.search(r"### Worked example.*?```json\n(.*?)```", PAGE, re.DOTALL).group(1))


def hexadecimal(text):
    return bytes.fromhex("".join(re.findall(r"\b[0-9a-f]{2}\b", text)))


def parsed(data, piece=None):
    parser, found = Parser(), []
    for start in range(0, len(data), piece or len(data)):
        parser.feed(data[start:start + (piece or len(data))])
        while (message := parser.next()) is not None:
            found.append(message)
    return found


class Proofs(unittest.TestCase):
    def check(self, case, secret, key):
        text = handshake.transcript(1, case["versions"], EXAMPLE["peer"], EXAMPLE["host"], secret,
                                    case["phoneNonce"], case["hostNonce"])
        self.assertEqual(handshake.proof(key, "phone", text).hex(), case["phoneProof"])
        self.assertEqual(handshake.proof(key, "host", text).hex(), case["hostProof"])
        return text

    def test_pairing(self):
        case = EXAMPLE["pairing"]
        key = handshake.derive(EXAMPLE["code"], case["phoneNonce"], case["hostNonce"], EXAMPLE["rounds"])
        self.assertEqual(key.hex(), case["K"])
        text = self.check(case, "code", key)
        self.assertEqual(handshake.proof(key, "key", text).hex(), case["key"])

    def test_return(self):
        self.check(EXAMPLE["return"], "key", bytes.fromhex(EXAMPLE["pairing"]["key"]))

    def test_code(self):
        for typed in ("K7QM2-XWD9F", "k7qm2xwd9f", " k7qm2 - xwd9f\n"):
            self.assertEqual(handshake.normal_code(typed), EXAMPLE["code"])
        for wrong in ("", "K7QM2-XWD9", "K7QM2-XWD9I", "K7QM2-XWD91", "K7QM2-XWD9FF", "K7QM2-XWD9ſ"):
            self.assertIsNone(handshake.normal_code(wrong))

    def test_rounds(self):
        good = {"version": 1, "name": "x", "host": EXAMPLE["host"], "rounds": 100_000,
                "nonce": EXAMPLE["pairing"]["hostNonce"]}
        handshake.check_challenge(good, [1], "code")
        for change in ({"rounds": 99_999}, {"rounds": None}, {"rounds": 2 ** 52}, {"version": 2}, {"nonce": "00"},
                       {"host": "a\nb"}):
            with self.assertRaises(Breach):
                handshake.check_challenge({**good, **change}, [1], "code")


class Framing(unittest.TestCase):
    def test_ping(self):
        block = re.search(r"```\n(44 41 54 01  00 00 00 0f.*?)\n", PAGE).group(1)
        self.assertEqual(encode({"kind": "ping"}), hexadecimal(block))
        for piece in (1, 3, 1000):
            self.assertEqual(parsed(hexadecimal(block) * 2, piece), [({"kind": "ping"}, b"")] * 2)

    def test_frame(self):
        prefix, header = re.search(r"```\n(44 41 54 01  00 00 00 7b.*?)\n(\{.*?\})\n", PAGE).groups()
        self.assertEqual(parsed(hexadecimal(prefix) + header.encode() + b"YYYYUV"), [(json.loads(header), b"YYYYUV")])
        self.assertEqual(len(pictures.Pattern(2, 2).picture(3)), 6)

    def test_breaches(self):
        for data in (b"GET", b"DAT\x02", b"DAT\x01\0\1\0\1\0\0\0\0", b"DAT\x01\0\0\0\2\1\0\0\1",
                     *(b"DAT\x01" + len(text).to_bytes(4, "big") + b"\0\0\0\0" + text for text in (
                         b"", b"[]", b"{}", b'{"kind":1}', b'{"kind":"a","b":NaN}', b'{"kind":"\xff"}',
                         b'\xef\xbb\xbf{"kind":"a"}',
                         '{"kind":"a"}'.encode("utf-16"), b'{"kind":"a","b":' + b"[" * 16 + b"]" * 16 + b"}"))):
            with self.subTest(data=data), self.assertRaises(Breach):
                parsed(data)

    def test_depth(self):
        decode_header(b'{"kind":"[[[[[[[[[[[[[[[[[\\"[[","b":' + b"[" * 15 + b"]" * 15 + b"}")


class Fields(unittest.TestCase):
    OPEN = {"kind": "session.open", "session": 1, "device": "AB-1", "takesOver": False}

    def test_read(self):
        self.assertEqual(messages.read({**self.OPEN, "new": 1}),
                         ("session.open", {"session": 1, "device": "AB-1", "takesOver": False}))
        self.assertIsNone(messages.read({"kind": "new"}))
        self.assertIsNone(messages.read({"kind": "frame", "session": "wrong"}))
        self.assertIsNone(messages.read({"kind": "permission.check", "permission": "new", "request": 1}))
        self.assertEqual(messages.read({"kind": "refused", "code": "new", "message": ""})[1]["code"], "closing")

    def test_breaches(self):
        for change in ({"session": -1}, {"session": True}, {"session": 1.0}, {"session": 2 ** 53}, {"device": None},
                       {"device": "\ud800"}, {"takesOver": 0}):
            with self.subTest(change=change), self.assertRaises(Breach):
                messages.read({**self.OPEN, **change})
        for frames in (0, 1025, None):
            with self.assertRaises(Breach):
                messages.read({"kind": "credit", "frames": frames})


if __name__ == "__main__":
    unittest.main()
