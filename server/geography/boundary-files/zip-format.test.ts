import { describe, expect, it } from 'vitest'
import { BoundaryFileError } from './boundary-file-error.ts'
import { readBoundaries } from './read-boundaries.ts'
import { shapefileForTest } from './shapefile-for-test.ts'
import { positions } from '../../../test/positions.ts'

const { shp, dbf, zip } = shapefileForTest
type Point = readonly [number, number]
const box = (x: number, y: number, size: number): Point[] => [
  [x, y],
  [x, y + size],
  [x + size, y + size],
  [x + size, y],
  [x, y],
]
const hole = (x: number, y: number, size: number): Point[] => box(x, y, size).toReversed()
const names = (...values: string[]): Uint8Array =>
  dbf(
    [{ name: 'NAME', type: 'C', length: 20 }],
    values.map((value) => [value]),
  )
const wgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'
const utm10 = `PROJCS["WGS_1984_UTM_Zone_10N",${wgs84},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-123.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`
const oregonFeet =
  'PROJCS["NAD_1983_StatePlane_Oregon_North_FIPS_3601_Feet_Intl",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",8202099.737532808],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-120.5],PARAMETER["Standard_Parallel_1",44.33333333333334],PARAMETER["Standard_Parallel_2",46.0],PARAMETER["Latitude_Of_Origin",43.66666666666666],UNIT["Foot",0.3048]]'

async function readError(content: Uint8Array): Promise<BoundaryFileError> {
  try {
    await readBoundaries('a.zip', content)
  } catch (error) {
    if (error instanceof BoundaryFileError) return error
    throw error
  }
  throw new Error('was read')
}
const codes = async (content: Uint8Array): Promise<string[]> =>
  (await readBoundaries('a.zip', content)).notes.map((note) => note.code)

