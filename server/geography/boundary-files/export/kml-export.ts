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

const writeCoordinates = (positions: readonly Position[]): string =>
  `<coordinates>${positions.map(([x, y]) => `${x},${y}`).join(' ')}</coordinates>`
const writeBoundary = (side: 'outer' | 'inner', ring: readonly Position[]): string =>
  `<${side}BoundaryIs><LinearRing>${writeCoordinates(ring)}</LinearRing></${side}BoundaryIs>`
const writePolygon = ([outer = [], ...holes]: readonly Position[][]): string =>
  `<Polygon>${writeBoundary('outer', outer)}${holes.map((hole) => writeBoundary('inner', hole)).join('')}</Polygon>`
const writeLine = (positions: readonly Position[]): string =>
  `<LineString>${writeCoordinates(positions)}</LineString>`
const writePoint = (position: Position): string => `<Point>${writeCoordinates([position])}</Point>`
const writeMulti = (parts: readonly string[]): string => `<MultiGeometry>${parts.join('')}</MultiGeometry>`

function toKml(geometry: Geometry): string {
  switch (geometry.type) {
    case 'Point':
      return writePoint(geometry.coordinates)
    case 'MultiPoint':
      return writeMulti(geometry.coordinates.map(writePoint))
    case 'LineString':
      return writeLine(geometry.coordinates)
    case 'MultiLineString':
      return writeMulti(geometry.coordinates.map(writeLine))
    case 'Polygon':
      return writePolygon(geometry.coordinates)
    case 'MultiPolygon':
      return writeMulti(geometry.coordinates.map(writePolygon))
  }
}

/** OGC KML 2.3, with properties as typed data of one schema. */
export const kmlExport: ExportFormat = {
  extension: 'kml',
  mediaType: 'application/vnd.google-earth.kml+xml',
  *write({ layer_name: name }, shapes) {
    const columns = listExportedColumns(shapes)
    yield `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeXml(name)}</name>\n`
    const fields = columns.map(
      ({ name, type }) => `<SimpleField name="${escapeXml(name)}" type="${kmlTypes[type]}"/>`,
    )
    yield `<Schema name="shape" id="shape">${fields.join('')}</Schema>\n`
    for (const shape of shapes) {
      const description =
        shape.shape_description === null
          ? ''
          : `<description>${escapeXml(shape.shape_description)}</description>`
      const data = columns.map((column) => {
        const value = column.getCell(shape)
        return value === null
          ? ''
          : `<SimpleData name="${escapeXml(column.name)}">${escapeXml(value)}</SimpleData>`
      })
      yield `<Placemark id="${shape.shape_uuid}"><name>${escapeXml(shape.shape_name)}</name>${description}<ExtendedData><SchemaData schemaUrl="#shape">${data.join('')}</SchemaData></ExtendedData>${toKml(shape.geom)}</Placemark>\n`
    }
    yield '</Document></kml>\n'
  },
}
