import { expect, it } from 'vitest'
import type { Geometry } from '#contract/place.ts'
import { outlinesLayer } from './outlines-layer.ts'

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

it('draws every geometry, and fills areas only', () => {
  const layer = outlinesLayer([point, area], 'light')
  expect(
    (
      layer.sources['outlines'] as unknown as { data: { features: { geometry: Geometry }[] } }
    ).data.features.map(({ geometry }) => geometry),
  ).toEqual([point, area])
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
