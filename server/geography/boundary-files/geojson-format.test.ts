import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundaryFileError } from './boundary-file-error.ts'
import { geojsonFormat } from './read-boundaries.ts'
import { positions } from '../../../test/positions.ts'

const read = (value: unknown): ReturnType<typeof geojsonFormat.read> =>
  geojsonFormat.read(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)))
const feature = (geometry: unknown, properties: unknown = null): object => ({
  type: 'Feature',
  properties,
  geometry,
})
const collection = (...features: unknown[]): object => ({ type: 'FeatureCollection', features })
const point = (x: unknown, y: unknown): object => ({ type: 'Point', coordinates: [x, y] })
const square = { type: 'Polygon', coordinates: [positions('0 0, 1 0, 1 1, 0 1, 0 0')] }

function readError(value: unknown): BoundaryFileError {
  try {
    read(value)
  } catch (error) {
    if (error instanceof BoundaryFileError) return error
    throw error
  }
  throw new Error('was read')
}

describe('GeoJSON', () => {
  it('preserves coordinates, properties and positions of a FeatureCollection', () => {
    const read1 = read(
      collection(
        feature(square, { name: 'A', size: 3, open: true, none: null }),
        feature(point(5, 6), { name: 'B' }),
      ),
    )
    expect(read1.features).toEqual([
      { geometry: square, properties: { name: 'A', size: 3, open: true, none: null }, position: 1 },
      { geometry: point(5, 6), properties: { name: 'B' }, position: 2 },
    ])
    expect(read1.notes).toEqual([])
    expect(read1.suggestedName).toBe('name')
  })

  it('reads a Feature, a bare geometry, a list of features', () => {
    expect(read(feature(square)).features).toHaveLength(1)
    expect(read(square).features[0]?.geometry).toEqual(square)
    expect(read([feature(square), feature(point(1, 2))]).features.map(({ position }) => position)).toEqual([
      1, 2,
    ])
  })

  it('reads each member of a bare GeometryCollection as a shape', () => {
    expect(
      read({ type: 'GeometryCollection', geometries: [point(1, 2), square] }).features.map(
        (feature) => feature.geometry.type,
      ),
    ).toEqual(['Point', 'Polygon'])
  })

  it('joins the areas of a feature that is a collection into one shape', () => {
    const far = { type: 'Polygon', coordinates: [positions('5 5, 6 5, 6 6, 5 5')] }
    const [joined, ...others] = read(
      feature({
        type: 'GeometryCollection',
        geometries: [square, { type: 'GeometryCollection', geometries: [far] }],
      }),
    ).features
    expect(joined?.geometry).toEqual({
      type: 'MultiPolygon',
      coordinates: [square.coordinates, far.coordinates],
    })
    expect(others).toEqual([])
  })

  it('splits a collection of several kinds with a note', () => {
    const { features, notes } = read(
      feature({
        type: 'GeometryCollection',
        geometries: [
          square,
          point(0, 0),
          {
            type: 'LineString',
            coordinates: positions('0 0, 1 1'),
          },
        ],
      }),
    )
    expect(features.map((feature) => [feature.geometry.type, feature.position])).toEqual([
      ['Polygon', 1],
      ['LineString', 1],
      ['Point', 1],
    ])
    expect(notes).toMatchObject([{ position: 1, code: 'split' }])
  })

  it('adds a feature id without overwriting a property', () => {
    expect(read({ ...feature(square, { name: 'A' }), id: 7 }).features[0]?.properties).toEqual({
      id: 7,
      name: 'A',
    })
    expect(read({ ...feature(square, { id: 'own' }), id: 7 }).features[0]?.properties).toEqual({ id: 'own' })
    expect(read({ ...feature(square), id: 'a' }).features[0]?.properties).toEqual({ id: 'a' })
  })

  it('writes nested values as JSON text and drops heights with a note', () => {
    const { features, notes } = read(
      feature(
        {
          type: 'LineString',
          coordinates: [
            [0, 0, 12],
            [1, 1, 13],
          ],
        },
        { tags: ['a', { b: 1 }] },
      ),
    )
    expect(features[0]).toMatchObject({
      geometry: {
        coordinates: positions('0 0, 1 1'),
      },
      properties: { tags: '["a",{"b":1}]' },
    })
    expect(notes).toMatchObject([{ position: null, code: 'heights-dropped' }])
  })

  it('omits only invalid records, with the reason', () => {
    const { features, notes } = read(
      collection(
        feature(point(1, 2)),
        feature(null),
        feature(point(190.2, 0)),
        feature(point(10, -122.5)),
        feature({ type: 'Polygon', coordinates: [] }),
        feature({ type: 'Polygon', coordinates: positions('0 0, 1 1') }),
        feature({ type: 'Circle', coordinates: [0, 0] }),
        feature(point(null, 3)),
        feature(point('1', 3)),
        'text',
        feature({ coordinates: [1, 2] }),
        feature(point(3, 4)),
      ),
    )
    expect(features.map(({ position }) => position)).toEqual([1, 12])
    expect(notes.map((note) => note.text)).toEqual([
      'Feature 2 has no geometry.',
      'Feature 3 has a longitude of 190.2; longitudes run from -180 to 180. Is the file in another projection?',
      'Feature 4 has a latitude of -122.5; latitudes run from -90 to 90. Are longitude and latitude swapped?',
      'Feature 5 has a geometry without any position.',
      'Feature 6 has coordinates that are not nested as its type requires.',
      'Feature 7 has a geometry of the unknown type “Circle”.',
      'Feature 8 has a position that is not two numbers: [null, 3].',
      'Feature 9 has a position that is not two numbers: [1, 3].',
      'Feature 10 is not a GeoJSON feature and was left out.',
      'Feature 11 has a geometry without a type.',
    ])
  })

  it('rejects positions with infinite numbers', () => {
    expect(readError('{"type":"Point","coordinates":[1e999,0]}').message).toContain(
      'not two numbers: [Infinity, 0]',
    )
  })

  it('tolerates rounding at the limits of the range', () => {
    expect(read(point(180.0000001, -90.0000001)).features[0]?.geometry.coordinates).toEqual([180, -90])
  })

  it('fails if nothing is usable, with the first reason', () => {
    expect(readError(collection(feature(point(500_000, 5_000_000))))).toMatchObject({
      code: 'no-usable-feature',
      position: 1,
    })
    expect(readError(collection())).toMatchObject({
      code: 'no-usable-feature',
      message: 'The file is readable but contains no shapes.',
    })
  })

  it('reports the line of a JSON error', () => {
    expect(readError('{"type":"FeatureCollection","features":[')).toMatchObject({ code: 'not-json' })
    expect(readError('{"type":"FeatureCollection","features":[').message).toContain('it ends too early')
    expect(readError('{\n"a": 1,\n oops').message).toContain('(line 3)')
  })

  it('names other kinds of JSON', () => {
    expect(readError({ type: 'Topology' }).message).toContain('it is TopoJSON')
    expect(readError({ geometryType: 'esriGeometryPolygon' }).message).toContain('Esri JSON')
    expect(readError({ type: 'Sphere' }).message).toContain('its type is “Sphere”')
    expect(readError({}).message).toContain('it has no “type”')
    expect(readError({ type: 'FeatureCollection' }).message).toContain('no list called “features”')
    expect(readError({ type: 'GeometryCollection' }).message).toContain('no list called “geometries”')
  })

  it('ignores __proto__ and refuses deep nesting', () => {
    const deep = '['.repeat(100) + ']'.repeat(100)
    const { features } = read(
      `{"type":"Feature","properties":{"__proto__":{"polluted":1},"constructor":"x","deep":${deep}},"geometry":{"type":"Point","coordinates":[1,2]}}`,
    )
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.getPrototypeOf(features[0]?.properties)).toBe(Object.prototype)
    expect(features[0]?.properties['constructor']).toBe('x')
    expect(readError(`{"type":"Polygon","coordinates":${deep}}`).code).toBe('no-usable-feature')
    let nested: object = point(1, 2)
    for (let depth = 0; depth < 40; depth += 1) nested = { type: 'GeometryCollection', geometries: [nested] }
    expect(readError(feature(nested)).message).toContain('nested more than 16 deep')
    for (const open of ['[', '{"a":'])
      expect(readError(open.repeat(100_000))).toMatchObject({
        code: 'not-json',
        message:
          'The JSON of the file is nested deeper than 200, which is too much for a file of boundaries.',
      })
  })

  it('lists at most 500 notes', () => {
    const { notes } = read(
      collection(feature(point(1, 2)), ...Array.from({ length: 700 }, () => feature(null))),
    )
    expect(notes).toHaveLength(501)
    expect(notes.at(-1)).toMatchObject({ code: 'more-notes', text: '200 more notes are not listed.' })
  })

  it('throws nothing but BoundaryFileError', () => {
    const isReadOrRefused = (file: unknown): boolean => {
      try {
        return read(file).features.length > 0
      } catch (error) {
        return error instanceof BoundaryFileError
      }
    }
    const types = fc.constantFrom('Polygon', 'MultiPolygon', 'Point', 'GeometryCollection')
    const property = fc.property(fc.jsonValue(), types, (value, type) =>
      [
        value,
        feature(value),
        collection(feature({ type, coordinates: value, geometries: value }, value), value),
      ].every(isReadOrRefused),
    )
    expect(fc.check(property)).toMatchObject({ failed: false })
  })
})

