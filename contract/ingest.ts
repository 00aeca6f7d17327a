import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { VehicleType } from './mobility.ts'
import { orderQuery, pageQuery, pageOf } from './page.ts'

/**
 * What a column of a trip file can mean. Times are local civil times of the region unless they carry a zone. A station (its
 * id or name) gives the place of a start or end that has no coordinates; then a stations file is needed.
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
  .regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'Small letters, digits, dashes and underscores, at most 60')

export const DateOrder = z.enum(['ymd', 'mdy', 'dmy'])
export type DateOrder = z.infer<typeof DateOrder>

/** Which column of the file means what, and in which units. */
export const TripMapping = z
  .object({
    columns: z.partialRecord(TripColumn, z.string()),
    distance_unit: z.enum(['m', 'km', 'mi', 'ft']).default('m'),
    duration_unit: z.enum(['s', 'min', 'h', 'h:mm:ss']).default('s'),
    /** For dates that can be read in more than one order, as 03/04/2026; null: the file's dates must settle it. */
    date_order: DateOrder.nullable().default(null),
    /** For every row where the file has no such column. */
    operator: operatorSlug.nullable().default(null),
    vehicle_type: VehicleType.nullable().default(null),
  })
  .meta({ id: 'TripMapping' })
export type TripMapping = z.infer<typeof TripMapping>

/** Whether a mapping takes places from a stations file: it has a station where it has no coordinates. */
export const usesStations = ({ columns }: Pick<TripMapping, 'columns'>): boolean =>
  (columns.start_station !== undefined && !(columns.start_lon && columns.start_lat)) ||
  (columns.end_station !== undefined && !(columns.end_lon && columns.end_lat))

/** What a file holds: trips, 311 issues, daily weather, or vehicles at one moment. */
export const importKinds = ['trips', 'issues', 'weather', 'snapshot'] as const
export const ImportKind = z.enum(importKinds)
export type ImportKind = z.infer<typeof ImportKind>

/**
 * What a person must answer before a file is read: what its columns mean, where its stations are, when its vehicles were there,
 * whose they are, the order of dates that can be read in several, and whether rows are imported although most of them lie
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

/** `canceling`: it was canceled, and what it brought is being removed. */
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
    /** What is waited for while it `needs_mapping`. */
    asks: z.array(ImportRequirement),
    layout: z.string().nullable(),
    rows_read: z.number().int(),
    rows_accepted: z.number().int(),
    rows_flagged: z.number().int(),
    rows_set_aside: z.number().int(),
    /** Quality flag -> rows; reason -> rows. */
    flags: z.record(z.string(), z.number().int()),
    reasons: z.record(z.string(), z.number().int()),
    /** Share of the received file's bytes read, 0 to 1; of a packed file, of its packed bytes. */
    progress: z.number(),
    rows_per_second: z.number().nullable(),
    seconds_left: z.number().nullable(),
    /** Why it failed, in a sentence; what was kept. */
    problem: z.string().nullable(),
    notes: z.array(z.string()),
    created_time: z.string(),
    finished_time: z.string().nullable(),
    created_by: z.string().nullable(),
    /** The same bytes were imported before: nothing changed. */
    same_as: z.uuid().nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof Import>

export const ImportPreview = z.object({
  header: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  layout: z.string().nullable(),
  mapping: TripMapping,
  /** The first rows as we read them with this mapping. */
  read: z.array(
    z.object({
      line: z.number().int(),
      trip: z.record(z.string(), z.unknown()).nullable(),
      flags: z.array(z.string()),
      reason: z.string().nullable(),
    }),
  ),
  problems: z.array(z.string()),
  /** What stands in the way of the import with this mapping. */
  asks: z.array(ImportRequirement),
  /** The stations file that was sent for this import. */
  stations: z.object({ file_name: z.string(), stations: z.number().int() }).nullable(),
  /** Orders to choose `date_order` from, where the dates of the whole file can be read in more than one; empty: they settle it. */
  date_orders: z.array(DateOrder),
})
export type ImportPreview = z.infer<typeof ImportPreview>

