import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { pageQuery, pageOf } from './page.ts'
import { LocalDay } from './period.ts'

/** How the words of a city are read is stated in the README and in the description of the field. */
export const IssueStatus = z.enum(['open', 'closed']).meta({
  description:
    'Closed where the city says closed, resolved, completed, canceled, duplicate, archived or invalid (in several languages), also DUPLICATE (OPENED): the request goes on under another number. Open otherwise, and for reopened.',
})
export type IssueStatus = z.infer<typeof IssueStatus>

/** A 311 request of the city. Who reported it is never kept. */
export const Issue = z
  .object({
    /** The city's own number. */
    id: z.string(),
    /** The feed that told it; `files` for files. */
    source: z.string(),
    service_code: z.string(),
    service_name: z.string(),
    description: z.string(),
    status: IssueStatus,
    /** The status in the city's words. */
    source_status: z.string(),
    requested_time: z.string(),
    updated_time: z.string().nullable(),
    closed_time: z.string().nullable(),
    /** Hours from the request to its closing; null while it is open or where that is not known. */
    resolution_time: z.number().nullable(),
    address: z.string().nullable(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    /** District fields as the source names them: council district, neighborhood, ZIP code. */
    districts: z.record(z.string(), z.string()),
    /** When it was first told. */
    first_seen_time: z.string(),
  })
  .meta({ id: 'Issue' })
export type Issue = z.infer<typeof Issue>

/** An issue with the changes of its status, oldest first. */
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

/** Hours: `24` at most a day, `24-72` more than a day and at most three, `72-` more than three. */
export const ResolutionTime = z
  .string()
  .regex(/^(\d{1,6}(\.\d+)?|\d{1,6}(\.\d+)?-(\d{1,6}(\.\d+)?)?)$/, 'Hours: 24, 24-72 or 72-')
  .transform((text) => {
    const [from, to] = text.includes('-') ? text.split('-') : ['', text]
    return { over: from ? Number(from) : null, upTo: to ? Number(to) : null }
  })

/** Days are local ones of the request, both included; several service codes with commas. Only closed issues have a resolution time. */
export const IssueFilters = z.object({
  service_code: z.string().min(1).optional(),
  start_date: LocalDay.optional(),
  end_date: LocalDay.optional(),
  status: IssueStatus.optional(),
  resolution_time: ResolutionTime.optional(),
})
export type IssueFilters = z.output<typeof IssueFilters>

/** By what the list can be sorted; with `-` the largest first. What has no value comes last. */
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

/** Points of one answer; of more the newest are sent. */
export const maxIssuePoints = 100_000

/** Where the issues of a question are, in columns, the newest request first. */
export const IssuePoints = z
  .object({
    /** Issues that match, and those of them whose place is known. Fewer points than `placed` are sent where there are more than `maxIssuePoints`. */
    total: z.number().int(),
    placed: z.number().int(),
    /** How many match of each kind, those without a place and those not sent too; the most frequent first. */
    types: z.array(IssueType),
    sources: z.array(z.string()),
    id: z.array(z.string()),
    /** Into `sources` and `types`. */
    source: z.array(z.number().int()),
    type: z.array(z.number().int()),
    /** 1: closed. */
    closed: z.array(z.number().int()),
    /** The local day of the request: days since 1970-01-01. */
    day: z.array(z.number().int()),
    /** Degrees, to a millionth. */
    lon: z.array(z.number()),
    lat: z.array(z.number()),
    /** Issues of each local day on which there are any, and those of them whose place is known, whether they are sent or not; in order. */
    by_day: z.object({
      day: z.array(z.number().int()),
      total: z.array(z.number().int()),
      placed: z.array(z.number().int()),
    }),
  })
  .meta({ id: 'IssuePoints' })
export type IssuePoints = z.infer<typeof IssuePoints>

/** Issues in a shape. `resolved`: those of which the hours to their closing are known; what mean and median rest on. */
export const IssueFigures = z.object({
  count: z.number().int(),
  open: z.number().int(),
  closed: z.number().int(),
  resolved: z.number().int(),
  median_hours: z.number().nullable(),
  mean_hours: z.number().nullable(),
})
export type IssueFigures = z.infer<typeof IssueFigures>

/** Issues by shape of a layer. An issue counts in each shape that it is in, and once in `total`; `overlaps`: some are in several. */
export const IssuesByShape = z
  .object({
    /** By shape uuid, plus NOT_IN_SHAPE, where issues without a place count too. */
    shape_data: z.record(z.string(), IssueFigures),
    total: IssueFigures,
    overlaps: z.boolean(),
    method: z.object({ name: z.string(), version: z.number().int(), buffer: z.number() }),
    milliseconds: z.number(),
  })
  .meta({ id: 'IssuesByShape' })
export type IssuesByShape = z.infer<typeof IssuesByShape>

/** What a shape can tell of its issues: how many, how many of them are open, the hours to their closing. */
export const issueMeasures = ['count', 'open', 'median', 'mean'] as const
export const IssueMeasure = z.enum(issueMeasures)
export type IssueMeasure = z.infer<typeof IssueMeasure>

/** One measure by shape and local day of the request, in columns: every day of the question, those without issues too. Times in hours, null where none is known. At most `maxTimeValues`. */
export const IssuesByShapeAndDay = z
  .object({
    days: z.array(LocalDay),
    shape_uuids: z.array(z.string()),
    /** By day, then by shape. */
    values: z.array(z.array(z.number().nullable())),
    not_in_shape: z.array(z.number().nullable()),
    /** Each issue once. */
    total: z.array(z.number().nullable()),
    method: z.object({ name: z.string(), version: z.number().int(), buffer: z.number() }),
    milliseconds: z.number(),
  })
  .meta({ id: 'IssuesByShapeAndDay' })
export type IssuesByShapeAndDay = z.infer<typeof IssuesByShapeAndDay>

const inRegion = z.object({ region_id: z.string() })

export const listIssues = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/issues',
  permission: 'signed_in',
  summary:
    '311 issues of a region, the newest request first unless sorted; days are local, both inclusive; several service codes with commas',
  ask: {
    params: inRegion,
    query: IssueFilters.extend({ order_by: IssueSort.optional(), ...pageQuery(50, 5000) }),
  },
  answer: pageOf(Issue),
})
/** All kinds of the region, each with how many of it match; `first_day` and `last_day` are those of all requests. */
export const listIssueTypes = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/issues/types',
  permission: 'signed_in',
  summary: 'Kinds of 311 issues of a region and how many there are of each, by days and resolution time',
  ask: {
    params: inRegion,
    query: IssueFilters.pick({ start_date: true, end_date: true, resolution_time: true }),
  },
  answer: z.object({
    items: z.array(IssueType),
    first_day: LocalDay.nullable(),
    last_day: LocalDay.nullable(),
  }),
})
export const listIssuePoints = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/issues/points',
  permission: 'signed_in',
  summary: 'Places of 311 issues in columns: what the map is drawn from',
  ask: { params: inRegion, query: IssueFilters },
  answer: IssuePoints,
})
export const askIssuesByShape = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/issues/by_shape',
  permission: 'signed_in',
  summary: '311 issues by shape of a layer: how many, how many are open, how long to their closing',
  ask: { params: inRegion, query: IssueFilters.extend({ shape_layer_uuid: z.uuid() }) },
  answer: IssuesByShape,
})
export const askIssuesByShapeAndDay = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/issues/by_shape_and_day',
  permission: 'signed_in',
  summary: 'One measure of 311 issues by shape of a layer and local day of the request',
  ask: {
    params: inRegion,
    query: IssueFilters.extend({ shape_layer_uuid: z.uuid(), measure: IssueMeasure.default('count') }),
  },
  answer: IssuesByShapeAndDay,
})
export const downloadIssues = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/issues/download',
  permission: 'signed_in',
  summary: 'The whole list as CSV',
  ask: { params: inRegion, query: IssueFilters.extend({ order_by: IssueSort.optional() }) },
  answer: { media: 'text/csv' },
})
export const getIssue = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/issues/{issue_id}',
  permission: 'signed_in',
  summary: 'One 311 issue with the changes of its status; `source` where two sources use the same number',
  ask: {
    params: inRegion.extend({ issue_id: z.string() }),
    query: z.object({ source: z.string().optional() }),
  },
  answer: IssueWithHistory,
})
