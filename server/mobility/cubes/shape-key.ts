import { createHash } from 'node:crypto'
import { type Area, polygonsOf } from '#contract/place.ts'

/** An UInt64 as text; 0 is none. */
function keyOf(text: string): string {
  const hash = createHash('sha256').update(text).digest()
  return String(hash.readBigUInt64BE() || 1n)
}

/** The key of an area's geometry: the same rings in the same order are the same shape, whatever layer they are in. */
export const shapeKey = (area: Area): string => keyOf(JSON.stringify(polygonsOf(area)))

/** The key of all that is in none of some shapes. */
export const outsideKey = (keys: readonly string[]): string =>
  keyOf(`outside ${[...new Set(keys)].toSorted().join(' ')}`)

/** The key of everything, wherever it is. */
export const everywhereKey = keyOf('everywhere')
