import { Readable } from 'node:stream'
import type { ExportFormat as Key } from '#contract/geography-use.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { RawAnswer } from '#server/http/route.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from '../find-layer.ts'
import type { ExportFormat } from './export-format.ts'
import { kmlExport } from './kml-export.ts'
import { shapefileExport } from './shapefile-export.ts'
import { exportedColumns, type Cell } from './exported-columns.ts'

const at = ([x, y]: Position): string => `${x} ${y}`
const line = (positions: readonly Position[]): string => `(${positions.map(at).join(', ')})`
const polygon = (rings: readonly Position[][]): string => `(${rings.map(line).join(', ')})`

/** A geometry as well-known text (OGC 06-103r4), longitude first. */
function toWkt(geometry: Geometry): string {
  const name = geometry.type.toUpperCase()
  switch (geometry.type) {
    case 'Point':
      return `${name} (${at(geometry.coordinates)})`
    case 'MultiPoint':
      return `${name} (${geometry.coordinates.map((each) => `(${at(each)})`).join(', ')})`
    case 'LineString':
      return `${name} ${line(geometry.coordinates)}`
    case 'MultiLineString':
    case 'Polygon':
      return `${name} ${polygon(geometry.coordinates)}`
    case 'MultiPolygon':
      return `${name} (${geometry.coordinates.map(polygon).join(', ')})`
  }
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(value: Cell): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line a shape, the geometry as well-known text in the last column. Begins with a byte order mark, by which spreadsheets know UTF-8. */
const csvExport: ExportFormat = {
  ending: 'csv',
  media: 'text/csv; charset=utf-8',
  *write(_layer, shapes) {
    const columns = exportedColumns(shapes)
    yield `\uFEFF${['name', 'description', ...columns.map(({ name }) => name), 'wkt'].map(cell).join(',')}\r\n`
    for (const shape of shapes)
      yield `${[...[shape.shape_name, shape.shape_description, ...columns.map(({ of }) => of(shape))].map(cell), `"${toWkt(shape.geom)}"`].join(',')}\r\n`
  },
}

/** RFC 7946: one feature a line, so that versions of a file can be compared. */
const geojsonExport: ExportFormat = {
  ending: 'geojson',
  media: 'application/geo+json',
  *write({ layer_name: name }, shapes) {
    const columns = exportedColumns(shapes)
    yield `{"type":"FeatureCollection","name":${JSON.stringify(name)},"features":[`
    for (const [at, shape] of shapes.entries()) {
      const properties = {
        name: shape.shape_name,
        description: shape.shape_description,
        ...Object.fromEntries(columns.map((column) => [column.name, column.of(shape)])),
      }
      yield `${at ? ',' : ''}\n${JSON.stringify({ type: 'Feature', properties, geometry: shape.geom })}`
    }
    yield '\n]}\n'
  },
}

export const exporters: Record<Key, ExportFormat> = {
  geojson: geojsonExport,
  kml: kmlExport,
  shapefile: shapefileExport,
  csv: csvExport,
}

/** Pieces of at least so many characters or bytes: a write for every shape would cost more than the shape. */
const pieceLength = 256 * 1024

function* inLargePieces(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      if (text.length < pieceLength) continue
    }
    if (text) yield Buffer.from(text)
    text = ''
    if (typeof piece !== 'string') yield piece
  }
  if (text) yield Buffer.from(text)
}

/** A layer as a file to be kept: its shapes in their order, with name, description, ids and properties. */
export async function exportLayer(
  state: State,
  scope: Scope,
  regionId: string,
  layerId: string,
  format: Key,
): Promise<RawAnswer> {
  const layer = await findLayer(state, scope, regionId, layerId)
  const rows = await state
    .as(scope)
    .selectFrom('shape')
    .select(['shape_uuid', 'shape_id', 'name', 'description', 'geometry', 'properties'])
    .where('layer_id', '=', layerId)
    .orderBy('position')
    .orderBy('shape_uuid')
    .execute()
  const shapes = rows.map((row) => ({
    shape_uuid: row.shape_uuid,
    shape_id: row.shape_id,
    shape_name: row.name,
    shape_description: row.description,
    geom: row.geometry as Geometry,
    properties: row.properties,
  }))
  const { ending, media, write } = exporters[format]
  return new RawAnswer(Readable.from(inLargePieces(write(layer, shapes))), {
    'content-type': media,
    'content-disposition': `attachment; filename="${layer.layer_slug}.${ending}"`,
    'cache-control': 'no-store',
  })
}
