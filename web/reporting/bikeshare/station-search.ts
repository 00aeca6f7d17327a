import { stationDefaults, type StationRow } from '#contract/bikeshare.ts'
import type { LocalDay } from '#contract/period.ts'
import { selectedPeriod } from '#web/filters/period.ts'
import { matching, searchParams, type SearchOf, text } from '#web/shell/search-params.ts'
import { readReportSearch, reportPeriod } from '../report-search.ts'

/** Reads text that matches a pattern and is not the default, which is omitted from the URL. */
const matchingUnless = (pattern: RegExp, defaultValue: string) => (value: unknown) => {
  const read = matching(pattern)(value)
  return read === defaultValue ? undefined : read
}
const clockPattern = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/

const readStationParams = searchParams({
  window_from: matchingUnless(clockPattern, stationDefaults.window_from),
  window_until: matchingUnless(clockPattern, stationDefaults.window_until),
  tolerance: (value) => {
    const minutes = typeof value === 'number' && Number.isInteger(value) ? value : -1
    return minutes < 0 || minutes > 1440 || minutes === stationDefaults.tolerance ? undefined : minutes
  },
  price: matching(/^\d{1,9}(\.\d{1,6})?$/),
  /** The selected station, by its `stationKey`. */
  station: text(500),
})

/** URL parameters of the station report. */
export const readStationSearch = (search: Record<string, unknown>) => ({
  ...readReportSearch(search),
  ...readStationParams(search),
})
export type StationSearch = SearchOf<typeof readStationSearch>

/** Returns the API parameters of the URL. */
export const stationQuery = (search: StationSearch, today: LocalDay) => ({
  ...selectedPeriod(search, today, reportPeriod),
  ...(search.operators?.length ? { operators: search.operators.join(',') } : {}),
  window_from: search.window_from ?? stationDefaults.window_from,
  window_until: search.window_until ?? stationDefaults.window_until,
  tolerance: search.tolerance ?? stationDefaults.tolerance,
  ...(search.price === undefined ? {} : { price_per_minute: search.price }),
})

/** Returns a key that identifies a station across systems. */
export const stationKey = ({
  operator,
  feed_id,
  station_id,
}: Pick<StationRow, 'operator' | 'feed_id' | 'station_id'>): string => `${operator}/${feed_id}/${station_id}`
