import type { Box } from '#contract/place.ts'
import { type RouteVolumes, countTripsToward } from '#contract/routes.ts'
import type { ShownDirection } from './routes-search.ts'

/** One street segment as the map and its table show it. */
export interface RouteRow {
  id: string
  street: string
  class: string
  lengthM: number
  /** Compass heading of `forward`, in degrees. */
  heading: number
  forward: number
  backward: number
  /** Trips in the displayed direction. */
  trips: number
  box: Box
}

/** Returns the segments of a response that have trips in the displayed direction. */
export function toRouteRows(volumes: RouteVolumes, direction: ShownDirection): RouteRow[] {
  return volumes.segment_ids.flatMap((id, index): RouteRow[] => {
    const street = volumes.streets[volumes.street[index]!]!
    const row = {
      id,
      street: street.name,
      class: street.class,
      lengthM: volumes.length_m[index]!,
      heading: volumes.heading[index]!,
      forward: volumes.forward[index]!,
      backward: volumes.backward[index]!,
      box: volumes.boxes[index]!,
    }
    const trips = countTripsToward(direction, row)
    return trips > 0 ? [{ ...row, trips }] : []
  })
}
