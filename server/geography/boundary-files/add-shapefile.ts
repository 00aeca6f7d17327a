import { BoundaryFileError } from './boundary-file-error.ts'
import { readDbfRows } from './dbf-rows.ts'
import type { FeatureCollector } from './feature-collector.ts'
import { findProjectorByWkt } from './projector.ts'
import { readShpRecords } from './shp-records.ts'

interface ShapefileParts {
  /** Name for messages. */
  name: string
  shp: Uint8Array
  dbf: Uint8Array | null
  prj: string | null
  cpg: string | null
}

/**
 * Adds the records of a shapefile. Returns their number.
 * @param previousCount the number of records from earlier files, after which positions continue
 */
export function addShapefile(parts: ShapefileParts, collector: FeatureCollector, previousCount = 0): number {
  const { name, shp, dbf, prj, cpg } = parts
  if (prj === null) assumeDegrees(shp, name, collector)
  collector.setProjector(prj === null ? null : findProjectorByWkt(prj, name, collector))
  const rows = dbf === null ? [] : readDbfRows(dbf, cpg, name.replace(/shp$/i, 'dbf'))
  if (dbf === null)
    collector.note(
      null,
      'dbf-missing',
      `There is no .dbf file beside ${name}, so its shapes have no names or other properties.`,
    )
  let count = 0
  for (const { geometry, problem } of readShpRecords(shp, name)) {
    const row = rows[count]
    count += 1
    const position = previousCount + count
    if (problem !== null) collector.note(position, 'bad-record', `Record ${position} ${problem}.`)
    else if (row?.deleted === true)
      collector.note(position, 'deleted', `Record ${position} is marked as deleted and was left out.`)
    else collector.add(position, geometry, row?.values ?? {})
  }
  if (dbf !== null && rows.length !== count)
    collector.note(
      null,
      'rows-differ',
      `${name} has ${count} shapes, but its .dbf file has ${rows.length} rows. Shapes without a row get no properties.`,
    )
  return count
}

/** Assumes degrees for a shapefile without .prj. @throws BoundaryFileError if its header is out of range. */
function assumeDegrees(shp: Uint8Array, name: string, collector: FeatureCollector): void {
  if (shp.length < 68) return
  const view = new DataView(shp.buffer, shp.byteOffset, shp.byteLength)
  // The offsets of the bounding box in the header.
  const [west = 0, south = 0, east = 0, north = 0] = [36, 44, 52, 60].map((offset) =>
    view.getFloat64(offset, true),
  )
  // A thousandth of a degree more, for rounding.
  if (west < -180.001 || east > 180.001 || south < -90.001 || north > 90.001) {
    throw new BoundaryFileError(
      'projection-missing',
      `There is no .prj file beside ${name}, and its coordinates (about ${Math.round(west)}, ${Math.round(south)}) are not longitude and latitude. Add the .prj file to the zip and send it again.`,
    )
  }
  collector.note(
    null,
    'projection-assumed',
    `There is no .prj file beside ${name}; its coordinates were taken as longitude and latitude (WGS 84).`,
  )
}
