import type { TimeBucket } from '#contract/spatial.ts'
import {
  axisExtras,
  colorSchemes,
  largestBuffer,
  longestParked,
  timeBuckets,
  type MapSearch,
} from './map-search.ts'
import type { MapMode } from './modes/map-mode.ts'
import { readTripFilters } from './read-trip-filters.ts'
import {
  daysInOrder,
  flag,
  oneDay,
  oneOf,
  oneUuid,
  someOf,
  unlessDefault,
  viewOf,
  wholeUpTo,
} from './search-values.ts'

/** Reads the address bar's state of a map; never fails. What makes no sense, or the map has no field for, is as if absent. */
export function readMapSearch(mode: MapMode, search: Record<string, unknown>): MapSearch {
  const [compareStart, compareEnd] = daysInOrder(oneDay(search['compareStart']), oneDay(search['compareEnd']))
  const isCompared = compareStart !== undefined
  const by = isCompared ? undefined : oneOf(timeBuckets, search['by'])
  const found: MapSearch = {
    aggregation: unlessDefault(oneOf(mode.aggregations, search['aggregation']), mode.aggregations[0]),
    layer: oneUuid(search['layer']),
    shape: oneUuid(search['shape']),
    ...readTripFilters(search),
    buffer: wholeUpTo(largestBuffer, search['buffer']),
    parkingDurationFilter: mode.fields.includes('parkedDuration')
      ? wholeUpTo(longestParked, search['parkingDurationFilter'])
      : undefined,
    heat: oneOf(mode.heat?.places ?? [], search['heat']),
    colors: unlessDefault(oneOf(colorSchemes, search['colors']), 'tide'),
    results: flag(search['results']),
    view: viewOf(search['view']),
    by,
    at: by && bucketOf(by, search['at']),
    under: by === 'day' ? someOf(axisExtras, search['under']) : undefined,
    compareStart,
    compareEnd,
    sideBySide: isCompared ? flag(search['sideBySide']) : undefined,
    percent: isCompared ? flag(search['percent']) : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

/** An hour or a day, as buckets are called; hours may be numbers in an address. */
function bucketOf(by: TimeBucket, value: unknown): string | undefined {
  if (by === 'day') return oneDay(value)
  const hour = typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : value
  return typeof hour === 'number' && Number.isInteger(hour) && hour >= 0 && hour <= 23
    ? String(hour)
    : undefined
}
