import { z } from 'zod'
import { CurbActivity } from './cds.ts'
import { endpoint } from './endpoint.ts'
import { pageSchema, pageQuery } from './page.ts'
import { GeometryShape } from './place.ts'

/** Formats of curb files, with their names and descriptions in the app. */
export const curbFormatTexts = {
  cds: {
    en: {
      name: 'CDS',
      text: 'Curb Data Specification 1.0 or 1.1: JSON with zones, policies, areas, spaces and objects.',
    },
    es: {
      name: 'CDS',
      text: 'Curb Data Specification 1.0 o 1.1: JSON con zonas, políticas, áreas, espacios y objetos.',
    },
  },
  curblr: {
    en: { name: 'CurbLR', text: 'CurbLR: GeoJSON with regulations.' },
    es: { name: 'CurbLR', text: 'CurbLR: GeoJSON con regulaciones.' },
  },
  table: {
    en: { name: 'Table', text: 'Meters or zones as CSV or GeoJSON; you choose what each column means.' },
    es: {
      name: 'Tabla',
      text: 'Parquímetros o zonas en CSV o GeoJSON; usted elige qué significa cada columna.',
    },
  },
  signs: {
    en: {
      name: 'Curb lines and signs',
      text: 'GeoJSON lines of the curb and points of signs; the rules are derived from the sign texts.',
    },
    es: {
      name: 'Líneas de acera y señales',
      text: 'Líneas GeoJSON de la acera y puntos de señales; las reglas se derivan de los textos.',
    },
  },
} as const
export const CurbFormatKey = z.enum(Object.keys(curbFormatTexts) as [keyof typeof curbFormatTexts])
export type CurbFormatKey = z.infer<typeof CurbFormatKey>
export const curbFormats = CurbFormatKey.options

export const curbRecordKinds = ['zone', 'policy', 'area', 'space', 'object'] as const
export const CurbRecordKind = z.enum(curbRecordKinds)
export type CurbRecordKind = z.infer<typeof CurbRecordKind>

/** `accepted`: imported. `repaired`: imported after a change or without a part. `refused`: excluded. */
export const curbOutcomes = ['accepted', 'repaired', 'refused'] as const
export const CurbOutcome = z.enum(curbOutcomes)
export type CurbOutcome = z.infer<typeof CurbOutcome>

/** Problems of a record or file. The consequence for the record is in `effect` of the finding. */
export const curbFindingCodes = [
  'not_a_record',
  'missing_id',
  'duplicate_id',
  'missing_geometry',
  'bad_geometry',
  'zero_length',
  'self_crossing',
  'coordinates_swapped',
  'outside_region',
  'wrong_side',
  'bad_value',
  'spelling',
  'empty_list',
  'missing_field',
  'missing_time_zone',
  'missing_currency',
  'time_past_midnight',
  'bad_time',
  'never_applies',
  'no_activity',
  'unknown_activity',
  'no_rules',
  'missing_priority',
  'overlapping_rates',
  'unknown_user_class',
  'unknown_policy',
  'too_many',
  'rule_set_aside',
  'rate_set_aside',
  'text_set_aside',
  'not_in_service',
  'merged',
  'fraction_of_space',
  'line_from_point',
  'no_curb_near',
  'sign_without_rule',
  'other_inventory',
  'duplicate',
  'retired',
] as const
export const CurbFindingCode = z.enum(curbFindingCodes)
export type CurbFindingCode = z.infer<typeof CurbFindingCode>

export const CurbFinding = z.object({
  code: CurbFindingCode,
  message: z.string(),
  /** Path in the record, such as `rules[0].activity`, or the column; null: the entire record. */
  field: z.string().nullable(),
  /** `note`: no effect. `repair`: the record was changed or lacks a part. `refuse`: it is excluded. */
  effect: z.enum(['note', 'repair', 'refuse']),
})
export type CurbFinding = z.infer<typeof CurbFinding>

