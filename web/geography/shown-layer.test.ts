import { expect, it } from 'vitest'
import { shownLayer } from './geographies-screen.tsx'

it('shows the layer that is asked for, else the primary one, else one that is no basemap', () => {
  const layers = [
    { shape_layer_uuid: 'w', level: 'basemap:water' },
    { shape_layer_uuid: 'd', level: null },
    { shape_layer_uuid: 'p', level: 'l1' },
  ]
  expect(shownLayer(layers, 'w')?.shape_layer_uuid).toBe('w')
  expect(shownLayer(layers, undefined)?.shape_layer_uuid).toBe('p')
  expect(shownLayer(layers, 'unknown')?.shape_layer_uuid).toBe('p')
  expect(shownLayer(layers.slice(0, 2), undefined)?.shape_layer_uuid).toBe('d')
  expect(shownLayer(layers.slice(0, 1), undefined)?.shape_layer_uuid).toBe('w')
  expect(shownLayer([], undefined)).toBeNull()
})
