import { type JsonBounds, findJsonExcess } from '#server/http/json-excess.ts'
import { UnreadableBody } from './adapter.ts'

/** No legitimate response of 256 MB exceeds these limits. Larger ones might not fit into memory. */
const bounds: JsonBounds = { depth: 64, values: 15_000_000, fields: 2000, length: 32 * 1024 * 1024 }
/** The maximum number of lines of a table or tags of XML. */
const maxLinesOrTags = 5_000_000

/** Character codes. */
const ascii = { lineFeed: 0x0a, space: 0x20, lessThan: 0x3c, bracket: 0x5b, brace: 0x7b }
/** Returns whether the first visible ASCII character is `{` or `[`. */
const isJson = (bytes: Uint8Array): boolean => {
  const firstCode = bytes.find((byte) => byte > ascii.space && byte < 0x80)
  return firstCode === ascii.brace || firstCode === ascii.bracket
}

function hasTooManyLinesOrTags(bytes: Uint8Array): boolean {
  let count = 0
  for (const byte of bytes)
    if ((byte === ascii.lineFeed || byte === ascii.lessThan) && ++count > maxLinesOrTags) return true
  return false
}

/**
 * Checks a response before it is parsed.
 * @throws UnreadableBody if the parser might run out of memory, which would crash the server.
 */
export function checkParseLimits(bytes: Uint8Array): void {
  if (!isJson(bytes)) {
    if (hasTooManyLinesOrTags(bytes))
      throw new UnreadableBody(`The response has more than ${maxLinesOrTags} lines or tags.`)
    return
  }
  const excess = findJsonExcess(bytes, bounds)
  if (excess) throw new UnreadableBody(`The response ${excess}.`)
}
