import type {
  CapacityBasis,
  OccupancyResponse,
  OccupancyKind,
  OccupancyQuery,
  OccupancySource,
  TargetShare,
  ZoneOccupancy,
} from '#contract/curb-occupancy.ts'
import { hoursOfRange, localDay } from '#contract/period.ts'
import { listDirtyBetween, getPendingThresholds } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { curbHours, curbOccupancy, settleCurbDaysMs } from '../product-names.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { readEstimatePlan } from './calibrations.ts'
import {
  countDays,
  type DayCounts,
  occupancyDaysSql,
  type OccupancyDays,
  type OccupancyStores,
  hourSumColumns,
  type HourSumsRow,
  getHourWeights,
  getPeriodFactor,
  weigh,
} from './read-days.ts'

/** The access of a call to the curb of a region. */
export interface OccupancyReader {
  scope: Scope
  index: CurbIndex
  signal: AbortSignal
  at: Date
}

interface ZoneRow extends HourSumsRow {
  zone_id: string
  source_name: OccupancySource | ''
  basis_name: CapacityBasis | ''
  capacity_now: number
  known_days: string
  exceeds: number
}
interface WeekdayRow extends HourSumsRow {
  weekday: number
}

const hourSeconds = 3600
const allWeekdays = [1, 2, 3, 4, 5, 6, 7]
/** Rounds to 6 decimal digits. */
const roundFigure = (value: number): number => Math.round(value * 1e6) / 1e6
const computeRatio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? roundFigure(numerator / denominator) : null

/** Space-seconds of zones that are open, known and occupied. */
interface FigureSums {
  open: number
  known: number
  occupied: number
}
/** Converts sums to occupancy and coverage. `factor` scales open time to days without data. */
const toFigures = ({ open, known, occupied }: FigureSums, factor: number) => ({
  occupancy: computeRatio(occupied, known),
  coverage: computeRatio(known, open * factor),
  occupied_hours: roundFigure(occupied / hourSeconds),
  known_hours: roundFigure(known / hourSeconds),
  open_hours: roundFigure(open / hourSeconds),
})

/** Returns the ids separated by commas; null if there are none. */
const parseIds = (text: string): string[] | null => {
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)
  return ids.length ? ids : null
}

/** Selects the stored days for a query. Days after today are excluded unless the period begins later. */
async function selectDays(
  { state }: OccupancyStores,
  { scope, index, at }: OccupancyReader,
  query: OccupancyQuery,
): Promise<OccupancyDays> {
  const today = localDay(at, index.timezone)
  return {
    regionId: index.regionId,
    kind: query.kind,
    from: query.start_date,
    until: query.end_date < today || query.start_date > today ? query.end_date : today,
    weekdays: query.days,
    excludedDays: [],
    zoneIds: parseIds(query.zones),
    plan: await readEstimatePlan(state.as(scope), index.regionId, query.kind),
  }
}

/** Returns the occupied share of known time over a period, for the requested hours, days and zones. */
export async function queryOccupancy(
  stores: OccupancyStores,
  reader: OccupancyReader,
  query: OccupancyQuery,
  version: string,
): Promise<OccupancyResponse> {
  const { scope, index, signal } = reader
  const selection = await selectDays(stores, reader, query)
  const hours = hoursOfRange([query.start_time_hour, query.end_time_hour])
  const mask = Array.from({ length: 24 }, (_, hour) => (hours.includes(hour) ? 1 : 0))
  const [rows, weekdayRows, days, pendingDays] = await Promise.all([
    readZoneRows(stores.facts, reader, selection, mask),
    readWeekdayRows(stores.facts, reader, selection),
    countDays(stores, scope, selection, signal),
    countPending(stores.state, reader, query),
  ])
  const terms: FigureTerms = {
    kind: query.kind,
    mask,
    factor: getPeriodFactor(days, query.days.length ? query.days : allWeekdays),
  }
  const openRows = rows.filter((row) => weigh(row.open_sums, mask) > 0)
  const zones = describeZones(openRows, index, terms)
  return {
    kind: query.kind,
    start_date: query.start_date,
    end_date: query.end_date,
    zones: zones.toSorted(compareZones),
    total: {
      ...toFigures(addSums(openRows.map((row) => weighSums(row, mask))), terms.factor),
      interval: getInterval(openRows, terms),
    },
    calendar: toCalendar(weekdayRows, hours, days),
    targets: countByTarget(rows, query),
    unknown_zones: zones.filter(({ known_hours: known }) => known === 0).length,
    pending_days: pendingDays,
    v: version,
  }
}

/** Reads the sums of each zone. `mask` has 1 for the requested hours of the day and 0 for the others. */
const readZoneRows = (
  facts: Facts,
  { scope, signal }: OccupancyReader,
  selection: OccupancyDays,
  mask: readonly number[],
): Promise<ZoneRow[]> =>
  facts.rows<ZoneRow>(
    scope,
    sql`
    with selected_days as (${occupancyDaysSql(selection)})
    select
      toString(zone_id) as zone_id,
      ${hourSumColumns},
      argMaxIf(toString(source), day, source != '') as source_name,
      argMax(toString(basis), day) as basis_name,
      argMax(capacity, day) as capacity_now,
      toString(
        countIf(arraySum((seconds, hour) -> seconds * hour, known, ${bind('Array(UInt8)', mask)}) > 0)
      ) as known_days,
      -- whether more spaces were occupied than known in one of the hours
      max(
        arrayExists(
          (taken, seconds, hour) -> hour = 1 and taken > seconds,
          occupied,
          known,
          ${bind('Array(UInt8)', mask)}
        )
      ) as exceeds
    from selected_days
    group by zone_id`,
    { signal, limits: { seconds: 60 } },
  )

