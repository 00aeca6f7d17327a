import { expect, it } from 'vitest'
import type { Geometry } from '#contract/place.ts'
import { publicAreasLayer } from './public-policy-map.tsx'

const point: Geometry = { type: 'Point', coordinates: [1, 2] }
const area: Geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
}

it('draws every part of every geography, and fills areas only', () => {
  const layer = publicAreasLayer(
    [
      { geography_id: 'a', name: 'A', geometries: [point, area] },
      { geography_id: 'b', name: 'B', geometries: [point] },
    ],
    'light',
  )
  expect(
    (
      layer.sources['public-areas'] as unknown as { data: { features: { geometry: Geometry }[] } }
    ).data.features.map(({ geometry }) => geometry),
  ).toEqual([point, area, point])
  expect(
    [...layer.areas!, ...layer.drawings].map((drawing) => [
      drawing.type,
      'filter' in drawing ? drawing.filter : null,
    ]),
  ).toEqual([
    ['fill', ['==', ['geometry-type'], 'Polygon']],
    ['line', null],
    ['circle', ['==', ['geometry-type'], 'Point']],
  ])
  expect(layer.pointerTarget).toBeNull()
})
