import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundaryFileError } from './boundary-file-error.ts'
import { geopackageForTest } from './geopackage-for-test.ts'
import { readBoundaries } from './read-boundaries.ts'
import { readWkb } from './read-wkb.ts'
import { readColumns } from './sqlite/read-columns.ts'
import { readVarint } from './sqlite/read-varint.ts'

const file = geopackageForTest()
/** `failed` where it ends in anything but an answer or a sentence. */
function outcome(bytes: Uint8Array): string {
  try {
    return readBoundaries('x.gpkg', bytes).features.length ? 'read' : 'failed'
  } catch (error) {
    return error instanceof BoundaryFileError ? 'refused' : `failed: ${String(error)}`
  }
}
const read = () => readBoundaries('teile.gpkg', file)

describe('a GeoPackage', () => {
  it('is told by its content and read whole: tables, pages, long rows', () => {
    const { format, features, notes } = readBoundaries('teile', file)
    expect([format, features.length]).toEqual(['geopackage', 34])
    expect(features.slice(0, 30).map(({ properties }) => properties['name'])).toEqual(
      Array.from({ length: 30 }, (_, at) => `Teil ${at} ü`),
    )
    expect(features[3]?.geometry).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [13, 50],
          [14, 50],
          [14, 51],
          [13, 51],
          [13, 50],
        ],
      ],
    })
    const circle = features.find(({ properties }) => properties['name'] === 'Circle')
    expect(circle?.geometry.type === 'Polygon' && circle.geometry.coordinates[0]?.length).toBe(101)
    expect(notes.map(({ position, code }) => [position, code])).toEqual([
      [33, 'no-geometry'],
      [34, 'bad-geometry'],
      [null, 'reprojected'],
      [null, 'several-files'],
      [null, 'heights-dropped'],
    ])
    expect(notes.find(({ code }) => code === 'several-files')?.text).toContain(
      'Stadt Teile (rows 1–34), points (rows 35–36)',
    )
  })

  it('keeps values as they are: numbers of every length, truth, nothing', () => {
    const { features } = read()
    expect(features.slice(0, 10).map(({ properties }) => properties['people'])).toEqual([
      0,
      1,
      -1,
      127,
      -30000,
      70000,
      -70000,
      5_000_000_000,
      -5_000_000_000,
      '9007199254740993',
    ])
    expect(features[5]?.properties).toEqual({
      name: 'Teil 5 ü',
      people: 70000,
      share: 1.25,
      open: true,
      'a, (b)': null,
    })
    expect(features.find(({ properties }) => properties['name'] === 'Circle')?.properties).toEqual({
      name: 'Circle',
      people: null,
      share: null,
      open: null,
      'a, (b)': 'www',
    })
  })

  it('brings projected tables to degrees; a column that was added later is empty in older rows', () => {
    const [mill, dam] = read().features.slice(-2)
    expect([mill?.properties, dam?.properties]).toEqual([
      { label: 'Mill', later: null },
      { label: 'Dam', later: 'new' },
    ])
    const [lon = 0, lat = 0] = mill?.geometry.type === 'Point' ? mill.geometry.coordinates : []
    // The zone's middle is at -123°; 25 km to its east, 5,040 km north of the equator.
    expect([lon, lat]).toEqual([expect.closeTo(-122.6785, 2), expect.closeTo(45.514, 2)])
  })

  it('that is damaged anywhere is refused in a sentence or read in part, and never hangs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 40 }),
        fc.nat(file.length),
        (changes, cut) => {
          const broken = file.slice(0, cut % 3 === 0 ? cut : undefined)
          for (const [at, byte] of changes) if (at >= 16 && at < broken.length) broken[at] = byte
          expect(outcome(broken)).toMatch(/^(read|refused)$/)
        },
      ),
      { numRuns: Number(process.env['GEOPACKAGE_RUNS'] ?? 300) },
    )
  })

  it.each([
    [file.slice(0, 2048), 'broken-geopackage'],
    [file.slice(0, 100), 'broken-geopackage'],
    [new TextEncoder().encode('not a database at all'), 'broken-geopackage'],
  ])('of %# is refused', (bytes, code) => {
    expect(() => readBoundaries('x.gpkg', bytes)).toThrow(expect.objectContaining({ code }) as Error)
  })

  it('that was open elsewhere says what may be missing', () => {
    const open = file.slice()
    open[18] = 2
    expect(readBoundaries('x.gpkg', open).notes.map(({ code }) => code)).toContain('open-database')
  })
})

