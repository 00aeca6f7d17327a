import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonBounds, findJsonExcess } from './json-excess.ts'

const bounds: JsonBounds = { depth: 4, values: 50, fields: 5, length: 20 }
const excess = (text: string, overrides: Partial<JsonBounds> = {}): string | null =>
  findJsonExcess(Buffer.from(text), { ...bounds, ...overrides })
const object = (fieldCount: number): string =>
  `{${Array.from({ length: fieldCount }, (_, n) => `"k${n}": ${n}`).join(', ')}}`

describe('findJsonExcess', () => {
  it.each([
    ['[[[[1]]]]', null],
    ['[[[[[1]]]]]', 'is nested deeper than 4'],
    ['{"a":{"a":{"a":{"a":{"a":1}}}}}', 'is nested deeper than 4'],
    [object(5), null],
    [object(6), 'contains an object of more than 5 fields'],
    [`[${object(5)}, ${object(5)}]`, null],
    [`{"a": [${object(3)}, 1, 2, 3, 4, 5, 6, 7, 8], "b": 1}`, null],
    [
      `{"a": ${object(2)}, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1}`,
      'contains an object of more than 5 fields',
    ],
    [`[${'[],'.repeat(60)}1]`, 'contains more than 50 values'],
    [`[${'1,'.repeat(40)}1]`, null],
    [`[${'1,'.repeat(60)}1]`, 'contains more than 50 values'],
    [`"${'a'.repeat(20)}"`, null],
    [`"${'a'.repeat(22)}"`, 'contains a text longer than 20 bytes'],
    [`[1, ${'9'.repeat(21)}]`, 'contains a value longer than 20 bytes'],
    [`[${' '.repeat(90)}1,${'\n'.repeat(90)}2]`, null],
  ])('finds in %s: %s', (text, expected) => {
    expect(excess(text)).toBe(expected)
  })

  it('ignores brackets and commas within texts', () => {
    expect(excess('["[[[[[[[[{{{{,,,,"]')).toBeNull()
    expect(excess(String.raw`["\"[[[[[[[[", "\\"]`)).toBeNull()
    expect(excess(String.raw`["\\", [[[[1]]]]]`)).toBe('is nested deeper than 4')
  })

  it('does not throw for invalid JSON', () => {
    for (const text of ['', ']]]]]', '"', String.raw`"\ `, '}{', '[1,,,', '\ufeff[1]'])
      expect(excess(text)).toBeNull()
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void findJsonExcess(bytes, bounds)))
  })

  it('agrees with the parser on depth', () => {
    const measureDepth = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(measureDepth))
        : 0
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(excess(JSON.stringify(value), { values: 1e9, fields: 1e9, length: 1e9 }) !== null).toBe(
          measureDepth(value) > bounds.depth,
        )
      }),
    )
  })
})
