import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buffersOf, nameOfFile } from './layer-form.tsx'
it('parses meters, without duplicates, in ascending order, and drops invalid values', () => {
  expect(buffersOf(['25', ' 10', '10', 'ten', '-5', '9000', '', '0'], true)).toEqual([0, 10, 25])
})

it('suggests the name of a layer', () => {
  expect([nameOfFile('City_wards_2026.geojson'), nameOfFile('Parks.ZIP'), nameOfFile('plain')]).toEqual([
    'City wards 2026',
    'Parks',
    'plain',
  ])
})

it('parses the meters that it formatted', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: -10, max: 6000 }).map(String), fc.string({ maxLength: 4 }))),
      (texts) => {
        const meters = buffersOf(texts, true)
        expect(meters).toEqual([...new Set(meters)].toSorted((a, b) => a - b))
        expect(meters.every((each) => each >= 0 && each <= 5000)).toBe(true)
        expect(buffersOf(meters.map(String), true)).toEqual(meters)
      },
    ),
  )
})

it('accepts fractions of meters, and the limits themselves', () => {
  expect(buffersOf(['5000', '0', '2.5', '5000.1', 'Infinity', 'NaN'], true)).toEqual([0, 2.5, 5000])
})

it('suggests no name for a file that has only an extension, and retains inner dots', () => {
  expect([
    nameOfFile('.geojson'),
    nameOfFile('a.b.KML'),
    nameOfFile('wards.csv'),
    nameOfFile('__x__.shp'),
  ]).toEqual(['', 'a.b', 'wards.csv', 'x'])
})
