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

// Character codes. The closing bracket and brace follow two after the opening ones.
const space = 0x20
const quote = 0x22
const comma = 0x2c
const openingBracket = 0x5b
const backslash = 0x5c
const openingBrace = 0x7b

/** Returns the index of the quote that ends the string starting at `start`. */
function findEndOfString(bytes: Uint8Array, start: number): number {
  let index = start
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
  return index
}

/**
 * Describes the limit that a JSON text exceeds, such as `is nested deeper than 64`; null if it exceeds none.
 * Parsing millions of empty lists, or an object with a million fields, takes many times as long as a normal
 * body of the same size; this function reads each byte once.
 */
export function findJsonExcess(bytes: Uint8Array, bounds: JsonBounds): string | null {
  /** Fields of the open object by depth; -Infinity for lists, so that commas never reach the limit. */
  const fieldCounts = new Float64Array(bounds.depth + 1).fill(Number.NEGATIVE_INFINITY)
  let depth = 0
  let valueCount = 1
  /** Bytes of the current number or literal. */
  let valueLength = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte === quote) {
      const end = findEndOfString(bytes, index + 1)
      if (end - index - 1 > bounds.length) return `contains a text longer than ${bounds.length} bytes`
      index = end
      valueLength = 0
    } else if (byte === comma) {
      const count = (fieldCounts[depth] as number) + 1
      fieldCounts[depth] = count
      if (count > bounds.fields) return `contains an object of more than ${bounds.fields} fields`
      if (++valueCount > bounds.values) return `contains more than ${bounds.values} values`
      valueLength = 0
    } else if (byte === openingBracket || byte === openingBrace) {
      if (++depth > bounds.depth) return `is nested deeper than ${bounds.depth}`
      fieldCounts[depth] = byte === openingBrace ? 1 : Number.NEGATIVE_INFINITY
      if (++valueCount > bounds.values) return `contains more than ${bounds.values} values`
      valueLength = 0
    } else if (byte === openingBracket + 2 || byte === openingBrace + 2) {
      if (depth > 0) depth--
      valueLength = 0
    } else if (byte > space && ++valueLength > bounds.length)
      return `contains a value longer than ${bounds.length} bytes`
  }
  return null
}