/** A moment with its zone. */
const Moment = z.iso.datetime({ offset: true })

const inRegion = z.object({ region_id: z.string() })
const oneImport = inRegion.extend({ import_uuid: z.uuid() })

export const uploadTrips = endpoint({
  method: 'POST',
  path: '/regions/{region_id}/imports',
  permission: 'is_admin',
  summary:
    'Send a file, packed (gzip, zip) or not: trips (CSV), 311 issues (CSV, JSON, GeoJSON), daily weather (NOAA), vehicles at one moment (CSV, GBFS). It is recognised by its content and imported in the background',
  ask: {
    params: inRegion,
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
  answer: Import,
})
export const importOrders = ['created_time', 'file_name', 'bytes', 'rows_read'] as const
export const listImports = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/imports',
  permission: 'is_admin',
  summary: 'Imports of a region, newest first unless sorted; `search` finds part of a file name',
  ask: {
    params: inRegion,
    query: z.object({
      ...pageQuery(50),
      ...orderQuery(importOrders, '-created_time'),
      status: ImportStatus.optional(),
      search: z.string().max(200).optional(),
    }),
  },
  answer: pageOf(Import),
})
export const getImport = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/imports/{import_uuid}',
  permission: 'is_admin',
  summary: 'One import with its progress',
  ask: { params: oneImport },
  answer: Import,
})
export const previewImport = endpoint({
  method: 'POST',
  reads: true,
  path: '/regions/{region_id}/imports/{import_uuid}/preview',
  permission: 'is_admin',
  personal: true,
  summary: 'The first rows of the file, as a mapping reads them (without one: as recognised or remembered)',
  ask: { params: oneImport, body: z.object({ mapping: TripMapping.nullable().default(null) }) },
  answer: ImportPreview,
})
export const sendStations = endpoint({
  method: 'POST',
  path: '/regions/{region_id}/imports/{import_uuid}/stations',
  permission: 'is_admin',
  summary:
    'Send the stations of a waiting trip file that has stations and no coordinates: CSV with an id or name, latitude and longitude, GBFS station information or GeoJSON points. Sent again, it replaces the former ones',
  ask: {
    params: oneImport,
    query: z.object({ file_name: z.string().min(1).max(255) }),
    body: { media: 'application/octet-stream' },
  },
  answer: z.object({
    stations: z.number().int(),
    /** Records without a place, or without an id and a name. */
    skipped: z.number().int(),
  }),
})
export const startImport = endpoint({
  method: 'POST',
  path: '/regions/{region_id}/imports/{import_uuid}/start',
  permission: 'is_admin',
  summary:
    'Import with this mapping, which is remembered for files of the same header; another file with what it does not tell. 422 while the order of dates is open; 409 with current.places where most rows lie outside the region: accept_outside imports them. Where only the whole file can tell, the import goes back to needs_mapping instead',
  ask: {
    params: oneImport,
    body: z.object({
      mapping: TripMapping.optional(),
      snapshot_time: Moment.optional(),
      operator: operatorSlug.optional(),
      date_order: DateOrder.optional(),
      accept_outside: z.boolean().optional(),
    }),
  },
  answer: Import,
})
export const retryImport = endpoint({
  method: 'POST',
  path: '/regions/{region_id}/imports/{import_uuid}/retry',
  permission: 'is_admin',
  summary: 'Go on with a failed import where it stopped',
  ask: { params: oneImport },
  answer: Import,
})
export const deleteImport = endpoint({
  method: 'DELETE',
  path: '/regions/{region_id}/imports/{import_uuid}',
  permission: 'is_admin',
  summary:
    'Cancel an import that waits or runs, or take back one that has ended: what only it brought, its set-aside rows and its file are removed',
  ask: { params: oneImport },
  answer: z.object({ deleted_trips: z.number().int(), deleted_rows: z.number().int() }),
})
export const downloadSetAside = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/imports/{import_uuid}/set_aside',
  permission: 'is_admin',
  personal: true,
  summary:
    'The rows that were set aside, as CSV: line, reason, what was found, and the columns that the mapping names',
  ask: { params: oneImport },
  answer: { media: 'text/csv' },
})
