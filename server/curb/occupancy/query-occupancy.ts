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
import { curbHours, curbOccupancy, settleCurbDaysMs } from '../sessions/open-curb-sessions.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { readEstimatePlan } from './calibrations.ts'
import {
  countDays,
  daysOf,
  type OccupancyDays,
  hourSums,
  type HourSumsRow,
  hourWeights,
  missingDays,
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
const round = (value: number): number => Math.round(value * 1e6) / 1e6
const ratio = (above: number, below: number): number | null => (below > 0 ? round(above / below) : null)

interface FigureSums {
  open: number
  known: number
  occupied: number
}
/** `missing`: days of the period by days with data, at least 1. */
const figure = ({ open, known, occupied }: FigureSums, missing: number) => ({
  occupancy: ratio(occupied, known),
  coverage: ratio(known, open * missing),
  occupied_hours: round(occupied / hourSeconds),
  known_hours: round(known / hourSeconds),
  open_hours: round(open / hourSeconds),
})

const idsIn = (text: string): string[] | null => {
  const ids = text.split(',').flatMap((each) => (each.trim() ? [each.trim()] : []))
  return ids.length ? ids : null
}

async function selectDays(
  { state }: OccupancyStores,
  { scope, index, at }: OccupancyReader,
  query: OccupancyQuery,
): Promise<OccupancyDays> {
  const today = localDay(at, index.zone)
  return {
    regionId: index.regionId,
    kind: query.kind,
    from: query.start_date,
    until: query.end_date < today || query.start_date > today ? query.end_date : today,
    weekdays: query.days,
    excludedDays: [],
    zoneIds: idsIn(query.zones),
    plan: await readEstimatePlan(state.as(scope), index.regionId, query.kind),
  }
}

/** Occupancy of zones over a period: sums of occupied by sums of known time, over any hours, days and zones. */
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
      from (${daysOf(selection)})
      group by zone_id`,
      { signal, limits: { seconds: 60 } },
    ),
    facts.rows<CalendarRow>(
      scope,
      sql`select weekday, ${hourSums} from (${daysOf(selection)}) group by weekday order by weekday`,
      { signal, limits: { seconds: 60 } },
    ),
    countDays(stores, scope, selection, signal),
    countPending(state, scope, index.regionId, query, reader.at),
  ])
  const weekdays = query.days.length ? query.days : [1, 2, 3, 4, 5, 6, 7]
  const missing = missingDays(days, weekdays)
  const sumsIn = (row: HourSumsRow, weights: readonly number[]) => ({
    open: weigh(row.open_sums, weights),
    known: weigh(row.known_sums, weights),
    occupied: weigh(row.occupied_sums, weights),
  })
  const intervalOf = (rows: readonly HourSumsRow[]): [number, number] | null => {
    const total = (name: 'low_sums' | 'high_sums' | 'known_sums'): number =>
      rows.reduce((sum, row) => sum + weigh(row[name], mask), 0)
    const known = total('known_sums')
    return query.kind === 'estimated' && known > 0
      ? [round(total('low_sums') / known), round(total('high_sums') / known)]
      : null
  }
  const shown = zones.filter((row) => weigh(row.open_sums, mask) > 0)
  const places = new Map(index.zones.map((zone) => [zone.id, zone]))
  const items = shown.map((row): ZoneOccupancy => {
    const zone = places.get(row.zone_id)
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
      interval: intervalOf([row]),
      hours: row.known_sums.map((known, hour) =>
        mask[hour] ? ratio(row.occupied_sums[hour] ?? 0, known) : null,
      ),
      ...figure(sumsIn(row, mask), missing),
    }
  })
  const sums = shown.map((row) => sumsIn(row, mask))
  const add = (name: keyof FigureSums): number => sums.reduce((sum, each) => sum + each[name], 0)
  return {
    kind: query.kind,
    start_date: query.start_date,
    end_date: query.end_date,
    zones: items.toSorted(
      (one, other) =>
        one.street_name.localeCompare(other.street_name, 'en', { numeric: true }) ||
        one.name.localeCompare(other.name, 'en', { numeric: true }) ||
        (one.curb_zone_id < other.curb_zone_id ? -1 : 1),
    ),
    total: {
      ...figure({ open: add('open'), known: add('known'), occupied: add('occupied') }, missing),
      interval: intervalOf(shown),
    },
    calendar: calendar.flatMap((row) =>
      hours.flatMap((hour) => {
        const open = row.open_sums[hour] ?? 0
        const share = missingDays(days, [row.weekday])
        const cell = { open, known: row.known_sums[hour] ?? 0, occupied: row.occupied_sums[hour] ?? 0 }
        return open > 0 ? [{ weekday: row.weekday, hour, ...figure(cell, share) }] : []
      }),
    ),
    targets: targetsOf(zones, query),
    unknown_zones: items.filter(({ known_hours: known }) => known === 0).length,
    pending_days: pending,
    v: version,
  }
}

/** Zones under, within and over the target in each band; zones without open time in a band are left out. */
function targetsOf(
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

/** Days of a period that were never derived, or that are being derived again. */
async function countPending(
  state: State,
  scope: Scope,
  regionId: string,
  { start_date: first, end_date: last }: Pick<OccupancyQuery, 'start_date' | 'end_date'>,
  at: Date,
): Promise<number> {
  const lists = await Promise.all(
    [curbHours, curbOccupancy].map((product) =>
      listDirtyBetween(
        state,
        scope,
        { product, regionId, parts: [''] },
        first,
        last,
        pendingThresholds(settleCurbDaysMs, at.getTime()),
      ),
    ),
  )
  return new Set(lists.flat()).size
}

/** What answers depend on: derived days, calibrations and the curb. */
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
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return `${version}-${derived?.sum ?? 0}-${hash >>> 0}`
}

/** Kinds that a region has, with their sources and days. */
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
  const text = (value: number | string | null): string => String(value ?? '')
  return [
    header,
    ...zones.map((zone) => [
      zone.curb_zone_id,
      zone.street_name,
      text(zone.street_side),
      zone.name,
      kind,
      text(zone.source),
      start_date,
      end_date,
      text(zone.days),
      text(zone.capacity),
      text(zone.capacity_basis),
      text(zone.coverage),
      text(zone.occupancy),
      text(zone.occupied_hours),
      text(zone.known_hours),
      ...zone.hours.map(text),
    ]),
  ]
    .map(
      (row) => `${csvLine(row)}
`,
    )
    .join('')
}
