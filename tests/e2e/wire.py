"""Fields of protocol buffers, for the scripts here that write messages."""


def varint(value):
    value &= (1 << 64) - 1
    text = b""
    while value >= 0x80:
        text += bytes([value & 0x7F | 0x80])
        value >>= 7
    return text + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def sized(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value