/** Meanings of columns of a table of meters or zones. */
export const curbColumns = [
  'id',
  'lat',
  'lon',
  'point',
  'street_name',
  'side',
  'block',
  'from_street',
  'to_street',
  'name',
  'spaces',
  'length',
  'max_stay',
  'rate',
  'hours',
  'rule_text',
  'status',
  'accessible',
  'use',
  'effective_date',
  'end_date',
] as const
export const CurbColumn = z.enum(curbColumns)
export type CurbColumn = z.infer<typeof CurbColumn>

/** A price for a time of day on some days. Times are minutes of the day or texts. */
export const RateBand = z.object({
  days: z.array(z.enum(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'])).min(1),
  rate: z.string(),
  start: z.string(),
  end: z.string(),
})
export type RateBand = z.infer<typeof RateBand>

/** A column with hours in which another rule applies, such as tow-away hours. */
export const HoursColumn = z.object({
  column: z.string(),
  activity: CurbActivity,
  user_classes: z.array(z.string()).default([]),
  purposes: z.array(z.string()).default([]),
})

/** What a value of the column `use` means; values that are not listed are set aside. */
export const UseValue = z.object({
  value: z.string(),
  activity: CurbActivity,
  user_classes: z.array(z.string()).default([]),
  purposes: z.array(z.string()).default([]),
})

/** Which column of a table of meters or zones means what, in which units. */
export const CurbMapping = z
  .object({
    columns: z.partialRecord(CurbColumn, z.string()),
    length_unit: z.enum(['ft', 'm', 'cm']).default('ft'),
    stay_unit: z.enum(['minute', 'hour']).default('minute'),
    /** What the number in the column `rate` buys: an hour, or a stay of `max_stay`. */
    rate_per: z.enum(['hour', 'max_stay']).default('hour'),
    bands: z.array(RateBand).max(30).default([]),
    hours_columns: z.array(HoursColumn).max(20).default([]),
    uses: z.array(UseValue).max(100).default([]),
    /** Values of the column `status` for rows that are not imported. */
    excluded_statuses: z.array(z.string()).max(200).default([]),
  })
  .meta({ id: 'CurbMapping' })
export type CurbMapping = z.infer<typeof CurbMapping>

/** The CDS feed of a source of curb data, which is pulled at an interval. */
export const CurbFeed = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  has_token: z.boolean(),
  every_minutes: z.number().int().min(5).max(43_200),
  /** Whether imports without refused rows are published without a review. */
  publishes: z.boolean(),
  last_pull_time: z.string().nullable(),
  last_problem: z.string().nullable(),
})
export type CurbFeed = z.infer<typeof CurbFeed>

/** A source of curb data that is imported repeatedly, from files or from its feed. */
export const CurbInventory = z
  .object({
    inventory_id: z.uuid(),
    name: z.string(),
    kind: z.enum(['drawn', ...curbFormats]),
    created_time: z.string(),
    /** Confirmed mapping of the columns of its tables. */
    mapping: CurbMapping.nullable(),
    feed: CurbFeed.nullable(),
    zones_in_force: z.number().int(),
  })
  .meta({ id: 'CurbInventory' })
export type CurbInventory = z.infer<typeof CurbInventory>

/** `waiting`: for a mapping or further files. `staging`: being read. `staged`: read, but not published. */
export const CurbImportStatus = z.enum(['waiting', 'staging', 'staged', 'published', 'undone', 'failed'])
export type CurbImportStatus = z.infer<typeof CurbImportStatus>

export const CurbImport = z
  .object({
    import_id: z.uuid(),
    inventory_id: z.uuid(),
    inventory_name: z.string(),
    file_name: z.string(),
    status: CurbImportStatus,
    problem: z.string().nullable(),
    rows: z.number().int(),
    outcomes: z.record(CurbOutcome, z.number().int()),
    kinds: z.partialRecord(CurbRecordKind, z.number().int()),
    /** Number of rows by code of a finding. */
    codes: z.partialRecord(CurbFindingCode, z.number().int()),
    /** Findings about the entire file. */
    file_findings: z.array(CurbFinding),
    created_time: z.string(),
    published_time: z.string().nullable(),
    undone_time: z.string().nullable(),
    effective_time: z.string().nullable(),
    /** An earlier import of the same bytes. */
    same_as: z.uuid().nullable(),
  })
  .meta({ id: 'CurbImport' })
