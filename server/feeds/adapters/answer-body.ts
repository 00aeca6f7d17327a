import { gunzipSync } from 'node:zlib'
import { UnreadableBody } from './adapter.ts'
import { refuseExcess } from './refuse-excess.ts'

/** Bytes to which a response may decompress. */
const maxDecompressedBytes = 256 * 1024 * 1024

/** The beginning of a body, for a message. */
export const beginning = (text: string): string =>
  `“${text
    .slice(0, 80)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()}”`

function unpacked(body: Uint8Array): Uint8Array {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  try {
    return gunzipSync(body, { maxOutputLength: maxDecompressedBytes })
  } catch {
    throw new UnreadableBody('The response is a gzip file that is damaged, cut off or too large.')
  }
}

/** The text of a response, decompressed if it is gzip. */
export function answerText(body: Uint8Array): string {
  const bytes = unpacked(body)
  refuseExcess(bytes)
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw new UnreadableBody('The response is empty.')
  return text
}

export type JsonObject = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON of a text. */
export function answerJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const start = text.trimStart()
    if (start.startsWith('<'))
      throw new UnreadableBody(`The response is a web page, not JSON. It begins with ${beginning(start)}.`)
    if (/^[[{]/.test(start) && !/[\]}]\s*$/.test(text.slice(-100)))
      throw new UnreadableBody(`The response ends too early. It begins with ${beginning(start)}.`)
    throw new UnreadableBody(`The response is not JSON. It begins with ${beginning(start)}.`)
  }
}

/** JSON that must be an object. */
export function answerObject(text: string): JsonObject {
  const value = answerJson(text)
  if (!isObject(value))
    throw new UnreadableBody(`The response is JSON, but not an object. It begins with ${beginning(text)}.`)
  return value
}
