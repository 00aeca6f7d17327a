import type { ExportFormat } from './export-format.ts'
import { exportedColumns } from './exported-columns.ts'

/** RFC 7946: one feature a line, so that versions of a file can be compared. */
export const geojsonExport: ExportFormat = {
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
