import type { Box } from '#contract/place.ts'
import { type RouteVolumes, countTripsToward } from '#contract/routes.ts'
import type { ShownDirection } from './routes-search.ts'

/** One street segment as the map and its table show it. */
export interface RouteRow {
  id: string
  street: string
  class: string
  lengthM: number
  /** Degrees from north, of `forward`. */
  heading: number
  forward: number
  backward: number
  /** Trips of the direction that is shown. */
  trips: number
  box: Box
}

/** The segments of an answer that have trips in the shown direction. */
export function routeRows(volumes: RouteVolumes, direction: ShownDirection): RouteRow[] {
  return volumes.segment_ids.flatMap((id, at): RouteRow[] => {
    const street = volumes.streets[volumes.street[at]!]!
    const row = {
      id,
      street: street.name,
      class: street.class,
      lengthM: volumes.length_m[at]!,
      heading: volumes.heading[at]!,
      forward: volumes.forward[at]!,
      backward: volumes.backward[at]!,
      box: volumes.boxes[at]!,
    }
    const trips = countTripsToward(direction, row)
    return trips > 0 ? [{ ...row, trips }] : []
  })
}
