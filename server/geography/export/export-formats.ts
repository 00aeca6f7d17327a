import type { ExportFormat as Key } from '#contract/geography-use.ts'
import { csvExport } from './csv-export.ts'
import type { ExportFormat } from './export-format.ts'
import { geojsonExport } from './geojson-export.ts'
import { kmlExport } from './kml-export.ts'
import { shapefileExport } from './shapefile-export.ts'

export const exporters: Record<Key, ExportFormat> = {
  geojson: geojsonExport,
  kml: kmlExport,
  shapefile: shapefileExport,
  csv: csvExport,
}
