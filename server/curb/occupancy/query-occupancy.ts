import type {
  CapacityBasis,
  OccupancyAnswer,
  OccupancyKind,
  OccupancyQuery,
  OccupancySource,
  TargetShare,
  ZoneOccupancy,
} from '#contract/curb-occupancy.ts'
import { hoursOfRange, localDay } from '#contract/period.ts'
import { csvLine } from '#contract/csv.ts'
import { listDirtyBetween, pendingThresholds } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import { curbHours, curbOccupancy, settleCurbDaysMs } from '../product-names.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { readEstimatePlan } from './calibrations.ts'
import {
  countDays,
  occupancyDaysSql,
  type OccupancyDays,
  hourSums,
  type HourSumsRow,
  hourWeights,
  getPeriodFactor,
  weigh,
} from './read-days.ts'

export interface OccupancyStores {
  state: State
  facts: Facts
}
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
  row_days: string
  exceeds: number
}
interface CalendarRow extends HourSumsRow {
  weekday: number
}

const hourSeconds = 3600
/** Rounds to 6 decimal digits. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6
const ratio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? round(numerator / denominator) : null

/** Space-seconds. */
interface FigureSums {
  open: number
  known: number
  occupied: number
}
/** Occupancy and coverage of sums. `factor` scales open time to days without data (see `getPeriodFactor`). */
const toFigures = ({ open, known, occupied }: FigureSums, factor: number) => ({
  occupancy: ratio(occupied, known),
  coverage: ratio(known, open * factor),
  occupied_hours: round(occupied / hourSeconds),
  known_hours: round(known / hourSeconds),
  open_hours: round(open / hourSeconds),
})

/** Ids separated by commas; null if there are none. */
const parseIds = (text: string): string[] | null => {
  const ids = text.split(',').flatMap((each) => (each.trim() ? [each.trim()] : []))
  return ids.length ? ids : null
}

/** The stored days for a query; days after today are left out unless the period begins after today. */
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

/**
 * Occupancy of zones over a period: the sum of occupied time divided by the sum of known time, for the
 * requested hours, days and zones.
 */
export async function queryOccupancy(
  stores: OccupancyStores,
  reader: OccupancyReader,
  query: OccupancyQuery,
  version: string,
): Promise<OccupancyAnswer> {
  const { state, facts } = stores
  const { scope, index, signal } = reader
  const selection = await selectDays(stores, reader, query)
  const hours = hoursOfRange([query.start_time_hour, query.end_time_hour])
  const mask = Array.from({ length: 24 }, (_, hour) => (hours.includes(hour) ? 1 : 0))
  const [zones, calendar, days, pending] = await Promise.all([
    facts.rows<ZoneRow>(
      scope,
      sql`
      select toString(zone_id) as zone_id, ${hourSums}, argMaxIf(toString(source), day, source != '') as source_name, argMax(toString(basis), day) as basis_name,
        argMax(capacity, day) as capacity_now, toString(count()) as row_days,
        toString(countIf(arraySum((seconds, hour) -> seconds * hour, known, ${bind('Array(UInt8)', mask)}) > 0)) as known_days,
        max(arrayExists((taken, seconds, hour) -> hour = 1 and taken > seconds, occupied, known, ${bind('Array(UInt8)', mask)})) as exceeds
      from (${occupancyDaysSql(selection)})
      group by zone_id`,
      { signal, limits: { seconds: 60 } },
    ),
    facts.rows<CalendarRow>(
      scope,
      sql`select weekday, ${hourSums} from (${occupancyDaysSql(selection)}) group by weekday order by weekday`,
      { signal, limits: { seconds: 60 } },
    ),
    countDays(stores, scope, selection, signal),
    countPending(state, scope, index.regionId, query, reader.at),
  ])
  const weekdays = query.days.length ? query.days : [1, 2, 3, 4, 5, 6, 7]
  const factor = getPeriodFactor(days, weekdays)
  const weighSums = (row: HourSumsRow, weights: readonly number[]) => ({
    open: weigh(row.open_sums, weights),
    known: weigh(row.known_sums, weights),
    occupied: weigh(row.occupied_sums, weights),
  })
  const getInterval = (rows: readonly HourSumsRow[]): [number, number] | null => {
    const total = (name: 'low_sums' | 'high_sums' | 'known_sums'): number =>
      rows.reduce((sum, row) => sum + weigh(row[name], mask), 0)
    const known = total('known_sums')
    return query.kind === 'estimated' && known > 0
      ? [round(total('low_sums') / known), round(total('high_sums') / known)]
      : null
  }
  const openZones = zones.filter((row) => weigh(row.open_sums, mask) > 0)
  const zonesById = new Map(index.zones.map((zone) => [zone.id, zone]))
  const items = openZones.map((row): ZoneOccupancy => {
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
      interval: getInterval([row]),
      hours: row.known_sums.map((known, hour) =>
        mask[hour] ? ratio(row.occupied_sums[hour] ?? 0, known) : null,
      ),
      ...toFigures(weighSums(row, mask), factor),
    }
  })
  const sums = openZones.map((row) => weighSums(row, mask))
  const sum = (name: keyof FigureSums): number => sums.reduce((total, each) => total + each[name], 0)
  return {
    kind: query.kind,
    start_date: query.start_date,
    end_date: query.end_date,
    zones: items.toSorted(
      (a, b) =>
        a.street_name.localeCompare(b.street_name, 'en', { numeric: true }) ||
        a.name.localeCompare(b.name, 'en', { numeric: true }) ||
        (a.curb_zone_id < b.curb_zone_id ? -1 : 1),
    ),
    total: {
      ...toFigures({ open: sum('open'), known: sum('known'), occupied: sum('occupied') }, factor),
      interval: getInterval(openZones),
    },
    calendar: calendar.flatMap((row) =>
      hours.flatMap((hour) => {
        const open = row.open_sums[hour] ?? 0
        const weekdayFactor = getPeriodFactor(days, [row.weekday])
        const cell = { open, known: row.known_sums[hour] ?? 0, occupied: row.occupied_sums[hour] ?? 0 }
        return open > 0 ? [{ weekday: row.weekday, hour, ...toFigures(cell, weekdayFactor) }] : []
      }),
    ),
    targets: countByTarget(zones, query),
    unknown_zones: items.filter(({ known_hours: known }) => known === 0).length,
    pending_days: pending,
    v: version,
  }
}

