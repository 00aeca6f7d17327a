import { expect, it } from 'vitest'
import { type RouteLines, routeVolumesLayer } from './route-volumes-layer.ts'

const lines: RouteLines = {
  key: 'routes:v',
  tiles: 'https://city/{z}/{x}/{y}',
  binById: new Map([['7', { bin: 2, forward: 1, backward: -1 }]]),
  colors: ['#ffffff', '#888888', '#000000'],
  scheme: 'light',
  hasDirections: true,
}
const getPaint = (layer: ReturnType<typeof routeVolumesLayer>, id: string): string =>
  JSON.stringify(layer.drawings.find((drawing) => drawing.id === id)?.paint)

it('sets volumes as feature states, so that new ones reload no tiles', () => {
  const layer = routeVolumesLayer(lines)
  expect(layer.states).toEqual(new Map([['7', { bin: 2, forward: 1, backward: -1 }]]))
  expect(JSON.stringify(routeVolumesLayer({ ...lines, binById: new Map() }).drawings)).toBe(
    JSON.stringify(layer.drawings),
  )
  expect(layer.sources).toEqual({
    'routes:v': { type: 'vector', tiles: ['https://city/{z}/{x}/{y}'], maxzoom: 15, promoteId: 'shape_uuid' },
  })
  expect(layer.pointerTarget).toEqual({
    source: 'routes:v',
    sourceLayer: 'shapes',
    idProperty: 'shape_uuid',
    drawings: ['route-touch'],
  })
  expect(layer.drawings.every((drawing) => 'source' in drawing && drawing.source === 'routes:v')).toBe(true)
})

it('draws directions side by side by class at high zoom, and their sum at low zoom', () => {
  const layer = routeVolumesLayer(lines)
  expect(layer.drawings.filter(({ minzoom }) => (minzoom ?? 0) > 14).map(({ id }) => id)).toEqual([
    'route-forward',
    'route-backward',
    'route-forward-arrow',
    'route-backward-arrow',
  ])
  expect(layer.drawings.filter(({ maxzoom }) => maxzoom !== undefined).map(({ id }) => id)).toEqual([
    'route-casing',
    'route-line-0',
    'route-line-1',
    'route-line-2',
  ])
  expect(getPaint(layer, 'route-forward')).toContain('"feature-state","forward"')
  expect(getPaint(layer, 'route-forward')).not.toContain('"feature-state","backward"')
  expect(getPaint(layer, 'route-backward')).toContain('-6')
})

it('draws one line at every zoom without directions, and a color even without bins', () => {
  const layer = routeVolumesLayer({ ...lines, hasDirections: false, colors: [] })
  expect(layer.drawings.map(({ id }) => id)).toEqual([
    'route-touch',
    'route-ring',
    'route-casing',
    'route-line-0',
    'route-line-1',
    'route-line-2',
  ])
  expect(layer.drawings.some(({ maxzoom }) => maxzoom !== undefined)).toBe(false)
  expect(getPaint(layer, 'route-line-0')).toMatch(/"line-color":"#/)
})
