import { type JsonBounds, findJsonExcess } from '#server/http/json-excess.ts'
import { UnreadableBody } from './adapter.ts'

/** No legitimate response of 256 MB exceeds these limits, and the parsed value of a larger one would not fit into memory. */
const bounds: JsonBounds = { depth: 64, values: 15_000_000, fields: 2000, length: 32 * 1024 * 1024 }
/** Lines of a table, or tags of XML. */
const maxLinesOrTags = 5_000_000

const [lineEnd, tag] = [0x0a, 0x3c]
const isJson = (bytes: Uint8Array): boolean => {
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80)
  return first === 0x7b || first === 0x5b
}

function isTooMany(bytes: Uint8Array): boolean {
  let signs = 0
  for (const byte of bytes) if ((byte === lineEnd || byte === tag) && ++signs > maxLinesOrTags) return true
  return false
}

/** Checks the bytes of a response before they are parsed. Throws UnreadableBody if the parser would run out of memory, which would crash the server. */
export function refuseExcess(bytes: Uint8Array): void {
  if (!isJson(bytes)) {
    if (isTooMany(bytes))
      throw new UnreadableBody(`The response has more than ${maxLinesOrTags} lines or tags.`)
    return
  }
  const excess = findJsonExcess(bytes, bounds)
  if (excess) throw new UnreadableBody(`The response ${excess}.`)
}