/**
 * Numbers of zones under, within and over the target, by band. Zones without open time in a band are left
 * out.
 */
function countByTarget(
  zones: readonly HourSumsRow[],
  { bands, target_low: low, target_high: high }: Pick<OccupancyQuery, 'bands' | 'target_low' | 'target_high'>,
): TargetShare[] {
  return bands.map(({ key, from, until }) => {
    const weights = hourWeights(from, until)
    const share: TargetShare = { band: key, from, until, under: 0, within: 0, over: 0, unknown: 0 }
    for (const row of zones) {
      if (weigh(row.open_sums, weights) <= 0) continue
      const occupancy = ratio(weigh(row.occupied_sums, weights), weigh(row.known_sums, weights))
      if (occupancy === null) share.unknown++
      else if (occupancy < low) share.under++
      else if (occupancy < high) share.within++
      else share.over++
    }
    return share
  })
}

/** Number of days in a period that were never derived or are waiting to be derived again. */
async function countPending(
  state: State,
  scope: Scope,
  regionId: string,
  { start_date: first, end_date: last }: Pick<OccupancyQuery, 'start_date' | 'end_date'>,
  at: Date,
): Promise<number> {
  const dirtyDays = await Promise.all(
    [curbHours, curbOccupancy].map((product) =>
      listDirtyBetween(
        state,
        scope,
        { product, regionId, parts: [''] },
        { first, last, due: pendingThresholds(settleCurbDaysMs, at.getTime()) },
      ),
    ),
  )
  return new Set(dirtyDays.flat()).size
}

/** A version that changes with everything that results depend on: the curb, derived days and calibrations. */
export async function occupancyVersion(store: Store, { regionId, version }: CurbIndex): Promise<string> {
  const [derived, calibrated] = await Promise.all([
    store
      .selectFrom('derived_span')
      .select(({ fn }) => fn.sum<string>('done').as('sum'))
      .where('product', '=', curbOccupancy)
      .where('region_id', '=', regionId)
      .executeTakeFirst(),
    store
      .selectFrom('curb_calibration')
      .select(['calibration_id', 'valid_from', 'valid_until'])
      .where('region_id', '=', regionId)
      .orderBy('calibration_id')
      .execute(),
  ])
  const text = calibrated.map((row) => `${row.calibration_id}${row.valid_from}${row.valid_until}`).join()
  // A plain 32-bit string hash (Java's): the version is part of URLs, so it must be short.
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return `${version}-${derived?.sum ?? 0}-${hash >>> 0}`
}

/** The kinds of occupancy of a region, with their sources and days. */
export async function readDataTypes(
  { state, facts }: OccupancyStores,
  { scope, index, signal }: OccupancyReader,
) {
  const rows = await facts.rows<{
    kind: OccupancyKind
    sources: OccupancySource[]
    zones: string
    first: string
    last: string
  }>(
    scope,
    sql`
    select kind, arraySort(groupUniqArray(toString(source))) as sources, toString(uniqExact(zone_id)) as zones, toString(min(day)) as first, toString(max(day)) as last
    from ${latest('curb_occupancy_days')}
    where region_id = ${bind('String', index.regionId)} and source != ''
    group by kind
    order by kind`,
    { signal },
  )
  const stored = rows.map(({ kind, sources, zones, first, last }) => ({
    kind,
    sources,
    zones: Number(zones),
    first_day: first as string | null,
    last_day: last as string | null,
  }))
  const { spans } = await readEstimatePlan(state.as(scope), index.regionId, 'estimated')
  const paid = stored.find(({ kind }) => kind === 'paid')
  return { items: paid && spans.length ? [...stored, { ...paid, kind: 'estimated' as const }] : stored }
}

/** Occupancy by zone and hour of the day as CSV. */
export function occupancyCsv({ kind, start_date, end_date, zones }: OccupancyAnswer): string {
  const header = [
    'curb_zone_id',
    'street_name',
    'street_side',
    'name',
    'kind',
    'source',
    'first_day',
    'last_day',
    'days',
    'capacity',
    'capacity_basis',
    'coverage',
    'occupancy',
    'occupied_space_hours',
    'known_space_hours',
    ...Array.from({ length: 24 }, (_, hour) => `occupancy_${String(hour).padStart(2, '0')}`),
  ]
  const toText = (value: number | string | null): string => String(value ?? '')
  return [
    header,
    ...zones.map((zone) => [
      zone.curb_zone_id,
      zone.street_name,
      toText(zone.street_side),
      zone.name,
      kind,
      toText(zone.source),
      start_date,
      end_date,
      toText(zone.days),
      toText(zone.capacity),
      toText(zone.capacity_basis),
      toText(zone.coverage),
      toText(zone.occupancy),
      toText(zone.occupied_hours),
      toText(zone.known_hours),
      ...zone.hours.map(toText),
    ]),
  ]
    .map(
      (row) => `${csvLine(row)}
`,
    )
    .join('')
}