describe('a declaration of columns', () => {
  it('is read with quotes, commas within, constraints and comments', () => {
    const sql =
      'CREATE TABLE "a(b" ("id" INTEGER PRIMARY KEY, [my geom] BLOB, `t` VARCHAR(3) DEFAULT \'a,)b\', "x""y" -- of, old\n REAL NOT NULL, bare, /* gone, */ n NOT NULL, PRIMARY KEY (t), CHECK (bare in (1, 2)))'
    expect(readColumns(sql)).toEqual([
      { name: 'id', type: 'INTEGER', isRowId: true },
      { name: 'my geom', type: 'BLOB', isRowId: false },
      { name: 't', type: 'VARCHAR', isRowId: false },
      { name: 'x"y', type: 'REAL', isRowId: false },
      { name: 'bare', type: '', isRowId: false },
      { name: 'n', type: '', isRowId: false },
    ])
  })
})

describe('numbers of varying length', () => {
  it.each([
    [[0], 0, 1],
    [[0x7f], 127, 1],
    [[0x81, 0], 128, 2],
    [[0x82, 0x80, 0x01], 32769, 3],
    [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 2 ** 64, 9],
  ])('%j is %d', (bytes, value, next) => {
    expect(readVarint(Uint8Array.from(bytes), 0)).toEqual({ value, next })
  })
  it('that are cut off are an error', () => {
    expect(() => readVarint(Uint8Array.from([0x80, 0x80]), 0)).toThrow(RangeError)
  })
})

describe('well-known binary', () => {
  const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
  const one = '3ff0000000000000'
  const two = '4000000000000000'
  it.each([
    ['a point', `00 00000001 ${one}${two}`, { type: 'Point', coordinates: [1, 2] }],
    [
      'a point with height and measure',
      `00 00000bb9 ${one}${two}${one}${one}`,
      { type: 'Point', coordinates: [1, 2, 1] },
    ],
    [
      'a point of PostGIS with its projection',
      `00 a0000001 000010e6 ${one}${two}${one}`,
      { type: 'Point', coordinates: [1, 2, 1] },
    ],
    ['a point with a measure', `00 000007d1 ${one}${two}${one}`, { type: 'Point', coordinates: [1, 2] }],
    ['an empty point', '00 00000001 7ff80000000000007ff8000000000000', { type: 'Point', coordinates: [] }],
    [
      'points',
      `00 00000004 00000001 00 00000001 ${one}${two}`,
      { type: 'MultiPoint', coordinates: [[1, 2]] },
    ],
    [
      'lines',
      `00 00000005 00000001 00 00000002 00000002 ${one}${two}${two}${one}`,
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [1, 2],
            [2, 1],
          ],
        ],
      },
    ],
    [
      'a collection',
      `00 00000007 00000001 00 00000001 ${one}${two}`,
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
    ],
  ])('of %s', (_name, hex, geometry) => {
    expect(readWkb(bytes(hex))).toEqual(geometry)
  })
  it.each([
    ['cut off', `00 00000001 ${one}`, 'cut off'],
    ['of a false count', '00 00000002 ffffffff', 'cut off'],
    ['of a curve', '00 0000000a 00000000', 'curves'],
    ['nested for ever', '00 00000007 00000001 '.repeat(40), 'nested'],
  ])('%s is a fault', (_name, hex, text) => {
    expect(() => readWkb(bytes(hex))).toThrow(text)
  })
})
