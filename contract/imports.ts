import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { VehicleType } from './mobility.ts'
import { orderQuery, pageQuery, pageSchema } from './page.ts'

/**
 * Possible meanings of a column of a trip file. Times are local civil times of the region unless they include
 * a zone. A station (id or name) provides the position of a start or end without coordinates; this requires a
 * stations file.
 */
export const tripColumns = [
  'trip_id',
  'operator',
  'vehicle_type',
  'vehicle_id',
  'start_time',
  'start_date',
  'start_clock',
  'end_time',
  'end_date',
  'end_clock',
  'start_lon',
  'start_lat',
  'end_lon',
  'end_lat',
  'start_station',
  'end_station',
  'distance',
  'duration',
] as const
export const TripColumn = z.enum(tripColumns)
export type TripColumn = z.infer<typeof TripColumn>

const operatorSlug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'Lowercase letters, digits, dashes and underscores, at most 60')

export const DateOrder = z.enum(['ymd', 'mdy', 'dmy'])
export type DateOrder = z.infer<typeof DateOrder>

/** Which column of the file means what, in which units. */
export const TripMapping = z
  .object({
    columns: z.partialRecord(TripColumn, z.string()),
    distance_unit: z.enum(['m', 'km', 'mi', 'ft']).default('m'),
    duration_unit: z.enum(['s', 'min', 'h', 'h:mm:ss']).default('s'),
    /** Order of ambiguous dates such as 03/04/2026; null: other dates in the file must decide it. */
    date_order: DateOrder.nullable().default(null),
    /** Value for all rows if the file has no such column. */
    operator: operatorSlug.nullable().default(null),
    vehicle_type: VehicleType.nullable().default(null),
  })
  .meta({ id: 'TripMapping' })
export type TripMapping = z.infer<typeof TripMapping>

/** Returns whether a mapping requires a stations file because it has stations but no coordinates. */
export const usesStations = ({ columns }: Pick<TripMapping, 'columns'>): boolean =>
  (columns.start_station !== undefined && !(columns.start_lon && columns.start_lat)) ||
  (columns.end_station !== undefined && !(columns.end_lon && columns.end_lat))

/** What a file contains: trips, 311 issues, daily weather, or vehicles at one moment. */
export const importKinds = ['trips', 'issues', 'weather', 'snapshot'] as const
export const ImportKind = z.enum(importKinds)
export type ImportKind = z.infer<typeof ImportKind>

/**
 * What a user must provide before a file is read: the meaning of its columns, its stations, the time of a
 * snapshot, the operator, the order of ambiguous dates, and whether to import rows although most of them are
 * outside the region.
 */
export const ImportRequirement = z.enum([
  'mapping',
  'stations',
  'snapshot_time',
  'operator',
  'date_order',
  'outside_region',
])
export type ImportRequirement = z.infer<typeof ImportRequirement>

/** `canceling`: it was canceled, and its data is being removed. */
export const ImportStatus = z.enum(['needs_mapping', 'queued', 'running', 'done', 'failed', 'canceling'])
export type ImportStatus = z.infer<typeof ImportStatus>

