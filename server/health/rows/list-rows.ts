import { csvLine } from '#contract/csv.ts'
import { type HealthRow, maxHealthRows } from '#contract/health.ts'
import type { HealthFigureName } from '#contract/health-figures.ts'
import { RawResponse } from '#server/http/route.ts'
import type { Facts } from '#server/stores/facts.ts'
import { Problem } from '#server/http/problem.ts'
import { findEarlierFeeds, findHealthRegion } from '../health-region.ts'
import { findFeedStatuses } from '../feed-statuses.ts'
import { readHealthPeriod } from '../health-period.ts'
import { getSpanOfDays } from '../span.ts'
import type { FoundRow } from '../queries/row-columns.ts'
import { tripCountsSql, type TripCountRow } from '../queries/trip-counts.ts'
import {
  type Health,
  type HealthQuery,
  type HealthRequest,
  readDataHealth,
  recountAfterMs,
} from '../read-data-health.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import { rowSources, type RowInput } from './row-sources.ts'
import { listFreshnessRows, listGapRows, listVolumeRows } from './span-rows.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { rowCountSql, rowPageSql, type RowOrder } from './row-page.ts'
import { explainRow } from './row-reason.ts'

interface VehicleNumberRow {
  operator: string
  device_id: string
  vehicle_id: string
}

/** Builds SQL for the vehicle numbers (`vehicle_id` of MDS) of devices. */
const vehicleNumbersSql = (regionId: string, devices: readonly string[]): Sql => sql`
  select operator, toString(device_id) as device_id, vehicle_id
  from ${latest('vehicles')}
  where region_id = ${bind('String', regionId)} and toString(device_id) in ${bind('Array(String)', devices)}`

export interface RowQuery extends HealthQuery {
  part?: string | undefined
  format: 'json' | 'csv'
  order_by: RowOrder
  page: number
  size: number
}
interface RowPage {
  items: HealthRow[]
  total: number
  page: number
  size: number
}

const emptyToNull = (text: string): string | null => (text === '' ? null : text)
/** Limits of a query for rows; memory in bytes. */
const limits = { seconds: 60, memory: 4 * 2 ** 30 }
/** The number of devices in one query of vehicle numbers. */
const devicesPerQuery = 5000

interface RowRequest extends HealthRequest {
  figure: HealthFigureName
  query: RowQuery
}

/** Lists the rows behind a figure: a page, or all up to a limit as a CSV file. */
export async function listHealthRows(health: Health, request: RowRequest): Promise<RowPage | RawResponse> {
  const { figure, query } = request
  const [offset, size] =
    query.format === 'csv' ? [0, maxHealthRows] : [(query.page - 1) * query.size, query.size]
  const rows = rowSources[figure]
    ? await readStoredRows(health, request, { offset, size })
    : slicePage(await computeRows(health, request), { offset, size })
  return query.format === 'csv'
    ? toCsvResponse(figure, rows.items)
    : { ...rows, page: query.page, size: query.size }
}

interface RowSlice {
  offset: number
  size: number
}

const slicePage = (rows: HealthRow[], { offset, size }: RowSlice) => ({
  items: rows.slice(offset, offset + size),
  total: rows.length,
})

