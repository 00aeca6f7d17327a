import { csvLine } from '#contract/csv.ts'
import { type HealthRow, maxHealthRows } from '#contract/health.ts'
import type { HealthFigureName } from '#contract/health-figures.ts'
import { RawResponse } from '#server/http/route.ts'
import { Problem } from '#server/http/problem.ts'
import { earlierFeeds, findHealthRegion } from '../health-region.ts'
import { feedStatuses } from '../feed-statuses.ts'
import { healthPeriod } from '../health-period.ts'
import { spanOfDays } from '../local-hours.ts'
import type { FoundRow } from '../queries/record-rows.ts'
import { tripCounts, type TripCountRow } from '../queries/trip-counts.ts'
import { type Health, type HealthQuery, readDataHealth, recountAfterMs } from '../read-data-health.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import { rowSources, type RowInput } from './row-sources.ts'
import { freshnessRows, gapRows, volumeRows } from './span-rows.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

interface Narrowed {
  operator?: string | undefined
  feed_id?: string | undefined
  part?: string | undefined
}

const narrow = ({ operator, feed_id: feed, part }: Narrowed): Sql => {
  const some = <T>(value: T | undefined, condition: (given: T) => Sql): Sql =>
    value === undefined ? sql`` : sql` and ${condition(value)}`
  return sql`where 1${some(operator, (of) => sql`row_operator = ${bind('String', of)}`)}${some(feed, (of) => sql`row_feed = ${bind('String', of)}`)}${some(part, (of) => sql`row_part = ${bind('String', of)}`)}`
}

const orders = {
  time: sql`row_time`,
  part: sql`row_part`,
  id: sql`row_id`,
  value: sql`if(isFinite(row_value), row_value, null)`,
} as const
export type RowOrder = keyof typeof orders | `-${keyof typeof orders}`

/** All columns, so that rows of the same value are in one order on every page. */
const tieBreak = sql`
  row_time desc, row_id, row_part, row_operator, row_feed, row_device, row_trip, row_value, row_details, row_raw`

/** One page of rows of one form, each with how many rows there are. */
export const pageOfRows = (
  rows: Sql,
  narrowed: Narrowed,
  order: RowOrder,
  offset: number,
  size: number,
): Sql => sql`
  select row_operator as operator, row_feed as feed_id, toString(toUnixTimestamp64Milli(row_time)) as time, row_id as id, row_device as device_id, row_trip as trip_id, row_part as part, if(isFinite(row_value), row_value, null) as value, row_details as details, row_raw as raw, toString(count() over ()) as total
  from (${rows}) ${narrow(narrowed)}
  order by ${orders[order.replace('-', '') as keyof typeof orders]} ${order.startsWith('-') ? sql`desc` : sql`asc`} nulls last, ${tieBreak}
  limit ${bind('UInt32', size)} offset ${bind('UInt64', offset)}`

const countOfRows = (rows: Sql, narrowed: Narrowed): Sql =>
  sql`select toString(count()) as total from (${rows}) ${narrow(narrowed)}`

const whole = (text: string | undefined): string => String(Math.round(Number(text ?? 0)))
const span = (seconds: number): string =>
  seconds < 120
    ? `${Math.round(seconds)} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 360) / 10} h`