export type CurbImport = z.infer<typeof CurbImport>

export const CurbImportRow = z
  .object({
    row: z.number().int(),
    kind: CurbRecordKind,
    record_id: z.string(),
    outcome: CurbOutcome,
    findings: z.array(CurbFinding),
    confidence: z.number().nullable(),
    /** The record as in the file. */
    source: z.unknown(),
    /** The record as it would be published. */
    staged: z.unknown(),
  })
  .meta({ id: 'CurbImportRow' })
export type CurbImportRow = z.infer<typeof CurbImportRow>

const regionParams = z.object({ region_id: z.string() })
const inventoryParams = regionParams.extend({ inventory_id: z.uuid() })
const importParams = regionParams.extend({ import_id: z.uuid() })
const name = z.string().trim().min(1).max(200)

export const listCurbInventories = endpoint({
  route: 'GET /regions/{region_id}/curb/inventories',
  permission: 'signed_in',
  summary: 'Sources of curb data of a region, by name',
  request: { params: regionParams },
  response: z.object({ items: z.array(CurbInventory) }),
})

const FeedSettings = z.object({
  url: CurbFeed.shape.url,
  /** Bearer token; absent: the stored one remains. It is never returned. */
  token: z.string().min(1).max(4000).optional(),
  every_minutes: CurbFeed.shape.every_minutes.default(60),
  publishes: z.boolean().default(false),
})
export type CurbFeedSettings = z.infer<typeof FeedSettings>

export const createCurbInventory = endpoint({
  route: 'POST /regions/{region_id}/curb/inventories',
  permission: 'edit_curb_regulations',
  summary: 'Add a source of curb data; one of kind `cds` may be a feed that is pulled at an interval',
  request: {
    params: regionParams,
    body: z.object({ name, kind: CurbFormatKey, feed: FeedSettings.nullable().default(null) }),
  },
  response: CurbInventory,
})
export const updateCurbInventory = endpoint({
  route: 'PATCH /regions/{region_id}/curb/inventories/{inventory_id}',
  permission: 'edit_curb_regulations',
  summary: 'Rename a source of curb data, change its mapping or its feed (null removes it)',
  request: {
    params: inventoryParams,
    body: z.object({
      name: name.optional(),
      mapping: CurbMapping.optional(),
      feed: FeedSettings.nullable().optional(),
    }),
  },
  response: CurbInventory,
})
export const pullCurbFeed = endpoint({
  route: 'POST /regions/{region_id}/curb/inventories/{inventory_id}/pull',
  permission: 'edit_curb_regulations',
  summary: 'Pull the CDS feed of a source now',
  request: { params: inventoryParams },
  response: z.object({ queued: z.literal(true) }),
})

