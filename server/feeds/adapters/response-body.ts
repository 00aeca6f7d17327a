import { gunzipSync } from 'node:zlib'
import { UnreadableBody } from './adapter.ts'
import { checkParseLimits } from './check-parse-limits.ts'

/** The maximum size of a decompressed response. */
const maxDecompressedBytes = 256 * 1024 * 1024

/** Quotes the first 80 characters of a body on one line, for error messages. */
export const quoteStart = (text: string): string =>
  `“${text
    .slice(0, 80)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()}”`

function decompress(body: Uint8Array): Uint8Array {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  if (!isGzip) return body
  try {
    return gunzipSync(body, { maxOutputLength: maxDecompressedBytes })
  } catch {
    throw new UnreadableBody('The response is a gzip file that is damaged, truncated or too large.')
  }
}

/** Returns the text of a response, decompressed if it is gzip. @throws UnreadableBody. */
export function decodeBody(body: Uint8Array): string {
  const bytes = decompress(body)
  checkParseLimits(bytes)
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw new UnreadableBody('The response is empty.')
  return text
}

export type JsonObject = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses JSON. @throws UnreadableBody with the likely cause if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const start = text.trimStart()
    if (start.startsWith('<'))
      throw new UnreadableBody(`The response is a web page, not JSON. It begins with ${quoteStart(start)}.`)
    if (/^[[{]/.test(start) && !/[\]}]\s*$/.test(text.slice(-100)))
      throw new UnreadableBody(`The response ends too early. It begins with ${quoteStart(start)}.`)
    throw new UnreadableBody(`The response is not JSON. It begins with ${quoteStart(start)}.`)
  }
}

/** Parses JSON that must be an object. @throws UnreadableBody. */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(text)
  if (!isObject(value))
    throw new UnreadableBody(`The response is JSON, but not an object. It begins with ${quoteStart(text)}.`)
  return value
}
