/** Limits of a JSON text, which are checked before it is parsed. */
export interface JsonBounds {
  /** Maximum nesting of lists and objects. */
  depth: number
  /** Maximum number of values in all lists and objects. */
  values: number
  /** Maximum number of fields of an object: V8 represents very large objects as slow dictionaries. */
  fields: number
  /** Maximum bytes of one string or number. */
  length: number
}

const [quote, comma, backslash, space] = [0x22, 0x2c, 0x5c, 0x20]
/** The brackets `[` and `{`. The code of the closing bracket is larger by two. */
const [list, object] = [0x5b, 0x7b]

/** Returns the index of the quote that ends the string starting at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
  return index
}

/**
 * Returns which limit a JSON text exceeds; null if it exceeds none. Parsing millions of empty lists, or an
 * object with a million fields, takes many times as long as a normal body of the same size; this function
 * reads each byte once.
 */
export function findJsonExcess(bytes: Uint8Array, bounds: JsonBounds): string | null {
  /**
   * Number of fields of the open object, by depth; for lists -Infinity, so that commas never reach the limit.
   */
  const fields = new Float64Array(bounds.depth + 1).fill(Number.NEGATIVE_INFINITY)
  let [depth, values, length] = [0, 1, 0]
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte === quote) {
      const end = endOfString(bytes, index + 1)
      if (end - index - 1 > bounds.length) return `contains a text longer than ${bounds.length} bytes`
      index = end
      length = 0
    } else if (byte === comma) {
      const count = (fields[depth] as number) + 1
      fields[depth] = count
      if (count > bounds.fields) return `contains an object of more than ${bounds.fields} fields`
      if (++values > bounds.values) return `contains more than ${bounds.values} values`
      length = 0
    } else if (byte === list || byte === object) {
      if (++depth > bounds.depth) return `is nested deeper than ${bounds.depth}`
      fields[depth] = byte === object ? 1 : Number.NEGATIVE_INFINITY
      if (++values > bounds.values) return `contains more than ${bounds.values} values`
      length = 0
    } else if (byte === list + 2 || byte === object + 2) {
      if (depth > 0) depth--
      length = 0
    } else if (byte > space && ++length > bounds.length)
      return `contains a value longer than ${bounds.length} bytes`
  }
  return null
}
