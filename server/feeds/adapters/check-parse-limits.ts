import { type JsonBounds, findJsonExcess } from '#server/http/json-excess.ts'
import { UnreadableBody } from './adapter.ts'

/** No legitimate response of 256 MB exceeds these limits. Larger ones might not fit into memory. */
const bounds: JsonBounds = { depth: 64, values: 15_000_000, fields: 2000, length: 32 * 1024 * 1024 }
/** The maximum number of lines of a table or tags of XML. */
const maxLinesOrTags = 5_000_000

const [lineFeed, lessThan] = [0x0a, 0x3c]
/** Returns whether the first printable character is `{` or `[`. */
const isJson = (bytes: Uint8Array): boolean => {
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80)
  return first === 0x7b || first === 0x5b
}

function hasTooManyLinesOrTags(bytes: Uint8Array): boolean {
  let count = 0
  for (const byte of bytes)
    if ((byte === lineFeed || byte === lessThan) && ++count > maxLinesOrTags) return true
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
