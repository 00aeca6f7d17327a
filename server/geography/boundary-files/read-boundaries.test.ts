import { describe, expect, it } from 'vitest'
import { BoundaryFileError } from './boundary-file-error.ts'
import { readBoundaries } from './read-boundaries.ts'
import fc from 'fast-check'
import { geopackageForTest } from './geopackage-for-test.ts'
import { readWkb } from './read-wkb.ts'
import { readColumns } from './add-geopackage.ts'
import { readVarint } from './sqlite-file.ts'
import { positions } from '../../../test/positions.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const point = '{"type":"Point","coordinates":[11.25,43.77]}'

async function readError(name: string, content: Uint8Array): Promise<BoundaryFileError> {
  try {
    await readBoundaries(name, content)
  } catch (error) {
    if (error instanceof BoundaryFileError) return error
    throw error
  }
  throw new Error('was read')
}

describe('readBoundaries', () => {
  it('detects formats by content, regardless of the name', async () => {
    expect((await readBoundaries('districts.kml', bytes(point))).format).toBe('geojson')
    expect(
      (
        await readBoundaries(
          'districts.geojson',
          bytes('<kml><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></kml>'),
        )
      ).format,
    ).toBe('kml')
    expect(
      (
        await readBoundaries(
          'no ending',
          bytes(`{"geographies":[{"geography_id":"a","geography_json":${point}}]}`),
        )
      ).format,
    ).toBe('mds-geography')
    expect((await readBoundaries('x.json', bytes(`${point}\n${point}\n`))).format).toBe('geojson-lines')
  })

  it('falls back to the name, so that a broken file gets the error of its format', async () => {
    expect((await readError('parks.geojson', bytes('nonsense'))).code).toBe('not-json')
    expect((await readError('parks.zip', bytes('nonsense'))).code).toBe('broken-zip')
    expect((await readError('parks.kml', bytes('nonsense'))).code).toBe('not-xml')
    expect((await readError('parks.docx', bytes('nonsense'))).code).toBe('unknown-format')
  })

  it('rejects an empty and an oversized file', async () => {
    expect(await readError('a.geojson', new Uint8Array(0))).toMatchObject({
      code: 'empty-file',
      message: 'The file is empty (0 bytes).',
    })
    expect(await readError('a.geojson', new Uint8Array(50 * 1024 * 1024 + 1))).toMatchObject({
      code: 'file-too-large',
    })
  })

  it('names other kinds of files', async () => {
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0])
    expect((await readError('districts.geojson', png)).message).toContain(
      'is a PNG image, despite its extension',
    )
    expect((await readError('a.kml', bytes('%PDF-1.7'))).message).toContain('PDF')
    expect((await readError('a.gpkg', bytes('SQLite format 3\0'))).message).toContain('GeoPackage')
    expect((await readError('a.zip', Uint8Array.from([0x1f, 0x8b, 8, 0]))).message).toContain('gzip')
  })

  it('asks for a zip instead of a single .shp', async () => {
    const shp = Uint8Array.from([0, 0, 0x27, 0x0a, 0, 0, 0, 0])
    expect(await readError('districts.shp', shp)).toMatchObject({ code: 'shapefile-not-zipped' })
  })

  it('reads UTF-8 with a mark, UTF-16 with and without', async () => {
    const text = '{"type":"Feature","properties":{"name":"Zürich 北"},"geometry":' + point + '}'
    const utf16 = (little: boolean, mark: boolean): Uint8Array => {
      const out = new DataView(new ArrayBuffer(2 * text.length + (mark ? 2 : 0)))
      if (mark) out.setUint16(0, 0xfeff, little)
      for (let index = 0; index < text.length; index += 1)
        out.setUint16(2 * index + (mark ? 2 : 0), text.charCodeAt(index), little)
      return new Uint8Array(out.buffer)
    }
    const files = [
      bytes(`\uFEFF${text}`),
      utf16(true, true),
      utf16(false, true),
      utf16(true, false),
      utf16(false, false),
    ]
    for (const file of files)
      expect((await readBoundaries('a.geojson', file)).features[0]?.properties['name']).toBe('Zürich 北')
  })

  it('reads Windows-1252 with a note', async () => {
    const text = '{"type":"Feature","properties":{"name":"Zürich"},"geometry":' + point + '}'
    const read = await readBoundaries(
      'a.geojson',
      Uint8Array.from(text, (sign) => sign.charCodeAt(0)),
    )
    expect(read.features[0]?.properties['name']).toBe('Zürich')
    expect(read.notes.map((note) => note.code)).toEqual(['encoding-guessed'])
  })

  it('returns the bounding box', async () => {
    expect(
      (await readBoundaries('a', bytes('{"type":"LineString","coordinates":[[1,5],[-3,2],[4,-1]]}'))).bbox,
    ).toEqual([-3, -1, 4, 5])
  })

  it('reads from a view into a larger buffer', async () => {
    const padded = bytes(`junk${point}junk`)
    expect((await readBoundaries('a', padded.subarray(4, padded.length - 4))).features).toHaveLength(1)
  })
})

