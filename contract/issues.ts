import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { pageQuery, pageSchema } from './page.ts'
import { LocalDay } from './period.ts'

/** Status of an issue. The description explains how the statuses of cities are mapped to it. */
export const IssueStatus = z.enum(['open', 'closed']).meta({
  description:
    'Closed where the city says closed, resolved, completed, canceled, duplicate, archived or invalid (in several languages), also DUPLICATE (OPENED): the request goes on under another number. Open otherwise, and for reopened.',
})
export type IssueStatus = z.infer<typeof IssueStatus>

/** A 311 request of the city. The reporter is never stored. */
export const Issue = z
  .object({
    /** Number of the request in the city's system. */
    id: z.string(),
    /** Feed that reported it; `files` for imported files. */
    source: z.string(),
    service_code: z.string(),
    service_name: z.string(),
    description: z.string(),
    status: IssueStatus,
    /** The status as the city names it. */
    source_status: z.string(),
    requested_time: z.string(),
    updated_time: z.string().nullable(),
    closed_time: z.string().nullable(),
    /** Hours from the request to its closing; null if it is open or the time is unknown. */
    resolution_time: z.number().nullable(),
    address: z.string().nullable(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    /** District fields named as in the source: council district, neighborhood, ZIP code. */
    districts: z.record(z.string(), z.string()),
    /** When it was first received. */
    first_seen_time: z.string(),
  })
  .meta({ id: 'Issue' })
export type Issue = z.infer<typeof Issue>

/** An issue with its status changes, oldest first. */
export const IssueWithHistory = Issue.extend({
  history: z.array(z.object({ time: z.string(), status: IssueStatus, source_status: z.string() })),
}).meta({ id: 'IssueWithHistory' })
export type IssueWithHistory = z.infer<typeof IssueWithHistory>

export const IssueType = z
  .object({
    service_code: z.string(),
    service_name: z.string(),
    open: z.number().int(),
    closed: z.number().int(),
  })
  .meta({ id: 'IssueType' })
export type IssueType = z.infer<typeof IssueType>

/** Hours: `24` up to a day, `24-72` more than a day and up to three, `72-` more than three. */
export const ResolutionTime = z
  .string()
  .regex(/^(\d{1,6}(\.\d+)?|\d{1,6}(\.\d+)?-(\d{1,6}(\.\d+)?)?)$/, 'Hours: 24, 24-72 or 72-')
  .transform((text) => {
    const [from, to] = text.includes('-') ? text.split('-') : ['', text]
    return { over: from ? Number(from) : null, upTo: to ? Number(to) : null }
  })

/** Local days, both included; service codes, separated by commas. Only closed issues have a resolution. */
export const IssueFilters = z.object({
  service_code: z.string().min(1).optional(),
  start_date: LocalDay.optional(),
  end_date: LocalDay.optional(),
  status: IssueStatus.optional(),
  resolution_time: ResolutionTime.optional(),
})
export type IssueFilters = z.output<typeof IssueFilters>

/** Sort keys of the list; `-` sorts descending. Missing values come last. */
export const issueSortKeys = [
  'requested_time',
  'closed_time',
  'resolution_time',
  'service_name',
  'status',
  'source_status',
  'address',
  'id',
] as const
export type IssueSortKey = (typeof issueSortKeys)[number]
const IssueSort = z.enum([...issueSortKeys, ...issueSortKeys.map((key) => `-${key}` as const)])
export type IssueSort = z.infer<typeof IssueSort>

/** Maximum number of points in a response; the newest are returned. */
export const maxIssuePoints = 100_000

/** Positions of matching issues in columns, newest request first. */
export const IssuePoints = z
  .object({
    /** Number of matching issues. */
    total: z.number().int(),
    /** Number of matching issues with a position, of which at most `maxIssuePoints` are sent. */
    placed: z.number().int(),
    /** Matching issues by type, most frequent first, including those without a position or not sent. */
    types: z.array(IssueType),
    sources: z.array(z.string()),
    id: z.array(z.string()),
    /** Index into `sources`. */
    source: z.array(z.number().int()),
    /** Index into `types`. */
    type: z.array(z.number().int()),
    /** 1 means closed. */
    closed: z.array(z.number().int()),
    /** Local day of the request as days since 1970-01-01. */
    day: z.array(z.number().int()),
    /** Degrees with six decimals. */
    lon: z.array(z.number()),
    lat: z.array(z.number()),
    /** Number of issues per local day, and of those with a known position. Days without any are omitted. */
    by_day: z.object({
      day: z.array(z.number().int()),
      total: z.array(z.number().int()),
      placed: z.array(z.number().int()),
    }),
  })
  .meta({ id: 'IssuePoints' })
export type IssuePoints = z.infer<typeof IssuePoints>

/** Issues in a shape. */
export const IssueFigures = z.object({
  count: z.number().int(),
  open: z.number().int(),
  closed: z.number().int(),
  /** Number of issues with a known resolution time, the sample size of median and mean. */
  resolved: z.number().int(),
  median_hours: z.number().nullable(),
  mean_hours: z.number().nullable(),
})
export type IssueFigures = z.infer<typeof IssueFigures>

/** Issues by shape of a layer. An issue counts in each shape that contains it, and once in `total`. */
export const IssuesByShape = z
  .object({
    /** By shape uuid, plus NOT_IN_SHAPE, which also counts issues without a position. */
    shape_data: z.record(z.string(), IssueFigures),
    total: IssueFigures,
    /** Whether some issues are in several shapes. */
    overlaps: z.boolean(),
    method: z.object({ name: z.string(), version: z.number().int(), buffer: z.number() }),
    milliseconds: z.number(),
  })
  .meta({ id: 'IssuesByShape' })
export type IssuesByShape = z.infer<typeof IssuesByShape>

/** Measures per shape: number of issues, open issues, hours to closing. */
export const issueMeasures = ['count', 'open', 'median', 'mean'] as const
export const IssueMeasure = z.enum(issueMeasures)
export type IssueMeasure = z.infer<typeof IssueMeasure>

/** A measure by shape and local day, in columns; hours, null if unknown. At most `maxTimeValues` values. */
export const IssuesByShapeAndDay = z
  .object({
    days: z.array(LocalDay),
    shape_uuids: z.array(z.string()),
    /** By day, then by shape. */
    values: z.array(z.array(z.number().nullable())),
    not_in_shape: z.array(z.number().nullable()),
    /** Each issue counts once. */
    total: z.array(z.number().nullable()),
    method: z.object({ name: z.string(), version: z.number().int(), buffer: z.number() }),
    milliseconds: z.number(),
  })
  .meta({ id: 'IssuesByShapeAndDay' })
export type IssuesByShapeAndDay = z.infer<typeof IssuesByShapeAndDay>

const regionParams = z.object({ region_id: z.string() })

export const listIssues = endpoint({
  route: 'GET /regions/{region_id}/issues',
  permission: 'signed_in',
  summary:
    '311 issues of a region, the newest request first unless sorted; days are local, both inclusive; several service codes are separated by commas',
  request: {
    params: regionParams,
    query: IssueFilters.extend({ order_by: IssueSort.optional(), ...pageQuery(50, 5000) }),
  },
  response: pageSchema(Issue),
})
/** Types of the region with the number of matching issues. `first_day`, `last_day`: of all requests. */
export const listIssueTypes = endpoint({
  route: 'GET /regions/{region_id}/issues/types',
  permission: 'signed_in',
  summary: 'Types of 311 issues of a region and the number of issues of each, by days and resolution time',
  request: {
    params: regionParams,
    query: IssueFilters.pick({ start_date: true, end_date: true, resolution_time: true }),
  },
  response: z.object({
    items: z.array(IssueType),
    first_day: LocalDay.nullable(),
    last_day: LocalDay.nullable(),
  }),
})
export const listIssuePoints = endpoint({
  route: 'GET /regions/{region_id}/issues/points',
  permission: 'signed_in',
  summary: 'Positions of 311 issues in columns, for the map',
  request: { params: regionParams, query: IssueFilters },
  response: IssuePoints,
})
export const queryIssuesByShape = endpoint({
  route: 'GET /regions/{region_id}/issues/by_shape',
  permission: 'signed_in',
  summary: '311 issues by shape of a layer: number, open issues, time to closing',
  request: { params: regionParams, query: IssueFilters.extend({ shape_layer_uuid: z.uuid() }) },
  response: IssuesByShape,
})
export const queryIssuesByShapeAndDay = endpoint({
  route: 'GET /regions/{region_id}/issues/by_shape_and_day',
  permission: 'signed_in',
  summary: 'One measure of 311 issues by shape of a layer and local day of the request',
  request: {
    params: regionParams,
    query: IssueFilters.extend({ shape_layer_uuid: z.uuid(), measure: IssueMeasure.default('count') }),
  },
  response: IssuesByShapeAndDay,
})
export const downloadIssues = endpoint({
  route: 'GET /regions/{region_id}/issues/download',
  permission: 'signed_in',
  summary: 'The whole list as CSV',
  request: { params: regionParams, query: IssueFilters.extend({ order_by: IssueSort.optional() }) },
  response: { media: 'text/csv' },
})
export const getIssue = endpoint({
  route: 'GET /regions/{region_id}/issues/{issue_id}',
  permission: 'signed_in',
  summary:
    'One 311 issue with the changes of its status; `source` is needed if two sources use the same number',
  request: {
    params: regionParams.extend({ issue_id: z.string() }),
    query: z.object({ source: z.string().optional() }),
  },
  response: IssueWithHistory,
})