export const uploadCurbFile = endpoint({
  route: 'POST /regions/{region_id}/curb/inventories/{inventory_id}/imports',
  permission: 'edit_curb_regulations',
  summary:
    'Send a curb file, compressed with gzip or not; it is staged in the background. Tables without a confirmed mapping wait: call preview, then start',
  request: {
    params: inventoryParams,
    query: z.object({
      file_name: z.string().min(1).max(255),
      /** Adds the file to an import that waits: signs to their curb lines, policies to their zones. */
      with_import: z.uuid().optional(),
      /** Whether the import waits for further files; those of curb lines and signs always do. */
      wait: z.stringbool().optional(),
    }),
    body: { media: 'application/octet-stream' },
  },
  response: CurbImport,
})
export const previewCurbImport = endpoint({
  route: 'POST /regions/{region_id}/curb/imports/{import_id}/preview',
  reads: true,
  permission: 'edit_curb_regulations',
  summary:
    'Columns and first ten rows of a table, as a mapping reads them; without one: as suggested or stored',
  request: { params: importParams, body: z.object({ mapping: CurbMapping.nullable().default(null) }) },
  response: z.object({
    header: z.array(z.string()),
    mapping: CurbMapping,
    rows: z.array(CurbImportRow),
    /** Values of the columns `status` and `use` in the first rows. */
    statuses: z.array(z.string()),
    uses: z.array(z.string()),
  }),
})
export const startCurbImport = endpoint({
  route: 'POST /regions/{region_id}/curb/imports/{import_id}/start',
  permission: 'edit_curb_regulations',
  summary: 'Stage a file that waits, or stage it again, with this mapping, which the source remembers',
  request: { params: importParams, body: z.object({ mapping: CurbMapping.optional() }) },
  response: CurbImport,
})
export const listCurbImports = endpoint({
  route: 'GET /regions/{region_id}/curb/imports',
  permission: 'signed_in',
  summary: 'Imports of curb data, newest first',
  request: { params: regionParams, query: z.object({ ...pageQuery(50), inventory_id: z.uuid().optional() }) },
  response: pageSchema(CurbImport),
})
export const getCurbImport = endpoint({
  route: 'GET /regions/{region_id}/curb/imports/{import_id}',
  permission: 'signed_in',
  summary: 'One import with its counts by outcome, kind and finding',
  request: { params: importParams },
  response: CurbImport,
})
const rowFilter = {
  outcome: CurbOutcome.optional(),
  code: CurbFindingCode.optional(),
  kind: CurbRecordKind.optional(),
  search: z.string().max(200).optional(),
}
export const listCurbImportRows = endpoint({
  route: 'GET /regions/{region_id}/curb/imports/{import_id}/rows',
  permission: 'signed_in',
  summary: 'Rows of an import with their findings, in the order of the file',
  request: { params: importParams, query: z.object({ ...pageQuery(50), ...rowFilter }) },
  response: pageSchema(CurbImportRow),
})
export const downloadCurbImportRows = endpoint({
  route: 'GET /regions/{region_id}/curb/imports/{import_id}/rows.csv',
  permission: 'signed_in',
  summary: 'Rows of an import as CSV: row, kind, id, outcome, findings, source',
  request: { params: importParams, query: z.object(rowFilter) },
  response: { media: 'text/csv' },
})
export const getCurbImportMap = endpoint({
  route: 'GET /regions/{region_id}/curb/imports/{import_id}/map',
  permission: 'signed_in',
  summary: 'Geometries of the staged zones, at most 20,000, with their outcome',
  request: { params: importParams },
  response: z.object({
    zones: z.array(z.object({ row: z.number().int(), outcome: CurbOutcome, geometry: GeometryShape })),
    total: z.number().int(),
  }),
})
export const publishCurbImport = endpoint({
  route: 'POST /regions/{region_id}/curb/imports/{import_id}/publish',
  permission: 'edit_curb_regulations',
  summary: 'Publish a staged import as one change, in force from `effective_time` (absent: now)',
  request: {
    params: importParams,
    body: z.object({ effective_time: z.iso.datetime({ offset: true }).optional() }),
  },
  response: CurbImport,
})
export const undoCurbImport = endpoint({
  route: 'POST /regions/{region_id}/curb/imports/{import_id}/undo',
  permission: 'edit_curb_regulations',
  summary: 'Undo the newest published import of a source',
  request: { params: importParams },
  response: CurbImport,
})
export const deleteCurbImport = endpoint({
  route: 'DELETE /regions/{region_id}/curb/imports/{import_id}',
  permission: 'edit_curb_regulations',
  summary: 'Remove an import that is not published',
  request: { params: importParams },
  response: z.object({ deleted_rows: z.number().int() }),
})