/** Sorts by the column of the order. The sort is stable; rows without a value are last. */
export function sortHealthRows(rows: readonly HealthRow[], order: RowOrder): HealthRow[] {
  const sign = order.startsWith('-') ? -1 : 1
  const key = order.replace('-', '') as 'time' | 'part' | 'id' | 'value'
  return rows.toSorted(({ [key]: a }, { [key]: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    if (a === b) return 0
    return a < b ? -sign : sign
  })
}

/** Computes the rows of feeds, hours or days, which are few enough to compute all of them. */
async function computeRows(
  health: Health,
  { scope, regionId, figure, query, at }: RowRequest,
): Promise<HealthRow[]> {
  const region = await findHealthRegion(health.state.as(scope), regionId)
  const isRequested = (operator: string): boolean =>
    (query.operator === undefined || operator === query.operator) && canReadOperator(scope, operator)
  const filterAndSort = (rows: HealthRow[]): HealthRow[] =>
    sortHealthRows(
      rows.filter(({ part }) => query.part === undefined || part === query.part),
      query.order_by,
    )
  if (figure === 'freshness') {
    const statuses = (await findFeedStatuses(health.state, health.facts, region, at)).filter(
      (feed) =>
        feed.operator !== null &&
        isRequested(feed.operator) &&
        (query.feed_id === undefined || feed.feed_id === query.feed_id),
    )
    return filterAndSort(listFreshnessRows(statuses))
  }
  const createRows = figure === 'gaps' ? listGapRows : listVolumeRows
  const { operators } = await readDataHealth(health, { scope, regionId, query, at })
  return filterAndSort(operators.flatMap((operator) => createRows(operator, region.timezone)))
}

/** Finds the vehicle numbers of rows, by `operator device_id`. */
async function findVehicleNumbers(
  facts: Facts,
  scope: Scope,
  regionId: string,
  rows: readonly FoundRow[],
): Promise<Map<string, string>> {
  const devices = [...new Set(rows.map((row) => row.device_id).filter((id) => id !== ''))]
  const numbers = new Map<string, string>()
  for (let start = 0; start < devices.length; start += devicesPerQuery)
    for (const row of await facts.rows<VehicleNumberRow>(
      scope,
      vehicleNumbersSql(regionId, devices.slice(start, start + devicesPerQuery)),
    ))
      numbers.set(`${row.operator} ${row.device_id}`, row.vehicle_id)
  return numbers
}

/** Returns a page of rows that are read from the fact store. */
async function readStoredRows(
  { state, facts, dayCounts }: Health,
  { scope, regionId, figure, query, at }: RowRequest,
  { offset, size }: RowSlice,
): Promise<{ items: HealthRow[]; total: number }> {
  const region = await findHealthRegion(state.as(scope), regionId)
  const { start, end, days } = readHealthPeriod(query, region.timezone, at)
  const span = { ...getSpanOfDays(regionId, start, end, region.timezone), operator: query.operator }
  const input: RowInput = {
    region,
    span,
    at,
    feed: query.feed_id,
    canSee: (operator) => canReadOperator(scope, operator),
    earlierFeeds: await findEarlierFeeds(state, region),
    findChecks: () => dayCounts.find(region, { kind: 'events', days, at, recountAfterMs }),
    findReportingOperators: async () =>
      (await facts.rows<TripCountRow>(scope, tripCountsSql(span, at)))
        .filter((row) => row.reported !== '0')
        .map((row) => row.operator),
  }
  const rows = await rowSources[figure]?.(input)
  if (!rows) throw new Problem('not_found', `There are no rows of ${figure}.`)
  const foundRows = await facts.rows<FoundRow & { total: string }>(
    scope,
    rowPageSql(rows, { filters: query, order: query.order_by, offset, size }),
    { limits },
  )
  // A page after the last one has no row that contains the total.
  const [count] =
    foundRows.length || offset === 0
      ? foundRows
      : await facts.rows<{ total: string }>(scope, rowCountSql(rows, query), { limits })
  const vehicleNumbers = await findVehicleNumbers(facts, scope, regionId, foundRows)
  const items = foundRows.map((row): HealthRow => ({
    time: new Date(Number(row.time)).toISOString(),
    operator: row.operator,
    feed_id: emptyToNull(row.feed_id),
    id: row.id,
    device_id: emptyToNull(row.device_id),
    vehicle_id: vehicleNumbers.get(`${row.operator} ${row.device_id}`) ?? null,
    trip_id: emptyToNull(row.trip_id),
    part: row.part,
    reason: explainRow(row),
    value: row.value,
    raw: emptyToNull(row.raw),
  }))
  return { items, total: Number(count?.total ?? 0) }
}

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

function toCsvResponse(figure: string, items: readonly HealthRow[]): RawResponse {
  const text = [csvColumns, ...items.map((item) => csvColumns.map((column) => item[column]))]
    .map(csvLine)
    .join('\r\n')
  return new RawResponse(Buffer.from(`${text}\r\n`), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${figure}.csv"`,
  })
}
