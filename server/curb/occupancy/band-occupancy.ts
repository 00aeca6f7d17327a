import type { BandOccupancy, BandOccupancyQuestion } from '#contract/curb-occupancy.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { readEstimatePlan } from './calibrations.ts'
import {
  countDays,
  daysOf,
  type OccupancyDays,
  type HourSums,
  hourSums,
  type HourSumsRow,
  hourWeights,
  missingOfWeekday,
  sumsOf,
  weigh,
} from './read-days.ts'

interface WeekdayRow extends HourSumsRow {
  zone_id: string
  weekday: number
  capacity_sum: number
  day_count: string
  known_days: string[]
}

const add = (one: readonly number[], other: readonly number[]): number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, index) => (one[index] ?? 0) + (other[index] ?? 0))

/**
 * Occupancy of zones by time band and type of days: sums of occupied by sums of known time. Days without any data count as unknown.
 * Zones without open or paid time in a band have no row.
 */
export async function readBandOccupancy(
  { state, facts }: { state: Pick<State, 'as'>; facts: Facts },
  scope: Scope,
  question: BandOccupancyQuestion,
  signal?: AbortSignal,
): Promise<BandOccupancy[]> {
  const { regionId, zoneIds, bands, dayTypes, from, until, excludedDays, kind } = question
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
      from (${daysOf(selection)})
      group by zone_id, weekday`,
      { limits: { seconds: 60 }, ...(signal ? { signal } : {}) },
    ),
    countDays({ state, facts }, scope, selection, signal),
  ])
  const byZone = new Map<string, WeekdayRow[]>()
  for (const row of rows) {
    const list = byZone.get(row.zone_id)
    if (list) list.push(row)
    else byZone.set(row.zone_id, [row])
  }
  return [...byZone]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([zoneId, ofZone]) =>
      dayTypes.flatMap((type) => {
        const own = ofZone.filter(({ weekday }) => type.weekdays.includes(weekday))
        if (!own.length) return []
        const scaled = own.map((row): HourSums => {
          const missing = missingOfWeekday(counts, row.weekday, type.weekdays)
          const ofDays = sumsOf(row)
          return { ...ofDays, open: ofDays.open.map((seconds) => seconds * missing) }
        })
        const sums = scaled.reduce((one, other): HourSums => ({
          open: add(one.open, other.open),
          known: add(one.known, other.known),
          occupied: add(one.occupied, other.occupied),
          low: add(one.low, other.low),
          high: add(one.high, other.high),
        }))
        const days = own.reduce((sum, row) => sum + Number(row.day_count), 0)
        const spaces = own.reduce((sum, row) => sum + row.capacity_sum, 0) / days
        return bands.flatMap((band, at): BandOccupancy[] => {
          const weighed = (values: readonly number[]): number => weigh(values, weights[at] ?? [])
          const [open, known] = [weighed(sums.open), weighed(sums.known)]
          if (open <= 0) return []
          return [
            {
              zone_id: zoneId,
              band: band.key,
              day_type: type.key,
              occupancy: known > 0 ? weighed(sums.occupied) / known : null,
              days: own.reduce((sum, row) => sum + Number(row.known_days[at] ?? 0), 0),
              coverage: known / open,
              capacity: spaces > 0 ? spaces : null,
              kind,
              interval:
                kind === 'estimated' && known > 0
                  ? [weighed(sums.low) / known, weighed(sums.high) / known]
                  : null,
            },
          ]
        })
      }),
    )
}

/** The same with its stores, for rooms that ask in a viewer's Scope. */
export const readBandOccupancyOf =
  (stores: { state: Pick<State, 'as'>; facts: Facts }) =>
  (scope: Scope, question: BandOccupancyQuestion, signal?: AbortSignal): Promise<BandOccupancy[]> =>
    readBandOccupancy(stores, scope, question, signal)