describe('zipped shapefiles', () => {
  it('reads areas with holes and islands, and their names', async () => {
    const read = await readBoundaries(
      'a.zip',
      zip({
        'city/deep/Zones.shp': shp(5, [[box(0, 0, 10), hole(2, 2, 6), box(4, 4, 2)], [box(20, 0, 1)]]),
        'city/deep/Zones.DBF': names('Old town', 'Harbour'),
        'city/deep/zones.prj': wgs84,
      }),
    )
    expect(read).toMatchObject({
      format: 'shapefile',
      suggestedName: 'NAME',
      notes: [],
      bbox: [0, 0, 21, 10],
    })
    expect(read.features.map((feature) => feature.properties)).toEqual([
      { NAME: 'Old town' },
      { NAME: 'Harbour' },
    ])
    expect(read.features[0]?.geometry).toEqual({
      type: 'MultiPolygon',
      coordinates: [[box(0, 0, 10), hole(2, 2, 6)], [box(4, 4, 2)]],
    })
    expect(read.features[1]?.geometry).toEqual({ type: 'Polygon', coordinates: [box(20, 0, 1)] })
  })

  it('reads lines, points and multipoints, without heights and measures', async () => {
    const type = async (code: number, shapes: Point[][][]): Promise<unknown> =>
      (await readBoundaries('a.zip', zip({ 'a.shp': shp(code, shapes), 'a.prj': wgs84 }))).features[0]
        ?.geometry
    expect(await type(3, [[positions('0 0, 1 1')]])).toEqual({
      type: 'LineString',
      coordinates: positions('0 0, 1 1'),
    })
    expect(await type(13, [[positions('0 0, 1 1'), positions('2 2, 3 3')]])).toMatchObject({
      type: 'MultiLineString',
    })
    expect(await type(1, [[[[4, 5]]]])).toEqual({ type: 'Point', coordinates: [4, 5] })
    expect(await type(21, [[[[4, 5]]]])).toEqual({ type: 'Point', coordinates: [4, 5] })
    expect(await type(8, [[positions('4 5, 6 7')]])).toEqual({
      type: 'MultiPoint',
      coordinates: positions('4 5, 6 7'),
    })
    expect(await type(15, [[box(0, 0, 1)]])).toMatchObject({ type: 'Polygon' })
  })

  it('converts projected coordinates to degrees', async () => {
    const utm = await readBoundaries('a.zip', zip({ 'a.shp': shp(1, [[[[500_000, 0]]]]), 'a.prj': utm10 }))
    expect(utm.features[0]?.geometry.coordinates).toEqual([expect.closeTo(-123, 9), expect.closeTo(0, 9)])
    expect(utm.notes.map((note) => note.code)).toContain('reprojected')
    // The grid's origin: false easting 2,500,000 m, 43°40' N, 120°30' W.
    const feet = await readBoundaries(
      'a.zip',
      zip({ 'a.shp': shp(1, [[[[8202099.737532808, 0]]]]), 'a.prj': oregonFeet }),
    )
    expect(feet.features[0]?.geometry.coordinates).toEqual([
      expect.closeTo(-120.5, 8),
      expect.closeTo(43 + 2 / 3, 8),
    ])
  })

  it('preserves degrees to the last digit', async () => {
    expect(
      (
        await readBoundaries(
          'a.zip',
          zip({ 'a.shp': shp(1, [[[[-122.12345678901234, 45.1]]]]), 'a.prj': wgs84 }),
        )
      ).features[0]?.geometry.coordinates,
    ).toEqual([-122.12345678901234, 45.1])
  })

  it('warns of an old datum', async () => {
    const nad27 =
      'GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927",SPHEROID["Clarke_1866",6378206.4,294.9786982]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'
    expect(await codes(zip({ 'a.shp': shp(1, [[[[-122, 45]]]]), 'a.prj': nad27 }))).toContain(
      'datum-approximate',
    )
  })

  it('rejects an unreadable projection', async () => {
    for (const prj of [
      '',
      'nonsense',
      'PROJCS["x"]',
      'PROJCS["Odd",GEOGCS["g",DATUM["d",SPHEROID["s",6378137,298.25]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["No_Such_Thing"],UNIT["Meter",1]]',
    ]) {
      expect((await readError(zip({ 'a.shp': shp(1, [[[[1, 2]]]]), 'a.prj': prj }))).code).toBe(
        'unknown-projection',
      )
    }
  })

  it('assumes degrees without .prj only if they are in range', async () => {
    expect(await codes(zip({ 'a.shp': shp(1, [[[[1, 2]]]]), 'a.dbf': names('a') }))).toEqual([
      'projection-assumed',
    ])
    expect(await readError(zip({ 'a.shp': shp(1, [[[[500_000, 5_000_000]]]]) }))).toMatchObject({
      code: 'projection-missing',
    })
  })

  it('reads shapefiles without .dbf or without some of its rows', async () => {
    expect(await codes(zip({ 'a.shp': shp(1, [[[[1, 2]]]]), 'a.prj': wgs84 }))).toEqual(['dbf-missing'])
    const read = await readBoundaries(
      'a.zip',
      zip({ 'a.shp': shp(1, [[[[1, 2]]], [[[3, 4]]]]), 'a.prj': wgs84, 'a.dbf': names('only') }),
    )
    expect(read.features.map((feature) => feature.properties)).toEqual([{ NAME: 'only' }, {}])
    expect(read.notes).toMatchObject([{ code: 'rows-differ' }])
  })

  it('omits null shapes, deleted rows and damaged records, by number', async () => {
    const file = shp(5, [[box(0, 0, 1)], [], [box(2, 0, 1)], [box(4, 0, 1)], [box(6, 0, 1)]])
    // Record 4 claims a million parts.
    const fourth = 100 + (8 + 128) + (8 + 4) + (8 + 128) + 8
    new DataView(file.buffer).setInt32(fourth + 36, 1_000_000, true)
    const read = await readBoundaries(
      'a.zip',
      zip({ 'a.shp': file, 'a.prj': wgs84, 'a.dbf': names('a', 'b', '*c', 'd', 'e') }),
    )
    expect(read.features.map((feature) => [feature.position, feature.properties['NAME']])).toEqual([
      [1, 'a'],
      [5, 'e'],
    ])
    expect(read.notes.map((note) => [note.position, note.code])).toEqual([
      [2, 'no-geometry'],
      [3, 'deleted'],
      [4, 'bad-record'],
    ])
  })

  it('reads the complete records of a truncated file', async () => {
    const whole = shp(5, [[box(0, 0, 1)], [box(2, 0, 1)]])
    const read = await readBoundaries(
      'a.zip',
      zip({ 'a.shp': whole.subarray(0, whole.length - 20), 'a.prj': wgs84, 'a.dbf': names('a', 'b') }),
    )
    expect(read.features).toHaveLength(1)
    expect(read.notes[0]?.text).toBe('Record 2 is cut off, and nothing after it in a.shp could be read.')
  })

  it('reads several shapefiles and lists the records of each', async () => {
    const read = await readBoundaries(
      'a.zip',
      zip({
        'b.shp': shp(1, [[[[1, 2]]], [[[3, 4]]]]),
        'b.prj': wgs84,
        'b.dbf': names('x', 'y'),
        'a.shp': shp(1, [[[[500_000, 0]]]]),
        'a.prj': utm10,
        'a.dbf': names('z'),
        '__MACOSX/._a.shp': 'junk',
      }),
    )
    expect(read.features.map((feature) => [feature.position, feature.properties['NAME']])).toEqual([
      [1, 'z'],
      [2, 'x'],
      [3, 'y'],
    ])
    expect(read.features[1]?.geometry.coordinates).toEqual([1, 2])
    expect(read.notes.at(-1)?.text).toBe(
      'The zip contains 2 files of shapes; all were read: a.shp (records 1–1), b.shp (records 2–3).',
    )
  })

  it('rejects an invalid .shp', async () => {
    expect((await readError(zip({ 'a.shp': 'not a shapefile', 'a.prj': wgs84 }))).code).toBe(
      'broken-shapefile',
    )
  })
})

describe('other zips', () => {
  const kml = (name: string): string =>
    `<kml><Document><Placemark><name>${name}</name><Point><coordinates>1,2</coordinates></Point></Placemark></Document></kml>`
  const geojson = '{"type":"Point","coordinates":[1,2]}'

  it('reads KMZ and zipped GeoJSON', async () => {
    expect(await readBoundaries('a.kmz', zip({ 'doc.kml': kml('a'), 'files/icon.png': 'x' }))).toMatchObject({
      format: 'kmz',
      suggestedName: 'name',
    })
    expect((await readBoundaries('a.zip', zip({ 'data/a.geojson': geojson }))).format).toBe('geojson')
    expect(
      (await readBoundaries('a.kmz', zip({ 'a.kml': kml('a'), 'b.kml': kml('b') }))).features.map(
        (feature) => feature.position,
      ),
    ).toEqual([1, 2])
  })

  it('rejects zips without shapes, or with two GeoJSON files', async () => {
    expect((await readError(zip({ 'readme.txt': 'hello' }))).code).toBe('zip-without-boundaries')
    expect((await readError(zip({ 'a.geojson': geojson, 'b.geojson': geojson }))).message).toContain(
      '2 GeoJSON files',
    )
  })

  it('treats `..` in names as part of the name', async () => {
    expect(
      (await readBoundaries('a.zip', zip({ '../../etc/a.geojson': geojson, __proto__: 'x' }))).features,
    ).toHaveLength(1)
  })
})
