import { colorSchemes } from '#web/evaluation/map-search.ts'
import { readTripFilters, type TripFilters } from '#web/evaluation/read-trip-filters.ts'
import { flag, oneOf, unlessDefault, viewOf } from '#web/evaluation/search-values.ts'

/** What can be chosen on the map; the calls know two more, which follow how a street happens to be drawn. */
export const shownDirections = ['both', 'north', 'east', 'south', 'west'] as const
export type ShownDirection = (typeof shownDirections)[number]

/** The routes map's state in the address bar. What has its default value is absent. */
export interface RoutesSearch extends TripFilters {
  /** The selected segment. */
  route?: string | undefined
  direction?: ShownDirection | undefined
  colors?: (typeof colorSchemes)[number] | undefined
  results?: true | undefined
  /** Longitude, latitude, zoom. */
  view?: [lon: number, lat: number, zoom: number] | undefined
}

const segment = /^\d{1,16}$/

/** A segment's id in the address: a number there, too. */
export const segmentOf = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && segment.test(String(value))
    ? String(value)
    : undefined

/** Reads the address bar's state; never fails: what makes no sense is as if absent. */
export function routesSearch(search: Record<string, unknown>): RoutesSearch {
  const found: RoutesSearch = {
    route: segmentOf(search['route']),
    ...readTripFilters(search),
    direction: unlessDefault(oneOf(shownDirections, search['direction']), 'both'),
    colors: unlessDefault(oneOf(colorSchemes, search['colors']), 'tide'),
    results: flag(search['results']),
    view: viewOf(search['view']),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
