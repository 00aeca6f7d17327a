import { z } from 'zod'
import { CurbId } from './cds.ts'
import { OccupancySource } from './curb-occupancy.ts'
import { endpoint } from './endpoint.ts'
import { pageSchema, pageQuery } from './page.ts'
import { LocalDay } from './period.ts'

const regionParams = z.object({ region_id: z.string() })
const curbPath = '/regions/{region_id}/curb'

/** Layouts of files with counts. Each is read by a file of `server/curb/occupancy/imports/`. */
export const countLayouts = [
  'sensor_week',
  'sensor_hours',
  'paid_load',
  'paid_minutes',
  'survey',
  'intervals',
  'states',
  'counts',
] as const
export const CountLayout = z.enum(countLayouts)
export type CountLayout = z.infer<typeof CountLayout>

export const CountImportStatus = z.enum(['waiting', 'staging', 'staged', 'published', 'undone', 'failed'])
export const countFindings = [
  'broken_row',
  'missing_place',
  'unknown_place',
  'bad_time',
  'time_skipped',
  'ahead',
  'bad_value',
  'negative',
  'no_capacity',
  'duplicate',
  'overlap',
  'reversed',
  'too_long',
  'above_capacity',
] as const
export const CountFindingCode = z.enum(countFindings)
export type CountFindingCode = z.infer<typeof CountFindingCode>

/** Information that a file may lack. */
export const CountOptions = z.object({
  /** The day of a survey, or any day of the week to which the averages of a file apply. */
  date: LocalDay.optional(),
  source: OccupancySource.optional(),
})
export type CountOptions = z.infer<typeof CountOptions>

export const CountImport = z
  .object({
    import_id: z.uuid(),
    file_name: z.string(),
    status: CountImportStatus,
    problem: z.string().nullable(),
    layout: CountLayout.nullable(),
    options: CountOptions,
    /** `date`: the file has no dates, and the import waits until one is set. */
    needs: z.array(z.enum(['date'])),
    rows: z.number().int(),
    accepted: z.number().int(),
    rejected: z.number().int(),
    codes: z.partialRecord(CountFindingCode, z.number().int()),
    first_day: LocalDay.nullable(),
    last_day: LocalDay.nullable(),
    /** Number of places in the file. */
    places: z.number().int(),
    /** Number of places that are matched with a zone. */
    matched_places: z.number().int(),
    /** Share of accepted rows that are in matched places. */
    matched_share: z.number().nullable(),
    /** Sums of the file by hour of the local day, in hours of one space, regardless of matched zones. */
    profile: z.array(
      z.object({ hour: z.number().int(), occupied_hours: z.number(), known_hours: z.number() }),
    ),
    created_by: z.string(),
    created_time: z.string(),
    published_time: z.string().nullable(),
    undone_time: z.string().nullable(),
    /** An earlier import of the same bytes. */
    same_as: z.uuid().nullable(),
  })
  .meta({ id: 'CountImport' })
export type CountImport = z.output<typeof CountImport>

export const placeMatches = ['id', 'name', 'street', 'nearest', 'hand', 'none'] as const
export const PlaceMatch = z.enum(placeMatches)
export type PlaceMatch = z.infer<typeof PlaceMatch>

export const CountPlace = z.object({
  place: z.string(),
  label: z.string(),
  rows: z.number().int(),
  spaces: z.number().nullable(),
  match: PlaceMatch,
  zone_ids: z.array(CurbId),
  /** Meters; only for `nearest`. */
  distance_m: z.number().nullable(),
})
export type CountPlace = z.output<typeof CountPlace>

const importParams = regionParams.extend({ import_id: z.uuid() })

export const listCountImports = endpoint({
  route: `GET ${curbPath}/count_imports`,
  permission: 'signed_in',
  summary: 'Imports of counts at the curb, newest first',
  request: { params: regionParams, query: z.object(pageQuery(50)) },
  response: pageSchema(CountImport),
})
export const uploadCounts = endpoint({
  route: `POST ${curbPath}/count_imports`,
  permission: 'edit_curb_regulations',
  summary:
    'Upload a file of counts, compressed with gzip or not: sensor hours, paid load, paid minutes, surveys, sensor intervals or states. It is staged in the background',
  request: {
    params: regionParams,
    query: CountOptions.extend({ file_name: z.string().min(1).max(255) }),
    body: { media: 'application/octet-stream' },
  },
  response: CountImport,
})
export const getCountImport = endpoint({
  route: `GET ${curbPath}/count_imports/{import_id}`,
  permission: 'signed_in',
  summary: 'One import of counts with its report',
  request: { params: importParams },
  response: CountImport,
})
export const listCountFindings = endpoint({
  route: `GET ${curbPath}/count_imports/{import_id}/findings`,
  permission: 'signed_in',
  summary: 'Rows of an import of counts that were set aside or have a remark, the first 1,000 of each reason',
  request: { params: importParams, query: z.object({ ...pageQuery(50), code: CountFindingCode.optional() }) },
  response: pageSchema(
    z.object({
      row: z.number().int(),
      code: CountFindingCode,
      is_rejected: z.boolean(),
      message: z.string(),
      source: z.string(),
    }),
  ),
})
export const listCountPlaces = endpoint({
  route: `GET ${curbPath}/count_imports/{import_id}/places`,
  permission: 'signed_in',
  summary: 'Places of an import of counts with the zones that they were matched with, unmatched ones first',
  request: {
    params: importParams,
    query: z.object({
      ...pageQuery(50),
      match: PlaceMatch.optional(),
      search: z.string().max(200).optional(),
    }),
  },
  response: pageSchema(CountPlace),
})
export const matchCountPlaces = endpoint({
  route: `PATCH ${curbPath}/count_imports/{import_id}/places`,
  permission: 'edit_curb_regulations',
  summary: 'Match places of an import with zones; saved for later files. No zones: unknown',
  request: {
    params: importParams,
    body: z.object({
      places: z
        .array(z.object({ place: z.string().max(500), zone_ids: z.array(CurbId).max(200) }))
        .min(1)
        .max(1000),
    }),
  },
  response: CountImport,
})
export const startCountImport = endpoint({
  route: `POST ${curbPath}/count_imports/{import_id}/start`,
  permission: 'edit_curb_regulations',
  summary: 'Stage an import of counts that is waiting or failed, or stage it again with other options',
  request: { params: importParams, body: CountOptions },
  response: CountImport,
})
export const publishCounts = endpoint({
  route: `POST ${curbPath}/count_imports/{import_id}/publish`,
  permission: 'edit_curb_regulations',
  summary: 'Publish a staged import of counts: its days are derived again',
  request: { params: importParams },
  response: CountImport,
})
export const undoCounts = endpoint({
  route: `POST ${curbPath}/count_imports/{import_id}/undo`,
  permission: 'edit_curb_regulations',
  summary: 'Undo a published import of counts as a whole',
  request: { params: importParams },
  response: CountImport,
})
export const deleteCountImport = endpoint({
  route: `DELETE ${curbPath}/count_imports/{import_id}`,
  permission: 'edit_curb_regulations',
  summary: 'Remove an import of counts that is not published',
  request: { params: importParams },
  response: z.object({ deleted: z.literal(true) }),
})
