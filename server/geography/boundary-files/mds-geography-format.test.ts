import { describe, expect, it } from 'vitest'
import { mdsGeographyFormat } from './mds-geography-format.ts'

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
const polygon = (index: number): object => ({
  type: 'Polygon',
  coordinates: [
    [
      [index, 0],
      [index + 1, 0],
      [index + 1, 1],
      [index, 0],
    ],
  ],
})
const feature = (index: number, properties: object | null = null): object => ({
  type: 'Feature',
  properties,
  geometry: polygon(index),
})
const geography = (id: string, ...features: object[]): object => ({
  geography_id: id,
  name: ` Zone ${id}`,
  published_date: 5,
  geography_json: { type: 'FeatureCollection', features },
})

describe('MDS Geography', () => {
  it('creates one shape per geography, with a note on several features', () => {
    const read = mdsGeographyFormat.read(
      encode({
        version: '2.0.0',
        geographies: [geography('a', feature(0)), geography('b', feature(0), feature(5))],
      }),
    )
    expect(read.features).toMatchObject([
      {
        geometry: polygon(0),
        position: 1,
        properties: { geography_id: 'a', name: ' Zone a', published_date: 5 },
      },
      { geometry: { type: 'MultiPolygon' }, position: 2, properties: { geography_id: 'b' } },
    ])
    expect(read.notes).toEqual([
      {
        position: 2,
        code: 'joined',
        text: 'Geography 2 (Zone b) is drawn as 2 features and became one shape.',
      },
    ])
    expect(read.suggestedName).toBe('name')
  })

  it('reads the wrapped document, one geography alone, and a bare geometry', () => {
    expect(
      mdsGeographyFormat.read(
        encode({ version: '1.2.0', data: { geographies: [geography('a', feature(0))] } }),
      ).features,
    ).toHaveLength(1)
    expect(
      mdsGeographyFormat.read(encode({ version: '2.0.0', geography: geography('a', feature(0)) })).features,
    ).toHaveLength(1)
    expect(
      mdsGeographyFormat.read(encode({ geographies: [{ geography_id: 'x', geography_json: polygon(0) }] }))
        .features[0]?.geometry,
    ).toEqual(polygon(0))
  })

  it('merges the properties of a single feature, with precedence of the geography', () => {
    const [merged] = mdsGeographyFormat.read(
      encode({ geographies: [geography('a', feature(0, { name: 'drawn', color: 'red' }))] }),
    ).features
    expect(merged?.properties).toMatchObject({ name: ' Zone a', color: 'red' })
  })

  it('omits a geography without content', () => {
    const read = mdsGeographyFormat.read(
      encode({ geographies: [null, { geography_id: 'a' }, geography('b', feature(0))] }),
    )
    expect(read.features.map(({ position }) => position)).toEqual([3])
    expect(read.notes.map((note) => note.position)).toEqual([1, 2])
  })

  it('rejects a document without a list', () => {
    expect(() => mdsGeographyFormat.read(encode({ geographies: {} }))).toThrow('no list called “geographies”')
  })

  it('is distinguished from a FeatureCollection with such a property', () => {
    const head = encode({ type: 'FeatureCollection', features: [{ properties: { geographies: ['a'] } }] })
    expect(mdsGeographyFormat.detect('a.json', head)).toBeNull()
    expect(mdsGeographyFormat.detect('a.json', encode({ version: '1', data: { geographies: [] } }))).toBe(
      'by content',
    )
  })
})
