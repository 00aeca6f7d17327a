import Papa from 'papaparse'
import { type HealthRow, mostHealthRows } from '#contract/health.ts'
import type { HealthFigureName } from '#contract/health-figures.ts'
import { RawAnswer } from '#server/http/route.ts'
import { Problem } from '#server/http/problem.ts'
import { earlierFeeds } from '#server/health/earlier-feeds.ts'
import { feedStandings } from '#server/health/feed-standings.ts'
import { findHealthRegion } from '#server/health/health-region.ts'
import { healthPeriod } from '#server/health/health-period.ts'
import { spanOfDays } from '#server/health/local-hours.ts'
import { countOfRows, pageOfRows, type RowOrder } from '#server/health/queries/page-of-rows.ts'
import type { FoundRow } from '#server/health/queries/row-columns.ts'
import { tripCounts, type TripCountRow } from '#server/health/queries/trip-counts.ts'
import { vehicleNumbers, type VehicleNumberRow } from '#server/health/queries/vehicle-numbers.ts'
import {
  type Health,
  type HealthAsked,
  readDataHealth,
  readerRestMs,
} from '#server/health/read-data-health.ts'
import { mayRead, type Scope } from '#server/stores/scope.ts'
import { rowReason } from './row-words.ts'
import { rowSources, type RowsOf } from './row-sources.ts'
import { freshnessRows, gapRows, volumeRows } from './span-rows.ts'

export interface RowsAsked extends HealthAsked {
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

/** A file of all rows, as far as it may go; texts that a spreadsheet would run are made plain. */
function csvOf(figure: string, items: readonly HealthRow[]): RawAnswer {
  const text = Papa.unparse([...items], {
    columns: [
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
    ],
    escapeFormulae: /^[=+@\t\r]|^-(?!\d)/,
  })
  return new RawAnswer(Buffer.from(`${text}\r\n`), {
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
  asked: RowsAsked,
  at: number,
): Promise<Page | RawAnswer> {
  const source = rowSources[figure]
  const [offset, size] =
    asked.format === 'csv' ? [0, mostHealthRows] : [(asked.page - 1) * asked.size, asked.size]
  const all = source ? null : await plainRows(health, viewer, regionId, figure, asked, at)
  const found = all
    ? { items: all.slice(offset, offset + size), total: all.length }
    : await foundRows(health, viewer, regionId, figure, asked, at, offset, size)
  return asked.format === 'csv'
    ? csvOf(figure, found.items)
    : { ...found, page: asked.page, size: asked.size }
}

/** Sorts by the key of the order; rows of the same value stay as they were, rows without one are last. */
export function sortHealthRows(rows: readonly HealthRow[], order: RowOrder): HealthRow[] {
  const turn = order.startsWith('-') ? -1 : 1
  const key = order.replace('-', '') as 'time' | 'part' | 'id' | 'value'
  return rows.toSorted(({ [key]: a }, { [key]: b }) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : a === b ? 0 : a < b ? -turn : turn,
  )
}

/** Feeds, hours and days: few enough to have all of them. */
async function plainRows(
  health: Health,
  viewer: Scope,
  regionId: string,
  figure: HealthFigureName,
  asked: RowsAsked,
  at: number,
): Promise<HealthRow[]> {
  const region = await findHealthRegion(health.state, viewer, regionId)
  const seen = (operator: string): boolean =>
    (asked.operator === undefined || operator === asked.operator) && mayRead(viewer, operator)
  const ofPart = (rows: HealthRow[]): HealthRow[] =>
    rows.filter(({ part }) => asked.part === undefined || part === asked.part)
  if (figure === 'freshness')
    return sortHealthRows(
      ofPart(
        freshnessRows(
          (await feedStandings(health.state, health.facts, region, at)).filter(
            (feed) =>
              feed.operator !== null &&
              seen(feed.operator) &&
              (asked.feed_id === undefined || feed.feed_id === asked.feed_id),
          ),
        ),
      ),
      asked.order_by,
    )
  const rowsOf = figure === 'gaps' ? gapRows : volumeRows
  const { operators } = await readDataHealth(health, viewer, regionId, asked, at)
  return sortHealthRows(ofPart(operators.flatMap((each) => rowsOf(each, region.timezone))), asked.order_by)
}

async function foundRows(
  { state, facts, kept }: Health,
  viewer: Scope,
  regionId: string,
  figure: HealthFigureName,
  asked: RowsAsked,
  at: number,
  offset: number,
  size: number,
): Promise<{ items: HealthRow[]; total: number }> {
  const region = await findHealthRegion(state, viewer, regionId)
  const { start, end, days } = healthPeriod(asked, region.timezone, at)
  const span = { ...spanOfDays(regionId, start, end, region.timezone), operator: asked.operator }
  const of: RowsOf = {
    region,
    span,
    at,
    feed: asked.feed_id,
    isSeen: (operator) => mayRead(viewer, operator),
    earlierFeeds: await earlierFeeds(state, region),
    events: () => kept.find(region, 'events', days, at, readerRestMs),
    reporting: async () =>
      (await facts.rows<TripCountRow>(viewer, tripCounts(span, at)))
        .filter((row) => row.reported !== '0')
        .map((row) => row.operator),
  }
  const rows = await rowSources[figure]?.(of)
  if (!rows) throw new Problem('not_found', `There are no rows of ${figure}.`)
  const found = await facts.rows<FoundRow & { total: string }>(
    viewer,
    pageOfRows(rows, asked, asked.order_by, offset, size),
    { limits },
  )
  // A page behind the last one tells of no row how many there are.
  const [count] =
    found.length || offset === 0
      ? found
      : await facts.rows<{ total: string }>(viewer, countOfRows(rows, asked), { limits })
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
