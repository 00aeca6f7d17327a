import type { Here } from '#web/map/layers/fleet-points.ts'
import type { FleetColumns } from '#web/mobility/live/fleet-columns.ts'

const radius = 6_371_008.8
const radians = Math.PI / 180

/** Metres between two places of one city: across a few kilometres the earth is flat enough. NaN where one is not known. */
export const metresAway = (here: Pick<Here, 'lon' | 'lat'>, lon: number, lat: number): number =>
  radius * radians * Math.hypot((lon - here.lon) * Math.cos(((lat + here.lat) / 2) * radians), lat - here.lat)

/** Vehicles in the order of a list: the nearest first where it is known where the viewer is, else by their numbers. Those at no known place come last. */
export function orderVehicles(
  { lon, lat, vehicleIds }: FleetColumns,
  handles: Uint32Array,
  here: Here | null,
): Uint32Array {
  const name = (handle: number): string => vehicleIds[handle]!
  const byName = (a: number, b: number): number => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b)
  if (!here) return handles.toSorted(byName)
  const away = new Map<number, number>()
  for (const handle of handles) {
    const metres = metresAway(here, lon[handle]!, lat[handle]!)
    away.set(handle, Number.isNaN(metres) ? Number.POSITIVE_INFINITY : metres)
  }
  return handles.toSorted((a, b) =>
    away.get(a) === away.get(b) ? byName(a, b) : away.get(a)! - away.get(b)!,
  )
}
