"""Pictures, sound and photos without a camera."""

import array
import math

SAMPLE_RATE = 16_000


class Pattern:
    """Horizontal bars that move down by two lines a picture, as packed I420 in video range."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        # Twice the height: each picture is one slice of it, which costs no more than its copy.
        self._luma = b"".join(bytes([16 + (line * 4) % 220]) * width for line in range(2 * height))
        half_width, half_height = (width + 1) // 2, (height + 1) // 2
        ramp = bytes(16 + column * 224 // half_width for column in range(half_width))
        self._chroma = ramp * half_height + ramp[::-1] * half_height

    def picture(self, number):
        start = (self.height - (2 * number) % self.height) * self.width
        return self._luma[start:start + self.width * self.height] + self._chroma


def tone(first, count):
    """So many samples of 440 Hz, from that one on: 16-bit little-endian mono."""
    samples = array.array("h", (int(8000 * math.sin(2 * math.pi * 440 * (first + index) / SAMPLE_RATE))
                                for index in range(count)))
    if array.array("h", [1]).tobytes() != b"\x01\x00":
        samples.byteswap()
    return samples.tobytes()


def segment(marker, content):
    return bytes([0xFF, marker]) + (len(content) + 2).to_bytes(2, "big") + content


def tiny_jpeg():
    """A valid baseline JPEG: 8 × 8, grey. One block, whose only coefficients are a DC difference of 0 and an end of block."""
    one_code = bytes([1] + [0] * 15 + [0])
    return b"".join([
        b"\xff\xd8",
        segment(0xE0, b"JFIF\0" + bytes([1, 1, 0, 0, 1, 0, 1, 0, 0])),
        segment(0xDB, bytes([0]) + bytes([1] * 64)),
        segment(0xC0, bytes([8, 0, 8, 0, 8, 1, 1, 0x11, 0])),
        segment(0xC4, bytes([0x00]) + one_code),
        segment(0xC4, bytes([0x10]) + one_code),
        segment(0xDA, bytes([1, 1, 0, 0, 63, 0])),
        bytes([0b00111111]),
        b"\xff\xd9",
    ])
