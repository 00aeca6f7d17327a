import { colorsParam } from '#web/filters/color-field.tsx'
import { orderPeriod } from '#web/filters/period.ts'
import { readVehicleType, tripFilterParams } from '#web/filters/trip-filters.ts'
import {
  enumParam,
  flag,
  matching,
  type SearchOf,
  searchParams,
  tableParams,
  view,
} from '#web/shell/search-params.ts'

/** Directions to choose from. The API has two more, which depend on how a segment is digitized. */
export const shownDirections = ['both', 'north', 'east', 'south', 'west'] as const
export type ShownDirection = (typeof shownDirections)[number]

/** Id of a street segment. */
const segment = matching(/^\d{1,16}$/)

/** URL parameters of the routes map. */
export const routesSearch = searchParams(
  {
    route: segment,
    ...tripFilterParams,
    direction: enumParam(shownDirections, 'both'),
    colors: colorsParam,
    results: flag,
    ...tableParams,
    view,
  },
  orderPeriod,
  readVehicleType,
)
export type RoutesSearch = SearchOf<typeof routesSearch>

/** URL parameters of the public routes map; the default month (YYYY-MM) is the newest. */
export const publicRoutesSearch = searchParams({
  month: matching(/^\d{4}-(0[1-9]|1[0-2])$/),
  route: segment,
  results: flag,
  ...tableParams,
  view,
})
