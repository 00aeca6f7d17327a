import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { StyleSpecification } from 'maplibre-gl'
import { basemapRoles } from '#contract/basemap.ts'
import type { MapLayer } from '../map-layer.ts'
import type { SceneBasemap, TilesBasemap } from '../map-scene.ts'
import { basemapPalette } from './basemap-palette.ts'

let compose: (basemap: SceneBasemap, scheme?: 'light' | 'dark', layer?: MapLayer | null) => StyleSpecification
beforeAll(async () => {
  vi.stubGlobal('location', { href: 'http://city.example/' })
  const { composeStyle } = await import('./compose-style.ts')
  compose = (basemap, scheme = 'light', layer = null) =>
    composeStyle({ basemap, scheme, layers: layer ? [layer] : [] })
})

const ownLayers = basemapRoles.map((role) => ({
  role,
  tiles: `http://city.example/${role}/{z}/{x}/{y}`,
  attribution: role === 'street' ? '© OpenStreetMap contributors' : null,
}))
const tiles = (layers: string[]): TilesBasemap => ({
  kind: 'tiles',
  tiles: 'pmtiles://http://city.example/t.pmtiles/{z}/{x}/{y}',
  layers,
  attribution: 'Somebody',
  minZoom: 2,
  maxZoom: 14,
  bounds: [1, 2, 3, 4],
})
const layer = (style: StyleSpecification, id: string) => style.layers.find((layer) => layer.id === id)
const getPaint = (style: StyleSpecification, id: string) =>
  layer(style, id)?.paint as Record<string, unknown> | undefined