describe('the crs member', () => {
  const crs = (name: string): object => ({ type: 'name', properties: { name } })
  const readPoint = (name: string, x: number, y: number): unknown =>
    read({ ...collection(feature(point(x, y))), crs: crs(name) }).features[0]?.geometry.coordinates

  it('does not change degrees', () => {
    for (const name of [
      'urn:ogc:def:crs:OGC:1.3:CRS84',
      'EPSG:4326',
      'urn:ogc:def:crs:EPSG::4326',
      'EPSG:4269',
      'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
    ])
      expect(readPoint(name, -122.123456789, 45.1)).toEqual([-122.123456789, 45.1])
  })

  /** Returns the length of the meridian from the equator on WGS 84 in meters, by numerical integration. */
  function meridian(latitude: number): number {
    const [radius, e2, steps] = [6378137, 0.00669437999014, 20_000]
    const step = (latitude * Math.PI) / 180 / steps
    let sum = 0
    for (let index = 0; index < steps; index += 1)
      sum += (1 - e2 * Math.sin((index + 0.5) * step) ** 2) ** -1.5
    return radius * (1 - e2) * sum * step
  }

  it.each([
    [
      'EPSG:3857',
      (6378137 * -122.6765 * Math.PI) / 180,
      6378137 * Math.log(Math.tan(Math.PI / 4 + (45.5231 * Math.PI) / 360)),
      -122.6765,
      45.5231,
    ],
    ['urn:ogc:def:crs:EPSG::32610', 500_000, 0.9996 * meridian(45.5231), -123, 45.5231],
    ['EPSG:32733', 500_000, 10_000_000 - 0.9996 * meridian(33.9249), 15, -33.9249],
    ['EPSG:26917', 500_000, 0.9996 * meridian(40), -81, 40],
    ['EPSG:25832', 500_000, 0.9996 * meridian(52), 9, 52],
    // The origin of Lambert 93.
    ['EPSG:2154', 700_000, 6_600_000, 3, 46.5],
  ])('brings %s to degrees', (name, x, y, lon, lat) => {
    const [gotLon = NaN, gotLat = NaN] = readPoint(name, x, y) as number[]
    expect(Math.abs(gotLon - lon)).toBeLessThan(1e-8)
    expect(Math.abs(gotLat - lat)).toBeLessThan(1e-8)
  })

  it('rejects unknown projections', () => {
    expect(readError({ ...collection(feature(point(1, 2))), crs: crs('EPSG:2913') })).toMatchObject({
      code: 'unknown-projection',
    })
    expect(readError({ ...collection(feature(point(1, 2))), crs: crs('constructor') })).toMatchObject({
      code: 'unknown-projection',
    })
  })

  it('adds a note', () => {
    expect(read({ ...collection(feature(point(0, 0))), crs: crs('EPSG:3857') }).notes).toMatchObject([
      { code: 'reprojected' },
    ])
  })
})