/** Why a record is listed, as a sentence, by the part of its figure. */
const words: Readonly<Record<string, (row: FoundRow) => string>> = {
  illegal: ({ details: [before, types, state] }) =>
    `${types || 'No event'} cannot lead from ${before} to ${state}.`,
  moves: ({ details: [meters, seconds], value }) =>
    `${whole(meters)} m in ${whole(seconds)} s${value === null ? '' : `, ${Math.round(value)} km/h`}.`,
  trips: ({ details: [meters, seconds], value }) =>
    `The trip is ${whole(meters)} m long and took ${whole(seconds)} s${value === null ? '' : `, ${Math.round(value)} km/h on average`}.`,
  without_events: () => 'The trip was reported, and no event tells of it.',
  without_report: () => 'Events tell of the trip, and it was not reported within 24 hours.',
  without_end: () => 'The trip began more than 24 hours ago and has no end.',
  ends_without_start: () => 'An event ends the trip, and none of the two days before starts it.',
  time_differs: () => 'Start or end of report and events are more than 5 minutes apart.',
  place_differs: () => 'Start or end of report and events are more than 250 m apart.',
  silent: ({ value, details: [state] }) =>
    `Nothing was heard for ${span((value ?? 0) * 3600)}; it was ${state} then.`,
  lost: ({ value, details: [state] }) =>
    `Nothing was heard for ${span((value ?? 0) * 3600)}, so that it counts as lost; it was ${state} then.`,
  schema: ({ details: [reason, field] }) => (field ? `${field}: ${reason}` : (reason ?? '')),
  clock_skew: ({ details: [reason] }) => reason ?? '',
  events_ahead: ({ value }) => `Its time lies ${span(value ?? 0)} after its receipt.`,
  late: ({ value }) => `It was received ${span(value ?? 0)} after it happened.`,
  repeated: ({ details: [repeated, accepted, stream] }) =>
    `${repeated} of ${accepted} records of the stream ${stream} were received before.`,
}

const rowReason = (row: FoundRow): string => words[row.part]?.(row) ?? ''

interface VehicleNumberRow {
  operator: string
  device_id: string
  vehicle_id: string
}

/** Vehicle numbers (`vehicle_id` of MDS) of devices. */
const vehicleNumbers = (regionId: string, devices: readonly string[]): Sql => sql`
  select operator, toString(device_id) as device_id, vehicle_id from ${latest('vehicles')}
  where region_id = ${bind('String', regionId)} and toString(device_id) in ${bind('Array(String)', devices)}`

export interface RowQuery extends HealthQuery {
  part?: string | undefined
  format: 'json' | 'csv'
  order_by: RowOrder
  page: number
  size: number
}
interface Page {
  items: HealthRow[]
  total: number
  page: number
  size: number
}

const orNull = (text: string): string | null => (text === '' ? null : text)
const limits = { seconds: 60, memory: 4 * 2 ** 30 }

const csvColumns = [
  'time',
  'operator',
  'feed_id',
  'id',
  'vehicle_id',
  'device_id',
  'trip_id',
  'part',
  'value',
  'reason',
  'raw',
] as const satisfies readonly (keyof HealthRow)[]

/** A file of all rows, up to the limit. */
function csvOf(figure: string, items: readonly HealthRow[]): RawResponse {
  const text = [csvColumns, ...items.map((item) => csvColumns.map((column) => item[column]))]
    .map(csvLine)
    .join('\r\n')
  return new RawResponse(Buffer.from(`${text}\r\n`), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${figure}.csv"`,
  })
}

/** The rows behind a figure, page by page or as CSV. */
export async function listRows(
  health: Health,
  viewer: Scope,
  regionId: string,
  figure: HealthFigureName,
  query: RowQuery,
  at: number,
): Promise<Page | RawResponse> {
  const source = rowSources[figure]
  const [offset, size] =
    query.format === 'csv' ? [0, maxHealthRows] : [(query.page - 1) * query.size, query.size]
  const all = source ? null : await computedRows(health, viewer, regionId, figure, query, at)
  const found = all
    ? { items: all.slice(offset, offset + size), total: all.length }
    : await storedRows(health, viewer, regionId, figure, query, at, offset, size)
  return query.format === 'csv'
    ? csvOf(figure, found.items)
    : { ...found, page: query.page, size: query.size }
}

/** Sorts by the key of the order; rows with equal values keep their order, rows without a value are last. */
export function sortHealthRows(rows: readonly HealthRow[], order: RowOrder): HealthRow[] {
  const turn = order.startsWith('-') ? -1 : 1
  const key = order.replace('-', '') as 'time' | 'part' | 'id' | 'value'
  return rows.toSorted(({ [key]: a }, { [key]: b }) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : a === b ? 0 : a < b ? -turn : turn,
  )
}

