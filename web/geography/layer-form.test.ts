import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseBuffers, layerNameOfFile } from './layer-form.tsx'
it('parses meters, without duplicates, in ascending order, and drops invalid values', () => {
  expect(parseBuffers(['25', ' 10', '10', 'ten', '-5', '9000', '', '0'], true)).toEqual([0, 10, 25])
})

it('suggests the name of a layer', () => {
  expect([
    layerNameOfFile('City_wards_2026.geojson'),
    layerNameOfFile('Parks.ZIP'),
    layerNameOfFile('plain'),
  ]).toEqual(['City wards 2026', 'Parks', 'plain'])
})

it('parses the meters that it formatted', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: -10, max: 6000 }).map(String), fc.string({ maxLength: 4 }))),
      (texts) => {
        const meters = parseBuffers(texts, true)
        expect(meters).toEqual([...new Set(meters)].toSorted((a, b) => a - b))
        expect(meters.every((distance) => distance >= 0 && distance <= 5000)).toBe(true)
        expect(parseBuffers(meters.map(String), true)).toEqual(meters)
      },
    ),
  )
})

it('accepts fractions of meters, and the limits themselves', () => {
  expect(parseBuffers(['5000', '0', '2.5', '5000.1', 'Infinity', 'NaN'], true)).toEqual([0, 2.5, 5000])
})

it('suggests no name for a file that has only an extension, and retains inner dots', () => {
  expect([
    layerNameOfFile('.geojson'),
    layerNameOfFile('a.b.KML'),
    layerNameOfFile('wards.csv'),
    layerNameOfFile('__x__.shp'),
  ]).toEqual(['', 'a.b', 'wards.csv', 'x'])
})
