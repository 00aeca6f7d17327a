import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { exportTableNames } from './export-tables.ts'
import { VehicleType, VehicleTypeList } from './mobility.ts'
import { pageSchema, pageQuery } from './page.ts'
import { LocalDay } from './period.ts'
import { Month } from './routes.ts'

export const exportFormats = ['csv', 'parquet', 'geojson'] as const
export const ExportFormat = z.enum(exportFormats)
export type ExportFormat = z.infer<typeof ExportFormat>

/** Maximum number of local days of one export: five years. */
export const maxExportDays = 5 * 366
/** Days for which the file of an export is stored and its link is valid. */
export const exportDays = 7

const ExportTableName = z.enum(exportTableNames)
const regionParams = z.object({ region_id: z.string() })
const tableParams = regionParams.extend({ table: ExportTableName })
const exportParams = regionParams.extend({ export_id: z.uuid() })

/** Selects rows and columns of a table. */
export const ExportQuestion = z
  .object({
    /** Local days of the region, both included; required for tables with a period. */
    start_date: LocalDay.nullable().default(null),
    end_date: LocalDay.nullable().default(null),
    /** Empty: all. */
    operators: z.array(z.string().max(60)).max(200).default([]),
    /** Empty: all. */
    vehicle_types: z.array(VehicleType).max(20).default([]),
    /** For shapes: one layer. Null: all layers of the region. */
    shape_layer_uuid: z.uuid().nullable().default(null),
    /** In the order of the file. Empty: all. */
    columns: z.array(z.string().max(60)).max(100).default([]),
  })
  .meta({ id: 'ExportQuestion' })
export type ExportQuestion = z.output<typeof ExportQuestion>

/** `expired`: the file was removed. */
export const ExportStatus = z.enum(['queued', 'running', 'ready', 'failed', 'canceled', 'expired'])
export type ExportStatus = z.infer<typeof ExportStatus>

const exportFile = {
  export_id: z.uuid(),
  status: ExportStatus,
  /** Number of written rows; while running, of the rows read so far. */
  rows: z.number().int(),
  /** Null: not known yet. */
  total_rows: z.number().int().nullable(),
  bytes: z.number().int().nullable(),
  /** Hexadecimal hash of the file. */
  sha256: z.string().nullable(),
  /** Why it failed, in an English sentence. */
  problem: z.string().nullable(),
  file_name: z.string(),
  /** Signed path of the download, valid without a sign-in until it expires. Null: there is no file. */
  url: z.string().nullable(),
  created_time: z.string(),
  finished_time: z.string().nullable(),
  /** When the file is removed; null: never. */
  expires_time: z.string().nullable(),
}

/** An export of a user. */
export const Export = z
  .object({
    ...exportFile,
    table: ExportTableName,
    format: ExportFormat,
    question: ExportQuestion,
    /** False: ids are left out, positions and times are rounded. */
    is_exact: z.boolean(),
  })
  .meta({ id: 'Export' })
export type Export = z.infer<typeof Export>

/** A zip of all tables of one month of a region. Each build of a month is a new version. */
export const MonthlyZip = z
  .object({ ...exportFile, month: Month, version: z.number().int() })
  .meta({ id: 'MonthlyZip' })
export type MonthlyZip = z.infer<typeof MonthlyZip>

/** A zip of everything that is stored about an operator in a region. */
export const OperatorZip = z.object({ ...exportFile, operator: z.string() }).meta({ id: 'OperatorZip' })
export type OperatorZip = z.infer<typeof OperatorZip>

/** Number of days with rows, and the first and last of them. Null: unknown for this table. */
const coverage = {
  days: z.number().int().nullable(),
  first_day: LocalDay.nullable(),
  last_day: LocalDay.nullable(),
}

export const RawDataTable = z
  .object({
    table: ExportTableName,
    description: z.string(),
    formats: z.array(ExportFormat),
    filters: z.array(z.enum(['operators', 'vehicle_types', 'layer'])),
    /** Whether a period is required. */
    has_period: z.boolean(),
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.enum(['text', 'integer', 'number', 'boolean', 'time', 'day']),
        unit: z.string().nullable(),
        description: z.string(),
      }),
    ),
    ...coverage,
  })
  .meta({ id: 'RawDataTable' })
export type RawDataTable = z.infer<typeof RawDataTable>

