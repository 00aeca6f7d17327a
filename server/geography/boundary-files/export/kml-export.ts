import type { Geometry, Position } from '#contract/place.ts'
import { type Column, listExportedColumns, type ExportFormat } from './export-format.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/* eslint-disable no-control-regex */
/** Characters that XML 1.0 does not allow. */
const invalidInXml =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
/* eslint-enable no-control-regex */

/** Escapes text for XML. */
const escapeXml = (value: unknown): string =>
  String(value)
    .replace(invalidInXml, '')
    .replace(/[&<>"]/g, (char) => entities[char] ?? char)

const kmlTypes: Record<Column['type'], string> = { text: 'string', number: 'double', boolean: 'bool' }

const coordinates = (positions: readonly Position[]): string =>
  `<coordinates>${positions.map(([x, y]) => `${x},${y}`).join(' ')}</coordinates>`
const ring = (positions: readonly Position[]): string => `<LinearRing>${coordinates(positions)}</LinearRing>`
const polygon = ([outer = [], ...holes]: readonly Position[][]): string =>
  `<Polygon><outerBoundaryIs>${ring(outer)}</outerBoundaryIs>${holes.map((hole) => `<innerBoundaryIs>${ring(hole)}</innerBoundaryIs>`).join('')}</Polygon>`
const lineString = (positions: readonly Position[]): string =>
  `<LineString>${coordinates(positions)}</LineString>`
const point = (position: Position): string => `<Point>${coordinates([position])}</Point>`
const multiGeometry = (parts: readonly string[]): string => `<MultiGeometry>${parts.join('')}</MultiGeometry>`

function toKml(geometry: Geometry): string {
  switch (geometry.type) {
    case 'Point':
      return point(geometry.coordinates)
    case 'MultiPoint':
      return multiGeometry(geometry.coordinates.map(point))
    case 'LineString':
      return lineString(geometry.coordinates)
    case 'MultiLineString':
      return multiGeometry(geometry.coordinates.map(lineString))
    case 'Polygon':
      return polygon(geometry.coordinates)
    case 'MultiPolygon':
      return multiGeometry(geometry.coordinates.map(polygon))
  }
}

/** OGC KML 2.3, with properties as typed data of one schema. */
export const kmlExport: ExportFormat = {
  extension: 'kml',
  mediaType: 'application/vnd.google-earth.kml+xml',
  *write({ layer_name: name }, shapes) {
    const columns = listExportedColumns(shapes)
    yield `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeXml(name)}</name>\n`
    yield `<Schema name="shape" id="shape">${columns.map((column) => `<SimpleField name="${escapeXml(column.name)}" type="${kmlTypes[column.type]}"/>`).join('')}</Schema>\n`
    for (const shape of shapes) {
      const description =
        shape.shape_description === null
          ? ''
          : `<description>${escapeXml(shape.shape_description)}</description>`
      const data = columns.flatMap((column) => {
        const value = column.getCell(shape)
        return value === null
          ? []
          : [`<SimpleData name="${escapeXml(column.name)}">${escapeXml(value)}</SimpleData>`]
      })
      yield `<Placemark id="${shape.shape_uuid}"><name>${escapeXml(shape.shape_name)}</name>${description}<ExtendedData><SchemaData schemaUrl="#shape">${data.join('')}</SchemaData></ExtendedData>${toKml(shape.geom)}</Placemark>\n`
    }
    yield '</Document></kml>\n'
  },
}