export const Import = z
  .object({
    import_uuid: z.uuid(),
    region_id: z.string(),
    file_name: z.string(),
    bytes: z.number().int(),
    kind: ImportKind,
    status: ImportStatus,
    /** What is required while the status is `needs_mapping`. */
    asks: z.array(ImportRequirement),
    layout: z.string().nullable(),
    rows_read: z.number().int(),
    rows_accepted: z.number().int(),
    rows_flagged: z.number().int(),
    rows_rejected: z.number().int(),
    /** Number of rows by quality flag. */
    flags: z.record(z.string(), z.number().int()),
    /** Number of rows by reason of rejection. */
    reasons: z.record(z.string(), z.number().int()),
    /** Share of the file's bytes that are read, 0 to 1; for compressed files, of the compressed bytes. */
    progress: z.number(),
    rows_per_second: z.number().nullable(),
    seconds_left: z.number().nullable(),
    /** Why it failed and what remains stored, in a sentence. */
    problem: z.string().nullable(),
    notes: z.array(z.string()),
    created_time: z.string(),
    finished_time: z.string().nullable(),
    created_by: z.string().nullable(),
    /** An earlier import of the same bytes; this one changed nothing. */
    same_as: z.uuid().nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof Import>

export const ImportPreview = z.object({
  header: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  layout: z.string().nullable(),
  mapping: TripMapping,
  /** The first rows as read with this mapping. */
  read: z.array(
    z.object({
      line: z.number().int(),
      trip: z.record(z.string(), z.unknown()).nullable(),
      flags: z.array(z.string()),
      reason: z.string().nullable(),
    }),
  ),
  problems: z.array(z.string()),
  /** What the import with this mapping still requires. */
  asks: z.array(ImportRequirement),
  /** The stations file that was sent for this import. */
  stations: z.object({ file_name: z.string(), stations: z.number().int() }).nullable(),
  /** Choices for `date_order` if all dates of the file are ambiguous; empty: the order is known. */
  date_orders: z.array(DateOrder),
})
export type ImportPreview = z.infer<typeof ImportPreview>

/** An instant with its time zone offset. */
const Moment = z.iso.datetime({ offset: true })

const regionParams = z.object({ region_id: z.string() })
const importParams = regionParams.extend({ import_uuid: z.uuid() })

export const uploadTrips = endpoint({
  route: 'POST /regions/{region_id}/imports',
  permission: 'is_admin',
  summary:
    'Send a file, compressed (gzip, zip) or not: trips (CSV), 311 issues (CSV, JSON, GeoJSON), daily weather (NOAA), vehicles at one moment (CSV, GBFS). It is recognized by its content and imported in the background',
  request: {
    params: regionParams,
    body: { media: 'application/octet-stream' },
    query: z.object({
      file_name: z.string().min(1).max(255),
      operator: operatorSlug.optional(),
      vehicle_type: VehicleType.optional(),
      snapshot_time: Moment.optional(),
      date_order: DateOrder.optional(),
      accept_outside: z.stringbool().optional(),
    }),
  },
  response: Import,
})
export const importOrders = ['created_time', 'file_name', 'bytes', 'rows_read'] as const
export const listImports = endpoint({
  route: 'GET /regions/{region_id}/imports',
  permission: 'is_admin',
  summary: 'Imports of a region, newest first unless sorted; `search` finds part of a file name',
  request: {
    params: regionParams,
    query: z.object({
      ...pageQuery(50),
      ...orderQuery(importOrders, '-created_time'),
      status: ImportStatus.optional(),
      search: z.string().max(200).optional(),
    }),
  },
  response: pageSchema(Import),
})
export const getImport = endpoint({
  route: 'GET /regions/{region_id}/imports/{import_uuid}',
  permission: 'is_admin',
  summary: 'One import with its progress',
  request: { params: importParams },
  response: Import,
})
export const previewImport = endpoint({
  route: 'POST /regions/{region_id}/imports/{import_uuid}/preview',
  reads: true,
  permission: 'is_admin',
  personal: true,
  summary: 'The first rows of the file, as a mapping reads them (without one: as recognized or remembered)',
  request: { params: importParams, body: z.object({ mapping: TripMapping.nullable().default(null) }) },
  response: ImportPreview,
})
export const sendStations = endpoint({
  route: 'POST /regions/{region_id}/imports/{import_uuid}/stations',
  permission: 'is_admin',
  summary:
    'Send the stations of a waiting trip file that has stations and no coordinates: CSV with an id or name, latitude and longitude, GBFS station information or GeoJSON points. Sending it again replaces the previous stations. A table of stations in the zip archive of the trips is used without this call',
  request: {
    params: importParams,
    query: z.object({ file_name: z.string().min(1).max(255) }),
    body: { media: 'application/octet-stream' },
  },
  response: z.object({
    stations: z.number().int(),
    /** Records without a position, or without an id and a name. */
    skipped: z.number().int(),
  }),
})
export const startImport = endpoint({
  route: 'POST /regions/{region_id}/imports/{import_uuid}/start',
  permission: 'is_admin',
  summary:
    'Import with this mapping, which is remembered for files of the same header; another file with the values that it lacks. 422 while the order of dates is open; 409 with current.places if most rows are outside the region: accept_outside imports them. If this is only known from the whole file, the import goes back to needs_mapping instead',
  request: {
    params: importParams,
    body: z.object({
      mapping: TripMapping.optional(),
      snapshot_time: Moment.optional(),
      operator: operatorSlug.optional(),
      date_order: DateOrder.optional(),
      accept_outside: z.boolean().optional(),
    }),
  },
  response: Import,
})
export const retryImport = endpoint({
  route: 'POST /regions/{region_id}/imports/{import_uuid}/retry',
  permission: 'is_admin',
  summary: 'Resume a failed import where it stopped',
  request: { params: importParams },
  response: Import,
})
export const deleteImport = endpoint({
  route: 'DELETE /regions/{region_id}/imports/{import_uuid}',
  permission: 'is_admin',
  summary:
    'Cancel an import that waits or runs, or revert one that has ended: data that only it contained, its set-aside rows and its file are removed',
  request: { params: importParams },
  response: z.object({ deleted_trips: z.number().int(), deleted_rows: z.number().int() }),
})
export const downloadSetAside = endpoint({
  route: 'GET /regions/{region_id}/imports/{import_uuid}/rejected',
  permission: 'is_admin',
  personal: true,
  summary:
    'The rows that were set aside, as CSV: line, reason, what was found, and the columns that the mapping names',
  request: { params: importParams },
  response: { media: 'text/csv' },
})