const file = geopackageForTest()
/** Returns `failed` if reading throws anything but a BoundaryFileError. */
async function outcome(bytes: Uint8Array): Promise<string> {
  try {
    return (await readBoundaries('x.gpkg', bytes)).features.length ? 'read' : 'failed'
  } catch (error) {
    return error instanceof BoundaryFileError ? 'refused' : `failed: ${String(error)}`
  }
}
const read = () => readBoundaries('teile.gpkg', file)

describe('a GeoPackage', () => {
  it('is detected by content and read completely: tables, pages, long rows', async () => {
    const { format, features, notes } = await readBoundaries('teile', file)
    expect([format, features.length]).toEqual(['geopackage', 34])
    expect(features.slice(0, 30).map(({ properties }) => properties['name'])).toEqual(
      Array.from({ length: 30 }, (_, index) => `Teil ${index} ü`),
    )
    expect(features[3]?.geometry).toEqual({
      type: 'Polygon',
      coordinates: [positions('13 50, 14 50, 14 51, 13 51, 13 50')],
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

  it('preserves values: numbers of every length, booleans, nulls', async () => {
    const { features } = await read()
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

  it('converts projected tables to degrees; a column that was added later is null in older rows', async () => {
    const [mill, dam] = (await read()).features.slice(-2)
    expect([mill?.properties, dam?.properties]).toEqual([
      { label: 'Mill', later: null },
      { label: 'Dam', later: 'new' },
    ])
    const [lon = 0, lat = 0] = mill?.geometry.type === 'Point' ? mill.geometry.coordinates : []
    // 25 km east of the zone's central meridian (-123°), 5,040 km north of the equator.
    expect([lon, lat]).toEqual([expect.closeTo(-122.6785, 2), expect.closeTo(45.514, 2)])
  })

  it('is rejected with a message or read in part if it is damaged, and never hangs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 40 }),
        fc.nat(file.length),
        async (changes, cut) => {
          const broken = file.slice(0, cut % 3 === 0 ? cut : undefined)
          for (const [index, byte] of changes) if (index >= 16 && index < broken.length) broken[index] = byte
          expect(await outcome(broken)).toMatch(/^(read|refused)$/)
        },
      ),
      { numRuns: Number(process.env['GEOPACKAGE_RUNS'] ?? 300) },
    )
  })

  it.each([
    [file.slice(0, 2048), 'broken-geopackage'],
    [file.slice(0, 100), 'broken-geopackage'],
    [new TextEncoder().encode('not a database at all'), 'broken-geopackage'],
  ])('is rejected: case %#', async (bytes, code) => {
    await expect(readBoundaries('x.gpkg', bytes)).rejects.toMatchObject({ code })
  })

  it('gets a note if it was open in another program', async () => {
    const open = file.slice()
    open[18] = 2
    expect((await readBoundaries('x.gpkg', open)).notes.map(({ code }) => code)).toContain('open-database')
  })
})

describe('readColumns', () => {
  it('parses quotes, nested commas, constraints and comments', () => {
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

describe('readVarint', () => {
  it.each([
    [[0], 0, 1],
    [[0x7f], 127, 1],
    [[0x81, 0], 128, 2],
    [[0x82, 0x80, 0x01], 32769, 3],
    [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 2 ** 64, 9],
  ])('reads %j as %d', (bytes, value, next) => {
    expect(readVarint(Uint8Array.from(bytes), 0)).toEqual({ value, next })
  })
  it('throws if a number is incomplete', () => {
    expect(() => readVarint(Uint8Array.from([0x80, 0x80]), 0)).toThrow(RangeError)
  })
})

describe('readWkb', () => {
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
      { type: 'MultiLineString', coordinates: [positions('1 2, 2 1')] },
    ],
    [
      'a collection',
      `00 00000007 00000001 00 00000001 ${one}${two}`,
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
    ],
  ])('reads %s', (_name, hex, geometry) => {
    expect(readWkb(bytes(hex))).toEqual(geometry)
  })
  it.each([
    ['cut off', `00 00000001 ${one}`, 'cut off'],
    ['of a false count', '00 00000002 ffffffff', 'cut off'],
    ['of a curve', '00 0000000a 00000000', 'curves'],
    ['nested for ever', '00 00000007 00000001 '.repeat(40), 'nested'],
  ])('rejects %s', (_name, hex, text) => {
    expect(() => readWkb(bytes(hex))).toThrow(text)
  })
})
