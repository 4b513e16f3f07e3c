// Frames of the WebSocket protocol (RFC 6455, section 5.2), as a server sends them: whole messages, never masked.

/** The bits of a text that is not continued in another frame. */
const finalText = 0x81;

/** What comes before a text of so many bytes. */
export function textFrameHead(length: number): Buffer {
  if (length < 126) return Buffer.from([finalText, length]);
  if (length < 2 ** 16) {
    const head = Buffer.from([finalText, 126, 0, 0]);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.from([finalText, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUIntBE(length, 4, 6); // 48 of 64 bits: more than fits into memory
  return head;
}
