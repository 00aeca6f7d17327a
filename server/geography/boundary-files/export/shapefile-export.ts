import type { Geometry } from '#contract/place.ts'
import { listExportedColumns, type ExportedShape, type ExportFormat } from './export-format.ts'
import { writeDbf } from './write-dbf.ts'
import { shpTypes, writeShp } from './write-shp.ts'
import { writeZip } from './write-zip.ts'

/** WGS 84 in Esri's notation, which every program recognizes. */
const prj =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'

const kinds: readonly { name: string; includes: (geometry: Geometry) => boolean }[] = [
  { name: 'areas', includes: ({ type }) => type === 'Polygon' || type === 'MultiPolygon' },
  { name: 'lines', includes: ({ type }) => type === 'LineString' || type === 'MultiLineString' },
  { name: 'points', includes: ({ type }) => type === 'Point' || type === 'MultiPoint' },
]

function findShpType(kind: string, shapes: readonly ExportedShape[]) {
  if (kind === 'areas') return shpTypes.area
  if (kind === 'lines') return shpTypes.line
  return shapes.some(({ geom }) => geom.type === 'MultiPoint') ? shpTypes.points : shpTypes.point
}

/**
 * Zipped shapefiles, one per kind of geometry, because the format cannot mix them. An empty layer becomes a
 * shapefile without records.
 */
export const shapefileExport: ExportFormat = {
  extension: 'zip',
  mediaType: 'application/zip',
  *write({ layer_slug: slug }, shapes) {
    const groups = kinds
      .map(({ name, includes }) => ({ name, members: shapes.filter(({ geom }) => includes(geom)) }))
      .filter(({ members }, index) => members.length || (index === 0 && !shapes.length))
    const entries = groups.flatMap(({ name, members }) => {
      const stem = groups.length > 1 ? `${slug}-${name}` : slug
      const columns = [
        { name: 'name', type: 'text' as const, cells: members.map((shape) => shape.shape_name) },
        {
          name: 'description',
          type: 'text' as const,
          cells: members.map((shape) => shape.shape_description),
        },
        ...listExportedColumns(members).map((column) => ({
          name: column.name,
          type: column.type,
          cells: members.map(column.getCell),
        })),
      ]
      const { shp, shx } = writeShp(
        findShpType(name, members),
        members.map(({ geom }) => geom),
      )
      return [
        { name: `${stem}.shp`, bytes: shp },
        { name: `${stem}.shx`, bytes: shx },
        { name: `${stem}.dbf`, bytes: writeDbf(columns, members.length) },
        { name: `${stem}.prj`, bytes: Buffer.from(prj) },
        { name: `${stem}.cpg`, bytes: Buffer.from('UTF-8') },
      ]
    })
    yield* writeZip(entries)
  },
}