/** Rows of feeds, hours and days: few enough to read all of them. */
async function computedRows(
  health: Health,
  viewer: Scope,
  regionId: string,
  figure: HealthFigureName,
  query: RowQuery,
  at: number,
): Promise<HealthRow[]> {
  const region = await findHealthRegion(health.state.as(viewer), regionId)
  const canSee = (operator: string): boolean =>
    (query.operator === undefined || operator === query.operator) && canReadOperator(viewer, operator)
  const ofPart = (rows: HealthRow[]): HealthRow[] =>
    rows.filter(({ part }) => query.part === undefined || part === query.part)
  if (figure === 'freshness')
    return sortHealthRows(
      ofPart(
        freshnessRows(
          (await feedStatuses(health.state, health.facts, region, at)).filter(
            (feed) =>
              feed.operator !== null &&
              canSee(feed.operator) &&
              (query.feed_id === undefined || feed.feed_id === query.feed_id),
          ),
        ),
      ),
      query.order_by,
    )
  const rowsOf = figure === 'gaps' ? gapRows : volumeRows
  const { operators } = await readDataHealth(health, viewer, regionId, query, at)
  return sortHealthRows(ofPart(operators.flatMap((each) => rowsOf(each, region.timezone))), query.order_by)
}

async function storedRows(
  { state, facts, dayCounts }: Health,
  viewer: Scope,
  regionId: string,
  figure: HealthFigureName,
  query: RowQuery,
  at: number,
  offset: number,
  size: number,
): Promise<{ items: HealthRow[]; total: number }> {
  const region = await findHealthRegion(state.as(viewer), regionId)
  const { start, end, days } = healthPeriod(query, region.timezone, at)
  const span = { ...spanOfDays(regionId, start, end, region.timezone), operator: query.operator }
  const of: RowInput = {
    region,
    span,
    at,
    feed: query.feed_id,
    isSeen: (operator) => canReadOperator(viewer, operator),
    earlierFeeds: await earlierFeeds(state, region),
    events: () => dayCounts.find(region, 'events', days, at, recountAfterMs),
    reporting: async () =>
      (await facts.rows<TripCountRow>(viewer, tripCounts(span, at)))
        .filter((row) => row.reported !== '0')
        .map((row) => row.operator),
  }
  const rows = await rowSources[figure]?.(of)
  if (!rows) throw new Problem('not_found', `There are no rows of ${figure}.`)
  const found = await facts.rows<FoundRow & { total: string }>(
    viewer,
    pageOfRows(rows, query, query.order_by, offset, size),
    { limits },
  )
  // A page behind the last one has no row that carries the total.
  const [count] =
    found.length || offset === 0
      ? found
      : await facts.rows<{ total: string }>(viewer, countOfRows(rows, query), { limits })
  const devices = [...new Set(found.map((row) => row.device_id).filter((id) => id !== ''))]
  const numbers = new Map<string, string>()
  for (let from = 0; from < devices.length; from += 5000)
    for (const row of await facts.rows<VehicleNumberRow>(
      viewer,
      vehicleNumbers(regionId, devices.slice(from, from + 5000)),
    ))
      numbers.set(`${row.operator} ${row.device_id}`, row.vehicle_id)
  const items = found.map((row): HealthRow => ({
    time: new Date(Number(row.time)).toISOString(),
    operator: row.operator,
    feed_id: orNull(row.feed_id),
    id: row.id,
    device_id: orNull(row.device_id),
    vehicle_id: numbers.get(`${row.operator} ${row.device_id}`) ?? null,
    trip_id: orNull(row.trip_id),
    part: row.part,
    reason: rowReason(row),
    value: row.value,
    raw: orNull(row.raw),
  }))
  return { items, total: Number(count?.total ?? 0) }
}
