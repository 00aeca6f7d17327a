import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buffersOf, nameOfFile } from './layer-form.tsx'
it('reads metres, each once, ascending, and leaves out what is none', () => {
  expect(buffersOf(['25', ' 10', '10', 'ten', '-5', '9000', '', '0'], true)).toEqual([0, 10, 25])
})

it('suggests a layer’s name', () => {
  expect([nameOfFile('City_wards_2026.geojson'), nameOfFile('Parks.ZIP'), nameOfFile('plain')]).toEqual([
    'City wards 2026',
    'Parks',
    'plain',
  ])
})

it('reads the metres that it wrote', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: -10, max: 6000 }).map(String), fc.string({ maxLength: 4 }))),
      (texts) => {
        const metres = buffersOf(texts, true)
        expect(metres).toEqual([...new Set(metres)].toSorted((a, b) => a - b))
        expect(metres.every((each) => each >= 0 && each <= 5000)).toBe(true)
        expect(buffersOf(metres.map(String), true)).toEqual(metres)
      },
    ),
  )
})

it('takes parts of metres and the limits themselves', () => {
  expect(buffersOf(['5000', '0', '2.5', '5000.1', 'Infinity', 'NaN'], true)).toEqual([0, 2.5, 5000])
})

it('suggests no name for a file that has but an ending, and keeps dots within', () => {
  expect([
    nameOfFile('.geojson'),
    nameOfFile('a.b.KML'),
    nameOfFile('wards.csv'),
    nameOfFile('__x__.shp'),
  ]).toEqual(['', 'a.b', 'wards.csv', 'x'])
})
