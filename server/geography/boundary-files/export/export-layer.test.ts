import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { LayerExportFormat as Key } from '#contract/geography-use.ts'
import type { Geometry } from '#contract/place.ts'
import { readBoundaries } from '../read-boundaries.ts'
import { repairShape } from '../../geometry/repair-shape.ts'
import { listExportedColumns, type ExportedShape } from './export-format.ts'
import { exporters } from './export-layer.ts'
import { anyArea, anyGeometry, anyShapes } from './layer-for-test.ts'
import { toDbfNames } from './write-dbf.ts'
import { positions } from '../../../../test/positions.ts'

const numRuns = Number(process.env['EXPORT_RUNS'] ?? 40)
const layer = { layer_name: 'Wards & <Co>', layer_slug: 'wards-co' }

function exportBytes(key: Key, shapes: readonly ExportedShape[]): Uint8Array {
  return Buffer.concat(
    [...exporters[key].write(layer, shapes)].map((chunk) => Buffer.from(chunk as Uint8Array)),
  )
}
const read = (key: Key, shapes: readonly ExportedShape[]) =>
  readBoundaries(`wards.${exporters[key].extension}`, exportBytes(key, shapes))

const shape = (change: Partial<ExportedShape> = {}): ExportedShape => ({
  shape_uuid: '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e',
  shape_id: '7',
  shape_name: 'Ash',
  shape_description: null,
  geom: { type: 'Point', coordinates: [1, 2] },
  properties: {},
  ...change,
})

/** Returns the properties that are expected in a file: ids and texts are included, empty ones omitted. */
const expectedProperties = ({
  shape_name: name,
  shape_description: description,
  shape_id,
  shape_uuid,
  properties,
}: ExportedShape) => withoutNulls({ name, description, shape_id, shape_uuid, ...properties })
const withoutNulls = (properties: object) =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null))

/** Returns the outline, independent of the order and start of rings. */
const outline = (geometry: Geometry) => repairShape(geometry as Parameters<typeof repairShape>[0]).geometry

describe('GeoJSON', () => {
  it('round-trips every layer', async () => {
    await fc.assert(
      fc.asyncProperty(anyShapes(anyGeometry), async (shapes) => {
        const { format, features, notes, suggestedName } = await read('geojson', shapes)
        expect([format, notes]).toEqual(['geojson', []])
        expect(features.map(({ geometry }) => geometry)).toEqual(shapes.map(({ geom }) => geom))
        expect(features.map(({ properties }) => withoutNulls(properties))).toEqual(
          shapes.map(expectedProperties),
        )
        expect([null, 'name', 'Street & <No>', 'description', 'shape_id']).toContain(suggestedName)
      }),
      { numRuns },
    )
  })

  it('of an empty layer has no features', () => {
    expect(JSON.parse(Buffer.from(exportBytes('geojson', [])).toString())).toEqual({
      type: 'FeatureCollection',
      name: 'Wards & <Co>',
      features: [],
    })
  })

  it('prefers the shape’s name to a property', async () => {
    expect(
      (await read('geojson', [shape({ properties: { NAME: 'old', name: 'older', deep: { a: [1] } } })]))
        .features[0]?.properties,
    ).toEqual({
      name: 'Ash',
      description: null,
      shape_id: '7',
      shape_uuid: shape().shape_uuid,
      deep: '{"a":[1]}',
    })
  })
})

describe('KML', () => {
  it('round-trips every layer, with the types of properties', async () => {
    await fc.assert(
      fc.asyncProperty(anyShapes(anyGeometry), async (shapes) => {
        const { format, features } = await read('kml', shapes)
        expect(format).toBe('kml')
        expect(features.map(({ geometry }) => geometry)).toEqual(shapes.map(({ geom }) => geom))
        expect(features.map(({ properties }) => withoutNulls(properties))).toEqual(
          shapes.map(expectedProperties),
        )
      }),
      { numRuns },
    )
  })

  it('omits characters that XML does not allow, and escapes others', async () => {
    const { features } = await read('kml', [
      shape({ shape_name: 'A\u0000 <b> & "c" \uD800', shape_description: ']]>' }),
    ])
    expect(features[0]?.properties).toMatchObject({ name: 'A <b> & "c"', description: ']]>' })
  })
})

