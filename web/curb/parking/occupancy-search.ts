import { occupancyKinds, type OccupancyQuery } from '#contract/curb-occupancy.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import { selectedPeriod, orderPeriod, type Period, periodParams } from '#web/filters/period.ts'
import {
  enumParam,
  hours,
  integer,
  listParam,
  matching,
  type SearchOf,
  searchParams,
  tableParams,
  weekdays,
} from '#web/shell/search-params.ts'

/** Default target in percent: 60 to 80, as in San Francisco (Transportation Code, section 402). */
const [defaultLow, defaultHigh] = [60, 80]

export const readOccupancySearch = searchParams(
  {
    kind: enumParam(occupancyKinds, 'measured'),
    ...periodParams,
    days: weekdays,
    hours,
    zones: listParam(matching(/^[^,]{1,200}$/)),
    low: integer(1, 199),
    high: integer(1, 200),
    /** The hour shown on the map. */
    hour: integer(0, 23),
    zone: matching(/^.{1,200}$/),
    ...tableParams,
  },
  orderPeriod,
)
export type OccupancySearch = SearchOf<typeof readOccupancySearch>

/** Returns the last four weeks, so that every weekday occurs equally often. */
export const lastFourWeeks = (today: LocalDay): Period => ({
  start_date: dayFromNumber(dayNumber(today) - 28),
  end_date: dayFromNumber(dayNumber(today) - 1),
})

/** Returns the target in percent, lower bound first. */
export function targetRange({
  low = defaultLow,
  high = defaultHigh,
}: Pick<OccupancySearch, 'low' | 'high'>): { low: number; high: number } {
  return low < high ? { low, high } : { low: defaultLow, high: defaultHigh }
}

/** Returns the question of the URL. */
export function occupancyQuery(search: OccupancySearch, today: LocalDay) {
  const { low, high } = targetRange(search)
  const [from, until] = search.hours ?? [0, 24]
  return {
    kind: search.kind ?? 'measured',
    ...selectedPeriod(search, today, lastFourWeeks),
    days: (search.days ?? []).join(','),
    start_time_hour: from,
    end_time_hour: until - 1,
    zones: (search.zones ?? []).join(','),
    target_low: low / 100,
    target_high: high / 100,
  } satisfies Partial<Record<keyof OccupancyQuery, unknown>>
}