export const getRawData = endpoint({
  route: 'GET /regions/{region_id}/reports/raw_data',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'exports:read',
  summary:
    'Tables of raw data: columns with type, unit and description, formats, filters and days with rows. `is_exact` is false for users who may not see single trips: ids are left out, positions are rounded to three decimals and times to the local hour',
  request: { params: regionParams },
  response: z.object({
    is_exact: z.boolean(),
    definitions_version: z.number().int(),
    tables: z.array(RawDataTable),
  }),
})
export const countRawData = endpoint({
  route: 'GET /regions/{region_id}/reports/raw_data/{table}',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'exports:read',
  summary: 'Rows and days that an export would have; lists are separated by commas. Null is unknown',
  request: {
    params: tableParams,
    query: z.object({
      start_date: LocalDay.optional(),
      end_date: LocalDay.optional(),
      operators: z.string().max(2000).default(''),
      vehicle_types: VehicleTypeList.default(''),
      shape_layer_uuid: z.uuid().optional(),
    }),
  },
  response: z.object({ rows: z.number().int().nullable(), ...coverage }),
})
export const startExport = endpoint({
  route: 'POST /regions/{region_id}/reports/raw_data/{table}',
  permission: 'signed_in',
  scope: 'exports:read',
  changesOwnData: true,
  summary:
    'Start an export of a table to a file; its state is at `exports/{export_id}`. CSV is compressed with gzip. A mail with the link follows when it is ready',
  request: { params: tableParams, body: ExportQuestion.extend({ format: ExportFormat.default('csv') }) },
  response: Export,
})
export const listExports = endpoint({
  route: 'GET /regions/{region_id}/reports/exports',
  permission: 'signed_in',
  scope: 'exports:read',
  summary: 'The viewer’s exports, newest first',
  request: { params: regionParams, query: z.object(pageQuery(50)) },
  response: pageSchema(Export),
})
export const getExport = endpoint({
  route: 'GET /regions/{region_id}/reports/exports/{export_id}',
  permission: 'signed_in',
  scope: 'exports:read',
  summary: 'One export of the viewer: progress, file and signed link',
  request: { params: exportParams },
  response: Export,
})
export const cancelExport = endpoint({
  route: 'POST /regions/{region_id}/reports/exports/{export_id}/cancel',
  permission: 'signed_in',
  changesOwnData: true,
  summary: 'Cancel an export of the viewer that waits or runs',
  request: { params: exportParams },
  response: Export,
})
export const downloadExport = endpoint({
  route: 'GET /public/exports/{export_id}',
  permission: 'public',
  summary: 'The file of an export or monthly zip, by its signed link. 403: altered; 410: expired',
  request: {
    params: z.object({ export_id: z.uuid() }),
    query: z.object({ expires: z.string().max(20).default(''), signature: z.string().max(100).default('') }),
  },
  response: { media: 'application/octet-stream' },
})
export const listMonthlyZips = endpoint({
  route: 'GET /regions/{region_id}/reports/monthly_zips',
  permission: 'signed_in',
  summary:
    'Monthly zips of the region, newest first; none for users who may not see single trips of all operators',
  request: { params: regionParams },
  response: z.object({ items: z.array(MonthlyZip) }),
})
export const buildMonthlyZip = endpoint({
  route: 'POST /regions/{region_id}/reports/monthly_zips',
  permission: 'is_admin',
  summary: 'Build the zip of a month that is over, as a new version if there is one',
  request: { params: regionParams, body: z.object({ month: Month }) },
  response: MonthlyZip,
})
export const listOperatorZips = endpoint({
  route: 'GET /regions/{region_id}/reports/operator_zips',
  permission: 'is_admin',
  summary: 'Zips of everything that is stored about operators, newest first',
  request: { params: regionParams },
  response: z.object({ items: z.array(OperatorZip) }),
})
/** For an operator that requests its data or leaves. */
export const buildOperatorZip = endpoint({
  route: 'POST /regions/{region_id}/reports/operator_zips',
  permission: 'is_admin',
  summary:
    'Build a zip of everything that is stored about an operator in a region: all rows of its tables, and its settings, feeds, invoices and incidents without secrets',
  request: { params: regionParams, body: z.object({ operator: z.string().min(1).max(60) }) },
  response: OperatorZip,
})
