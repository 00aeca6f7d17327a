import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getRegion, listRegions } from '#contract/regions.ts'
import { listShapes } from '#contract/geography.ts'
import { endpointUrl } from './endpoint-url.ts'

it('fills in and escapes path parameters', () => {
  expect(endpointUrl(getRegion, { params: { region_id: 'a/b c' } })).toBe('/v2/regions/a%2Fb%20c')
})

it('appends the query without empty values', () => {
  const shape_layer_uuid = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
  expect(
    endpointUrl(listShapes, {
      params: { region_id: 'r' },
      query: { shape_layer_uuid, text: 'old town & more', page: 2 },
    }),
  ).toBe(`/v2/regions/r/shapes?shape_layer_uuid=${shape_layer_uuid}&text=old+town+%26+more&page=2`)
  expect(endpointUrl(listRegions, { query: { text: '', search: undefined } })).toBe('/v2/regions')
})

it('survives a round trip for any input', () => {
  const query = fc.record({
    text: fc.string({ unit: 'grapheme', minLength: 1 }),
    page: fc.integer({ min: 1, max: 99 }),
  })
  // URLs drop path segments that consist of dots.
  const id = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text))
  fc.assert(
    fc.property(query, id, (values, region_id) => {
      const url = new URL(
        endpointUrl(listShapes, { params: { region_id }, query: { shape_layer_uuid: 'u', ...values } }),
        'http://localhost',
      )
      const [, version, regions, id, shapes] = url.pathname.split('/')
      expect([version, regions, shapes]).toEqual(['v2', 'regions', 'shapes'])
      expect(decodeURIComponent(id!)).toBe(region_id)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        shape_layer_uuid: 'u',
        text: values.text,
        page: String(values.page),
      })
    }),
  )
})

it('includes zero, which is not empty', () => {
  expect(endpointUrl(listRegions, { query: { text: '0', page: 0 } })).toBe('/v2/regions?text=0&page=0')
})
