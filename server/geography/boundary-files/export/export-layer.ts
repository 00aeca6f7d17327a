import { Readable } from 'node:stream'
import { csvLine } from '#contract/csv.ts'
import type { exportLayer as contract, LayerExportFormat as FormatKey } from '#contract/geography-use.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { RawResponse, type ScopedCall } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from '../../layers/find-layer.ts'
import { listExportedColumns, type ExportFormat } from './export-format.ts'
import { kmlExport } from './kml-export.ts'
import { shapefileExport } from './shapefile-export.ts'

const formatPosition = ([x, y]: Position): string => `${x} ${y}`
const formatLine = (positions: readonly Position[]): string => `(${positions.map(formatPosition).join(', ')})`
const formatPolygon = (rings: readonly Position[][]): string => `(${rings.map(formatLine).join(', ')})`

/** Returns a geometry as well-known text (OGC 06-103r4), longitude first. */
export function toWkt(geometry: Geometry): string {
  const name = geometry.type.toUpperCase()
  switch (geometry.type) {
    case 'Point':
      return `${name} (${formatPosition(geometry.coordinates)})`
    case 'MultiPoint':
      return `${name} (${geometry.coordinates.map((position) => formatLine([position])).join(', ')})`
    case 'LineString':
      return `${name} ${formatLine(geometry.coordinates)}`
    case 'MultiLineString':
    case 'Polygon':
      return `${name} ${formatPolygon(geometry.coordinates)}`
    case 'MultiPolygon':
      return `${name} (${geometry.coordinates.map(formatPolygon).join(', ')})`
  }
}

/**
 * One line per shape, with the geometry as well-known text in the last column. Starts with a byte order mark,
 * by which spreadsheets detect UTF-8.
 */
const csvExport: ExportFormat = {
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  *write(_layer, shapes) {
    const columns = listExportedColumns(shapes)
    yield `\uFEFF${csvLine(['name', 'description', ...columns.map(({ name }) => name), 'wkt'])}\r\n`
    for (const shape of shapes) {
      const cells = columns.map(({ getCell }) => getCell(shape))
      const line = csvLine([shape.shape_name, shape.shape_description, ...cells])
      yield `${line},"${toWkt(shape.geom)}"\r\n`
    }
  },
}

/** RFC 7946, with one feature per line, so that versions of a file can be compared. */
const geojsonExport: ExportFormat = {
  extension: 'geojson',
  mediaType: 'application/geo+json',
  *write({ layer_name: name }, shapes) {
    const columns = listExportedColumns(shapes)
    yield `{"type":"FeatureCollection","name":${JSON.stringify(name)},"features":[`
    for (const [index, shape] of shapes.entries()) {
      const properties = {
        name: shape.shape_name,
        description: shape.shape_description,
        ...Object.fromEntries(columns.map((column) => [column.name, column.getCell(shape)])),
      }
      yield `${index ? ',' : ''}\n${JSON.stringify({ type: 'Feature', properties, geometry: shape.geom })}`
    }
    yield '\n]}\n'
  },
}

export const exporters: Record<FormatKey, ExportFormat> = {
  geojson: geojsonExport,
  kml: kmlExport,
  shapefile: shapefileExport,
  csv: csvExport,
}

/** Minimum length of a chunk: writing every shape separately would be slow. */
const minChunkLength = 256 * 1024

/** Joins texts to chunks of at least `minChunkLength`; passes bytes through. */
function* combineChunks(chunks: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let text = ''
  for (const chunk of chunks) {
    if (typeof chunk === 'string') {
      text += chunk
      if (text.length < minChunkLength) continue
    }
    if (text) yield Buffer.from(text)
    text = ''
    if (typeof chunk !== 'string') yield chunk
  }
  if (text) yield Buffer.from(text)
}

/** Exports a layer as a file: its shapes in order, with name, description, ids and properties. */
export async function exportLayer(
  state: State,
  {
    viewer: { scope },
    params: { region_id: regionId, shape_layer_uuid: layerId },
    query: { format },
  }: ScopedCall<typeof contract, 'params' | 'query'>,
): Promise<RawResponse> {
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
  const { extension, mediaType, write } = exporters[format]
  return new RawResponse(Readable.from(combineChunks(write(layer, shapes))), {
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${layer.layer_slug}.${extension}"`,
    'cache-control': 'no-store',
  })
}
