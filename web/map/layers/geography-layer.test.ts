import { describe, expect, it } from 'vitest'
import { preserveDrawing } from '../map-bridge.ts'
import { getComparedStyle, type GeographyShapes } from './geography-shapes.ts'
import { geographyLayer } from './geography-layer.ts'

const shapes: GeographyShapes = {
  key: 'shapes:a',
  tiles: 'http://x/{z}/{x}/{y}',
  geometry: 'area',
  scheme: 'light',
  labels: null,
  stack: null,
  hidden: ['gone'],
  draft: [],
  compared: [],
  problems: [],
  selected: null,
}
const square = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ] as [number, number][],
  ],
}

describe('a map of geographies', () => {
  it.each(['light', 'dark'] as const)('has unique layer ids and uses its own sources only (%s)', (scheme) => {
    const layer = geographyLayer({
      ...shapes,
      scheme,
      labels: [{ name: 'A', point: [0, 0], size: 1 }],
      draft: [{ id: 'new:1', geom: square, kind: 'created' }],
      problems: [[0, 0]],
      selected: 'new:1',
      compared: [
        { role: 'base', geom: square },
        { role: 'mine', geom: square },
        { role: 'theirs', geom: square },
      ],
    })
    const layers = [...layer.areas!, ...layer.drawings, ...layer.labels]
    expect(new Set(layers.map(({ id }) => id)).size).toBe(layers.length)
    for (const styleLayer of layers)
      expect(Object.keys(layer.sources)).toContain('source' in styleLayer ? styleLayer.source : '')
    expect(layer.pointerTarget?.drawings.every((id) => layers.some((layer) => layer.id === id))).toBe(true)
  })

  it('hides the stored versions of drafted shapes, and picks drafted shapes first', () => {
    const layer = geographyLayer({ ...shapes, draft: [{ id: 'gone', geom: square, kind: 'changed' }] })
    expect(JSON.stringify(layer.areas)).toContain('"gone"')
    expect(layer.sources['geo-draft']).toMatchObject({
      data: { features: [{ properties: { shape_uuid: 'gone', kind: 'changed' } }] },
    })
    expect(layer.pointerTarget?.drawings[0]).toBe('geo-draft-fill')
  })

  it('fills overlapping areas lightly, the smallest on top', () => {
    const fill = (stack: string[] | null) =>
      geographyLayer({ ...shapes, stack }).areas?.find(({ id }) => id === 'geo-fill') as {
        layout: unknown
        paint: { 'fill-opacity': unknown[] }
      }
    expect(fill(['city', 'zone']).layout).toEqual({
      'fill-sort-key': ['match', ['get', 'shape_uuid'], 'city', 0, 'zone', 1, 0],
    })
    expect(fill(['city', 'zone']).paint['fill-opacity'].at(-1)).toBeLessThan(
      (fill(null).paint['fill-opacity'].at(-1) as number) / 2,
    )
    expect(fill(null).layout).toEqual({})
  })

  it('distinguishes the sides of a comparison by color and dash', () => {
    const sides = (['base', 'mine', 'theirs'] as const).map((role) => getComparedStyle('dark', role))
    expect(new Set(sides.map(({ color }) => color)).size).toBe(3)
    expect(new Set(sides.map(({ dash }) => String(dash))).size).toBe(3)
    expect(
      geographyLayer({ ...shapes, compared: [{ role: 'mine', geom: square }] }).drawings.map(({ id }) => id),
    ).toContain('geo-mine')
    expect(geographyLayer(shapes).drawings.map(({ id }) => id)).not.toContain('geo-mine')
  })
})

describe('a new style', () => {
  const next = {
    version: 8 as const,
    sources: { a: { type: 'vector' as const } },
    layers: [{ id: 'ground', type: 'background' as const }],
  }

  it('retains an unfinished drawing on top', () => {
    const source = { type: 'geojson' as const, data: { type: 'FeatureCollection' as const, features: [] } }
    const previous = {
      ...next,
      sources: { b: source, 'td-point': source },
      layers: [
        ...next.layers,
        { id: 'td-point', type: 'circle' as const, source: 'td-point' },
        { id: 'other', type: 'circle' as const, source: 'b' },
      ],
    }
    expect(preserveDrawing(previous, next)).toEqual({
      ...next,
      sources: { ...next.sources, 'td-point': source },
      layers: [...next.layers, previous.layers[1]],
    })
  })

  it('is unchanged without a drawing', () => {
    expect(preserveDrawing(next, next)).toBe(next)
    expect(preserveDrawing(undefined, next)).toBe(next)
  })
})
