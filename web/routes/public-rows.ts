import type { Box } from '#contract/place.ts'
import type { PublicRouteVolumes } from '#contract/routes.ts'

/** One street segment of the public map. */
export interface PublicRow {
  id: string
  street: string
  trips: number
  box: Box
}

/** The segments of a public answer. */
export const publicRows = ({ segment_ids, trips, street, boxes, streets }: PublicRouteVolumes): PublicRow[] =>
  segment_ids.map((id, at) => ({ id, street: streets[street[at]!]!, trips: trips[at]!, box: boxes[at]! }))
