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
const defaultTarget = { low: 60, high: 80 }

export const readOccupancySearch = searchParams(
  {
    kind: enumParam(occupancyKinds, 'measured'),
    ...periodParams,
    days: weekdays,
    hours,
    zones: listParam(matching(/^[^,]{1,200}$/)),
    /** Target in percent. */
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
export const getLastFourWeeks = (today: LocalDay): Period => ({
  start_date: dayFromNumber(dayNumber(today) - 28),
  end_date: dayFromNumber(dayNumber(today) - 1),
})

/** Returns the target in percent; the default if the lower bound is not below the upper one. */
export function getTargetRange(search: Pick<OccupancySearch, 'low' | 'high'>): { low: number; high: number } {
  const target = { low: search.low ?? defaultTarget.low, high: search.high ?? defaultTarget.high }
  return target.low < target.high ? target : defaultTarget
}

/** Returns the request for the URL. */
export function toOccupancyQuery(search: OccupancySearch, today: LocalDay) {
  const { low, high } = getTargetRange(search)
  const [from, until] = search.hours ?? [0, 24]
  return {
    kind: search.kind ?? 'measured',
    ...selectedPeriod(search, today, getLastFourWeeks),
    days: (search.days ?? []).join(','),
    start_time_hour: from,
    // The end is exclusive in the URL and inclusive in the request.
    end_time_hour: until - 1,
    zones: (search.zones ?? []).join(','),
    target_low: low / 100,
    target_high: high / 100,
  } satisfies Partial<Record<keyof OccupancyQuery, unknown>>
}
