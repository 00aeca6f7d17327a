import type { BandOccupancy, BandOccupancyQuestion } from '#contract/curb-occupancy.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { readEstimatePlan } from './calibrations.ts'
import {
  countDays,
  occupancyDaysSql,
  type OccupancyDays,
  type HourSums,
  hourSums,
  type HourSumsRow,
  hourWeights,
  getWeekdayPeriodFactor,
  toHourSums,
  weigh,
} from './read-days.ts'

interface WeekdayRow extends HourSumsRow {
  zone_id: string
  weekday: number
  capacity_sum: number
  day_count: string
  known_days: string[]
}

/** Adds two lists element by element. */
const addLists = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0))

/**
 * Occupancy of zones by time band and day type: the sum of occupied time divided by the sum of known time.
 * Days without any data count as unknown. Zones without open time in a band (paid time for the kinds `paid`
 * and `estimated`) have no row.
 */
export async function readBandOccupancy(
  { state, facts }: { state: Pick<State, 'as'>; facts: Facts },
  scope: Scope,
  query: BandOccupancyQuestion,
  signal?: AbortSignal,
): Promise<BandOccupancy[]> {
  const { regionId, zoneIds, bands, dayTypes, from, until, excludedDays, kind } = query
  const selection: OccupancyDays = {
    regionId,
    kind,
    from,
    until,
    weekdays: [...new Set(dayTypes.flatMap(({ weekdays }) => weekdays))],
    excludedDays,
    zoneIds,
    plan: await readEstimatePlan(state.as(scope), regionId, kind),
  }
  const weights = bands.map((band) => hourWeights(band.from, band.until))
  const knownInBand = weights.map(
    (each) =>
      sql`toUInt32(arraySum((seconds, part) -> seconds * part, known, ${bind('Array(Float64)', each)}) > 0)`,
  )
  const [rows, counts] = await Promise.all([
    facts.rows<WeekdayRow>(
      scope,
      sql`
      select toString(zone_id) as zone_id, weekday, ${hourSums}, sum(capacity) as capacity_sum, toString(count()) as day_count,
        arrayMap(each -> toString(each), sumForEach([${joinSql(knownInBand, ', ')}])) as known_days
      from (${occupancyDaysSql(selection)})
      group by zone_id, weekday`,
      { limits: { seconds: 60 }, ...(signal ? { signal } : {}) },
    ),
    countDays({ state, facts }, scope, selection, signal),
  ])
  const rowsByZone = new Map<string, WeekdayRow[]>()
  for (const row of rows) {
    const list = rowsByZone.get(row.zone_id)
    if (list) list.push(row)
    else rowsByZone.set(row.zone_id, [row])
  }
  return [...rowsByZone]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([zoneId, zoneRows]) =>
      dayTypes.flatMap((type) => {
        const typeRows = zoneRows.filter(({ weekday }) => type.weekdays.includes(weekday))
        if (!typeRows.length) return []
        const scaled = typeRows.map((row): HourSums => {
          // Open time is scaled up to all days of the period, so that days without data count as unknown.
          const factor = getWeekdayPeriodFactor(counts, row.weekday, type.weekdays)
          const hourSumsOfRow = toHourSums(row)
          return { ...hourSumsOfRow, open: hourSumsOfRow.open.map((seconds) => seconds * factor) }
        })
        const sums = scaled.reduce((a, b): HourSums => ({
          open: addLists(a.open, b.open),
          known: addLists(a.known, b.known),
          occupied: addLists(a.occupied, b.occupied),
          low: addLists(a.low, b.low),
          high: addLists(a.high, b.high),
        }))
        const days = typeRows.reduce((sum, row) => sum + Number(row.day_count), 0)
        const meanSpaces = typeRows.reduce((sum, row) => sum + row.capacity_sum, 0) / days
        return bands.flatMap((band, i): BandOccupancy[] => {
          const weighInBand = (values: readonly number[]): number => weigh(values, weights[i] ?? [])
          const [open, known] = [weighInBand(sums.open), weighInBand(sums.known)]
          if (open <= 0) return []
          return [
            {
              zone_id: zoneId,
              band: band.key,
              day_type: type.key,
              occupancy: known > 0 ? weighInBand(sums.occupied) / known : null,
              days: typeRows.reduce((sum, row) => sum + Number(row.known_days[i] ?? 0), 0),
              coverage: known / open,
              capacity: meanSpaces > 0 ? meanSpaces : null,
              kind,
              interval:
                kind === 'estimated' && known > 0
                  ? [weighInBand(sums.low) / known, weighInBand(sums.high) / known]
                  : null,
            },
          ]
        })
      }),
    )
}

/** Returns `readBandOccupancy` bound to its stores. */
export const createBandOccupancyReader =
  (stores: { state: Pick<State, 'as'>; facts: Facts }) =>
  (scope: Scope, query: BandOccupancyQuestion, signal?: AbortSignal): Promise<BandOccupancy[]> =>
    readBandOccupancy(stores, scope, query, signal)