describe('the region’s own layers', () => {
  it('are drawn from the background up, labels last, with their attribution', () => {
    const style = compose(ownLayers)
    expect(
      Object.values(style.sources).map((source) => (source as { attribution?: string }).attribution),
    ).toContain('© OpenStreetMap contributors')
    const ids = style.layers.map(({ id }) => id)
    const order = [
      'ground',
      'basemap:land:0',
      'basemap:park:1',
      'basemap:water:2',
      'basemap:street:4:local',
      'basemap:street:4:freeway',
      'basemap:rail:3',
      'basemap:park:1:name',
      'basemap:street:4:freeway:name',
      'basemap:place:5:city:name',
    ]
    expect(order.map((id) => ids.indexOf(id))).toEqual(
      order.map((id) => ids.indexOf(id)).toSorted((a, b) => a - b),
    )
    expect(order.every((id) => ids.includes(id))).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('have different colors in dark mode', () => {
    for (const scheme of ['light', 'dark'] as const)
      expect(getPaint(compose(ownLayers, scheme), 'basemap:street:4:local')?.['line-color']).toBe(
        basemapPalette[scheme].local,
      )
    expect(basemapPalette.light.local).not.toBe(basemapPalette.dark.local)
  })

  it('have the land color as background unless land is drawn', () => {
    expect(getPaint(compose([]), 'ground')?.['background-color']).toBe(basemapPalette.light.land)
    expect(
      getPaint(compose(ownLayers.filter(({ role }) => role === 'water')), 'ground')?.['background-color'],
    ).toBe(basemapPalette.light.land)
    expect(getPaint(compose(ownLayers), 'ground')?.['background-color']).toBe(basemapPalette.light.background)
  })

  it('are drawn instead of a style that failed to load', () => {
    expect(
      compose({ kind: 'own', layers: ownLayers, problem: { reason: 'unreachable', host: 'maps.example' } })
        .layers,
    ).toEqual(compose(ownLayers).layers)
  })
})

describe('tiles of the deployment', () => {
  it('are drawn according to layer names, in our colors', () => {
    const style = compose(tiles(['water', 'neighborhoods', 'arterials', 'roads', 'zoning', 'pois']), 'dark')
    expect(style.sources).toEqual({
      basemap: {
        type: 'vector',
        tiles: ['pmtiles://http://city.example/t.pmtiles/{z}/{x}/{y}'],
        minzoom: 2,
        maxzoom: 14,
        bounds: [1, 2, 3, 4],
        attribution: 'Somebody',
      },
    })
    expect(getPaint(style, 'basemap:water')?.['fill-color']).toBe(basemapPalette.dark.water)
    expect(getPaint(style, 'basemap:arterials:arterial')?.['line-color']).toBe(basemapPalette.dark.arterial)
    expect(layer(style, 'basemap:neighborhoods:neighbourhood:name')?.type).toBe('symbol')
    expect(layer(style, 'basemap:zoning')?.type).toBe('line')
    expect(style.layers.some(({ id }) => id.includes('pois'))).toBe(false)
  })

  it('draw major streets above minor ones, regardless of their layers', () => {
    const ids = compose(tiles(['freeways', 'arterials', 'bikeways', 'roads'])).layers.map(({ id }) => id)
    const indexOf = (id: string): number => ids.indexOf(id)
    expect([
      indexOf('basemap:bikeways:path') < indexOf('basemap:roads:local'),
      indexOf('basemap:roads:local') < indexOf('basemap:arterials:arterial'),
      indexOf('basemap:arterials:arterial') < indexOf('basemap:freeways:freeway'),
    ]).toEqual([true, true, true])
  })

  it('without a list of layers are tried for common layer names', () => {
    const style = compose(tiles([]))
    for (const id of [
      'basemap:earth',
      'basemap:water',
      'basemap:roads:freeway',
      'basemap:transportation:freeway',
      'basemap:places:city:name',
    ])
      expect([id, layer(style, id) !== undefined]).toEqual([id, true])
    expect(new Set(style.layers.map(({ id }) => id)).size).toBe(style.layers.length)
  })
})

it('the style of another server gets a prefix, and its labels are above our data', () => {
  const style = {
    version: 8 as const,
    glyphs: 'https://m.example/{fontstack}/{range}.pbf',
    sprite: 'https://m.example/s',
    sources: { basemap: { type: 'vector' as const, url: 'https://m.example/t.json' } },
    layers: [
      { id: 'ground', type: 'background' as const },
      { id: 'names', type: 'symbol' as const, source: 'basemap', 'source-layer': 'x' },
      { id: 'roads', type: 'line' as const, source: 'basemap', 'source-layer': 'y' },
    ],
  }
  const composed = compose({ kind: 'style', style })
  expect(composed.layers.map(({ id, ...rest }) => [id, 'source' in rest ? rest.source : null])).toEqual([
    ['city:ground', null],
    ['city:roads', 'city:basemap'],
    ['city:names', 'city:basemap'],
  ])
  expect([Object.keys(composed.sources), composed.glyphs, composed.sprite]).toEqual([
    ['city:basemap'],
    style.glyphs,
    style.sprite,
  ])
  expect(composed['font-faces']).toBeDefined()
})

describe('areas of a layer', () => {
  const areas: MapLayer = {
    sources: {},
    areas: [{ id: 'fill', type: 'background' }],
    drawings: [{ id: 'ring', type: 'background' }],
    labels: [],
    pointerTarget: null,
    states: new Map(),
  }
  /** Whether the layers with these ids are drawn in this order. */
  const isInOrder = (style: StyleSpecification, ids: string[]): boolean => {
    const places = ids.map((id) => style.layers.findIndex((layer) => layer.id === id))
    return places.every((place, index) => place > (places[index - 1] ?? -1))
  }

  it('are between water and streets of own layers and tiles, outlines between streets and labels', () => {
    expect(
      isInOrder(compose(ownLayers, 'light', areas), [
        'basemap:water:2',
        'fill',
        'basemap:street:4:local:casing',
        'basemap:street:4:freeway',
        'ring',
        'basemap:street:4:freeway:name',
      ]),
    ).toBe(true)
    expect(
      isInOrder(compose(tiles(['water', 'roads']), 'light', areas), [
        'basemap:water',
        'fill',
        'basemap:roads:local',
        'ring',
      ]),
    ).toBe(true)
  })
  it('are below the first street of another server, or above all but its labels', () => {
    const line = (id: string, name: string) => ({
      id,
      type: 'line' as const,
      source: 'a',
      'source-layer': name,
    })
    const style = (layers: StyleSpecification['layers']) =>
      compose(
        { kind: 'style', style: { version: 8, sources: { a: { type: 'vector' } }, layers } },
        'light',
        areas,
      )
    const river = line('river', 'waterway')
    expect(
      isInOrder(style([river, line('roads', 'transportation')]), [
        'city:river',
        'fill',
        'city:roads',
        'ring',
      ]),
    ).toBe(true)
    expect(isInOrder(style([river]), ['city:river', 'fill', 'ring'])).toBe(true)
  })
  it('make streets paler, which are opaque without areas', () => {
    expect(
      getPaint(compose(ownLayers, 'light', areas), 'basemap:street:4:local')?.['line-opacity'],
    ).toBeLessThan(1)
    expect(getPaint(compose(ownLayers), 'basemap:street:4:local')).not.toHaveProperty('line-opacity')
  })
})
