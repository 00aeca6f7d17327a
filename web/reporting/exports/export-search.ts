import { exportTableNames, exportTables, type ExportTableName } from '#contract/export-tables.ts'
import { type ExportFormat, exportFormats, type ExportQuestion } from '#contract/exports.ts'
import { VehicleType } from '#contract/mobility.ts'
import type { LocalDay } from '#contract/period.ts'
import { presetPeriod } from '#web/filters/period.ts'
import {
  day,
  enumListParam,
  enumParam,
  listParam,
  matching,
  orderDays,
  type SearchOf,
  searchParams,
  slugs,
  uuid,
} from '#web/shell/search-params.ts'

/** URL parameters of the Export page. `without`: deselected columns. */
export const readExportSearch = searchParams(
  {
    table: enumParam(exportTableNames, 'trips'),
    format: enumParam(exportFormats, 'csv'),
    start_date: day,
    end_date: day,
    operators: slugs,
    vehicle_types: enumListParam(VehicleType.options),
    layer: uuid,
    without: listParam(matching(/^[a-z_]{1,60}$/)),
  },
  orderDays('start_date', 'end_date'),
)
export type ExportSearch = SearchOf<typeof readExportSearch>

export const selectedTable = ({ table }: ExportSearch): ExportTableName => table ?? 'trips'

/** Returns the formats in which a table can be exported. */
export const getTableFormats = (table: ExportTableName): ExportFormat[] =>
  exportFormats.filter((format) => format !== 'geojson' || exportTables[table].geometry !== null)

/** Returns the format of the URL; CSV if the table does not have it. */
export const getFormat = (search: ExportSearch): ExportFormat => {
  const format = search.format ?? 'csv'
  return getTableFormats(selectedTable(search)).includes(format) ? format : 'csv'
}

/** Returns the days of the URL, else of last month; null if the table has no period and none was selected. */
export function exportPeriod(
  search: ExportSearch,
  today: LocalDay,
): { start_date: LocalDay; end_date: LocalDay } | null {
  const { start_date, end_date } = search
  if (start_date !== undefined && end_date !== undefined) return { start_date, end_date }
  return exportTables[selectedTable(search)].time === null ? null : presetPeriod('last_month', today)
}

/** Returns the request of the URL: only filters that the table has, and the selected columns. */
export function toRequest(search: ExportSearch, columns: readonly string[], today: LocalDay): ExportQuestion {
  const { filters } = exportTables[selectedTable(search)]
  const deselected = new Set(search.without)
  const selected = columns.filter((name) => !deselected.has(name))
  return {
    ...(exportPeriod(search, today) ?? { start_date: null, end_date: null }),
    operators: filters.includes('operators') ? (search.operators ?? []) : [],
    vehicle_types: filters.includes('vehicle_types') ? (search.vehicle_types ?? []) : [],
    shape_layer_uuid: filters.includes('layer') ? (search.layer ?? null) : null,
    // An empty list requests all columns.
    columns: selected.length === columns.length ? [] : selected,
  }
}