/** Reads the sums of all zones on each weekday. */
const readWeekdayRows = (
  facts: Facts,
  { scope, signal }: OccupancyReader,
  selection: OccupancyDays,
): Promise<WeekdayRow[]> =>
  facts.rows<WeekdayRow>(
    scope,
    sql`
    with selected_days as (${occupancyDaysSql(selection)})
    select
      weekday,
      ${hourSumColumns}
    from selected_days
    group by weekday
    order by weekday`,
    { signal, limits: { seconds: 60 } },
  )

const weighSums = (row: HourSumsRow, weights: readonly number[]): FigureSums => ({
  open: weigh(row.open_sums, weights),
  known: weigh(row.known_sums, weights),
  occupied: weigh(row.occupied_sums, weights),
})

const addSums = (items: readonly FigureSums[]): FigureSums => {
  const addUp = (name: keyof FigureSums): number => items.reduce((sum, item) => sum + item[name], 0)
  return { open: addUp('open'), known: addUp('known'), occupied: addUp('occupied') }
}

/** How figures are computed from sums of hours. */
interface FigureTerms {
  kind: OccupancyKind
  /** 1 for the requested hours of the day, 0 for the others. */
  mask: readonly number[]
  /** Scales open time to days without data (see `getPeriodFactor`). */
  factor: number
}

/** Returns the interval of estimates; null for other kinds. */
function getInterval(rows: readonly HourSumsRow[], { kind, mask }: FigureTerms): [number, number] | null {
  const addUp = (name: 'low_sums' | 'high_sums' | 'known_sums'): number =>
    rows.reduce((sum, row) => sum + weigh(row[name], mask), 0)
  const known = addUp('known_sums')
  return kind === 'estimated' && known > 0
    ? [roundFigure(addUp('low_sums') / known), roundFigure(addUp('high_sums') / known)]
    : null
}

function describeZones(rows: readonly ZoneRow[], index: CurbIndex, terms: FigureTerms): ZoneOccupancy[] {
  const zonesById = new Map(index.zones.map((zone) => [zone.id, zone]))
  return rows.map((row) => {
    const zone = zonesById.get(row.zone_id)
    return {
      curb_zone_id: row.zone_id,
      name: zone?.label ?? row.zone_id,
      street_name: zone?.streetName ?? '',
      street_side: zone?.side ?? null,
      capacity: row.capacity_now > 0 ? row.capacity_now : null,
      capacity_basis: row.basis_name || null,
      days: Number(row.known_days),
      source: row.source_name || null,
      is_over: row.exceeds === 1,
      interval: getInterval([row], terms),
      hours: row.known_sums.map((known, hour) =>
        terms.mask[hour] ? computeRatio(row.occupied_sums[hour] ?? 0, known) : null,
      ),
      ...toFigures(weighSums(row, terms.mask), terms.factor),
    }
  })
}

const compareZones = (a: ZoneOccupancy, b: ZoneOccupancy): number =>
  a.street_name.localeCompare(b.street_name, 'en', { numeric: true }) ||
  a.name.localeCompare(b.name, 'en', { numeric: true }) ||
  (a.curb_zone_id < b.curb_zone_id ? -1 : 1)

/** Returns the figures by weekday and hour, for hours with open time. */
const toCalendar = (
  rows: readonly WeekdayRow[],
  hours: readonly number[],
  days: DayCounts,
): OccupancyResponse['calendar'] =>
  rows.flatMap((row) =>
    hours.flatMap((hour) => {
      const open = row.open_sums[hour] ?? 0
      if (open <= 0) return []
      const sums = { open, known: row.known_sums[hour] ?? 0, occupied: row.occupied_sums[hour] ?? 0 }
      const factor = getPeriodFactor(days, [row.weekday])
      return [{ weekday: row.weekday, hour, ...toFigures(sums, factor) }]
    }),
  )

/** Counts zones under, within and over the target, by band. Zones without open time in it are left out. */
function countByTarget(
  rows: readonly HourSumsRow[],
  { bands, target_low: low, target_high: high }: Pick<OccupancyQuery, 'bands' | 'target_low' | 'target_high'>,
): TargetShare[] {
  return bands.map(({ key, from, until }) => {
    const weights = getHourWeights(from, until)
    const share: TargetShare = { band: key, from, until, under: 0, within: 0, over: 0, unknown: 0 }
    for (const row of rows) {
      if (weigh(row.open_sums, weights) <= 0) continue
      const occupancy = computeRatio(weigh(row.occupied_sums, weights), weigh(row.known_sums, weights))
      if (occupancy === null) share.unknown++
      else if (occupancy < low) share.under++
      else if (occupancy < high) share.within++
      else share.over++
    }
    return share
  })
}

/** Counts the days of a period that were never derived or are waiting to be derived again. */
async function countPending(
  state: State,
  { scope, index: { regionId }, at }: OccupancyReader,
  { start_date: first, end_date: last }: Pick<OccupancyQuery, 'start_date' | 'end_date'>,
): Promise<number> {
  const dirtyDays = await Promise.all(
    [curbHours, curbOccupancy].map((product) =>
      listDirtyBetween(
        state,
        scope,
        { product, regionId, parts: [''] },
        { first, last, due: getPendingThresholds(settleCurbDaysMs, at.getTime()) },
      ),
    ),
  )
  return new Set(dirtyDays.flat()).size
}
