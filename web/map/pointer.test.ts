import { expect, it, vi } from 'vitest'
import type { MapLibreMap } from './create-map.ts'
import type { PointerTarget } from './map-layer.ts'
import { Pointer } from './pointer.ts'

interface Feature {
  source: string
  properties: Record<string, unknown>
}

/** Clicks on a map with these features under the pointer, topmost first, and returns what happened. */
function clickOn(features: Feature[], targets: PointerTarget[]) {
  const handlers = new Map<string, (event: object) => void>()
  const query = vi.fn((_point: object, _options: { layers: string[] }) => features)
  const map = {
    on: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
    getLayer: (id: string) => (id === 'gone' ? undefined : {}),
    queryRenderedFeatures: query,
  } as unknown as MapLibreMap
  const onSelect = vi.fn<(id: string | null) => void>()
  const onPress = vi.fn<(lon: number, lat: number) => void>()
  const pointer = new Pointer(map, { onSelect, onPress, onHover: vi.fn(), onPointer: vi.fn() }, vi.fn())
  pointer.setTargets(targets)
  handlers.get('click')?.({ point: { x: 1, y: 2 }, lngLat: { lng: 3, lat: 4 } })
  return {
    selected: onSelect.mock.calls[0]?.[0],
    layers: query.mock.calls[0]?.[1].layers,
    pressed: onPress.mock.calls[0] ?? null,
  }
}

const zones: PointerTarget = {
  source: 'zones',
  sourceLayer: 'shapes',
  idProperty: 'shape_uuid',
  drawings: ['zone-fill', 'gone'],
}
const curbs: PointerTarget = { source: 'curbs', sourceLayer: null, idProperty: 'curb_id', drawings: ['curb'] }

it('queries the drawings of all layers that exist', () => {
  expect(clickOn([], [zones, curbs])).toEqual({
    selected: null,
    layers: ['zone-fill', 'curb'],
    pressed: [3, 4],
  })
})
it('identifies the top feature by the property of its own layer', () => {
  const curb = { source: 'curbs', properties: { curb_id: 17, shape_uuid: 'wrong' } }
  const zone = { source: 'zones', properties: { shape_uuid: 'old-port' } }
  expect(clickOn([curb, zone], [zones, curbs])).toMatchObject({ selected: '17', pressed: null })
  expect(clickOn([zone, curb], [zones, curbs]).selected).toBe('old-port')
})
it('selects nothing where the property is missing', () => {
  expect(clickOn([{ source: 'zones', properties: {} }], [zones, curbs]).selected).toBeNull()
})