describe('a shapefile', () => {
  /** Returns the property names by their field name of at most ten characters. */
  const exportFields = (shapes: readonly ExportedShape[]): Map<string, string> => {
    const names = ['name', 'description', ...listExportedColumns(shapes).map(({ name }) => name)]
    return new Map(toDbfNames(names).map((field, index) => [field, names[index] ?? '']))
  }

  it('round-trips areas with holes, names and numbers', async () => {
    await fc.assert(
      fc.asyncProperty(anyShapes(anyArea), async (shapes) => {
        const { format, features, notes } = await read('shapefile', shapes)
        expect([format, notes]).toEqual(['shapefile', []])
        expect(features.map(({ geometry }) => outline(geometry as Geometry))).toEqual(
          shapes.map(({ geom }) => outline(geom)),
        )
        const fields = exportFields(shapes)
        const renamed = features.map(({ properties }) =>
          withoutNulls(
            Object.fromEntries(
              Object.entries(properties).map(([field, value]) => [fields.get(field) ?? field, value]),
            ),
          ),
        )
        expect(renamed).toEqual(shapes.map(expectedProperties))
      }),
      { numRuns },
    )
  })

  it('of mixed geometries has one file set per kind, all of which are read', async () => {
    await fc.assert(
      fc.asyncProperty(anyShapes(anyGeometry), async (shapes) => {
        const { features } = await read('shapefile', shapes)
        const byId = new Map(features.map(({ geometry, properties }) => [properties['shape_uuid'], geometry]))
        const kind = ({ type }: Geometry) => type.replace('Multi', '')
        expect(new Set(shapes.map(({ shape_uuid: id, geom }) => `${id} ${kind(geom)}`))).toEqual(
          new Set([...byId].map(([id, geometry]) => `${String(id)} ${kind(geometry as Geometry)}`)),
        )
      }),
      { numRuns },
    )
  })

  it('has the files and headers that other programs require', () => {
    const files = unzipSync(exportBytes('shapefile', [shape()]))
    expect(Object.keys(files)).toEqual([
      'wards-co.shp',
      'wards-co.shx',
      'wards-co.dbf',
      'wards-co.prj',
      'wards-co.cpg',
    ])
    const text = (name: string) => Buffer.from(files[name] ?? []).toString()
    expect([text('wards-co.cpg'), text('wards-co.prj').startsWith('GEOGCS["GCS_WGS_1984"')]).toEqual([
      'UTF-8',
      true,
    ])
    const shx = Buffer.from(files['wards-co.shx'] ?? [])
    // One record at word 50, ten words long.
    expect([shx.readInt32BE(0), shx.length, shx.readInt32BE(100), shx.readInt32BE(104)]).toEqual([
      9994, 108, 50, 10,
    ])
  })

  it('of an empty layer is a table without rows', () => {
    const shp = Buffer.from(unzipSync(exportBytes('shapefile', []))['wards-co.shp'] ?? [])
    expect([shp.length, shp.readInt32LE(32)]).toEqual([100, 5])
  })
})

describe('CSV', () => {
  it('has a line per shape with the geometry in the last column', () => {
    const hollow: Geometry = {
      type: 'Polygon',
      coordinates: [positions('0 0, 4 0, 4 4, 0 0'), positions('1 0.5, 2 1, 2 0.5, 1 0.5')],
    }
    const text = Buffer.from(
      exportBytes('csv', [
        shape({
          shape_name: 'A, "b"',
          shape_description: '=1+1',
          geom: hollow,
          properties: { people: 5, open: true },
        }),
        shape(),
      ]),
    ).toString()
    expect(text.split('\r\n')).toEqual([
      '\uFEFFname,description,shape_id,shape_uuid,people,open,wkt',
      '"A, ""b""",\'=1+1,7,8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e,5,true,"POLYGON ((0 0, 4 0, 4 4, 0 0), (1 0.5, 2 1, 2 0.5, 1 0.5))"',
      'Ash,,7,8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e,,,"POINT (1 2)"',
      '',
    ])
  })
})
