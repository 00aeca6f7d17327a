import { expect, it } from 'vitest'
import { featuresOf, publicAreasLayer } from './public-areas-layer.ts'

const point = { type: 'Point', coordinates: [1, 2] }

it('reads all three forms of GeoJSON', () => {
  const feature = { type: 'Feature', properties: {}, geometry: point }
  expect(featuresOf(point)).toEqual([feature])
  expect(featuresOf(feature)).toEqual([feature])
  expect(featuresOf({ type: 'FeatureCollection', features: [feature] })).toEqual([feature])
})

it('draws every geography', () => {
  const layer = publicAreasLayer([{ geography_id: 'a', name: 'A', geography_json: point }, { geography_id: 'b', name: 'B', geography_json: point }], 'light')
  expect((layer.sources['public-areas'] as { data: { features: unknown[] } }).data.features).toHaveLength(2)
  expect(layer.touch).toBeNull()
})
