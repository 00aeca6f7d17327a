/** Limits of JSON that are checked before it is parsed. */
export interface JsonBounds {
  /** Levels of lists and objects. */
  depth: number
  /** Values of all lists and objects. */
  values: number
  /** Fields of one object: very large objects become slow dictionaries. */
  fields: number
  /** Bytes of one text or number. */
  length: number
}

const [quote, comma, backslash, space] = [0x22, 0x2c, 0x5c, 0x20]
/** The brackets `[` and `{`; the code of the closing bracket is larger by two. */
const [list, object] = [0x5b, 0x7b]

/** The index of the quote that ends the text starting at `start`. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

/**
 * Finds which limit a JSON text exceeds; null if it exceeds none. Parsing millions of empty lists, or an
 * object of a million fields, takes many times as long as a normal body of the same size, while this reads
 * each byte once.
 */
export function findJsonExcess(bytes: Uint8Array, bounds: JsonBounds): string | null {
  /** Number of fields by depth; lists are not counted. */
  const fields = new Float64Array(bounds.depth + 1).fill(Number.NEGATIVE_INFINITY)
  let [depth, values, length] = [0, 1, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) {
      const end = endOfText(bytes, at + 1)
      if (end - at - 1 > bounds.length) return `holds a text longer than ${bounds.length} bytes`
      at = end
      length = 0
    } else if (byte === comma) {
      const count = (fields[depth] as number) + 1
      fields[depth] = count
      if (count > bounds.fields) return `holds an object of more than ${bounds.fields} fields`
      if (++values > bounds.values) return `holds more than ${bounds.values} values`
      length = 0
    } else if (byte === list || byte === object) {
      if (++depth > bounds.depth) return `is nested deeper than ${bounds.depth}`
      fields[depth] = byte === object ? 1 : Number.NEGATIVE_INFINITY
      if (++values > bounds.values) return `holds more than ${bounds.values} values`
      length = 0
    } else if (byte === list + 2 || byte === object + 2) {
      if (depth > 0) depth--
      length = 0
    } else if (byte > space && ++length > bounds.length)
      return `holds a value longer than ${bounds.length} bytes`
  }
  return null
}
