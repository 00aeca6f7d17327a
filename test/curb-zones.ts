import { deriveUuid } from '#server/stores/derive-uuid.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { TestApp } from './app.ts'

/** Degrees of latitude per meter, and of longitude at 41.5 degrees. */
const [latPerMeter, lonPerMeter] = [1 / 111_000, 1 / 83_000]

/** Waits until the products of curb data are derived. Products of the fleet are not affected. */
export const whenCurbIsDerived = ({ curb, derivation }: TestApp): Promise<void> =>
  derivation.idle(curb.products.map(({ name }) => name))

export interface TestZones {
  regionId: string
  center: { lat: number; lon: number }
  at: Date
  streets?: number
  perStreet?: number
}

/** Adds zones of 60 m along both sides of parallel streets. Returns their ids. */
export async function addCurbZones(
  state: State,
  { regionId, center, at, streets = 6, perStreet = 10 }: TestZones,
): Promise<string[]> {
  const store = state.as(systemScope)
  const inventory = deriveUuid('inventory', regionId)
  await store
    .insertInto('curb_inventory')
    .values({ inventory_id: inventory, region_id: regionId, name: 'Drawn', kind: 'drawn', created_time: at })
    .execute()
  const zones = Array.from({ length: streets * perStreet }, (_, index) => {
    const [street, place] = [Math.floor(index / perStreet), index % perStreet]
    const side = place % 2 === 0 ? 'N' : 'S'
    const lat = center.lat + (street * 90 + (side === 'N' ? 4 : -4)) * latPerMeter
    const west = center.lon + Math.floor(place / 2) * 80 * lonPerMeter
    const east = west + 60 * lonPerMeter
    const id = deriveUuid('curb zone', regionId, street, place)
    return {
      region_id: regionId,
      curb_zone_id: id,
      shape_uuid: deriveUuid('curb shape', id),
      inventory_id: inventory,
      source_id: id,
      street_name: `${street + 1}${['st', 'nd', 'rd'][street] ?? 'th'} Street`,
      street_side: side,
      geometry: JSON.stringify({
        type: 'LineString',
        coordinates: [
          [west, lat],
          [east, lat],
        ],
      }),
      west,
      south: lat,
      east,
      north: lat,
      length_cm: 6000,
      record: JSON.stringify({
        cross_street_start_name: `Avenue ${Math.floor(place / 2) + 1}`,
        cross_street_end_name: `Avenue ${Math.floor(place / 2) + 2}`,
        num_spaces: 9,
      }),
      start_time: at,
      published_time: at,
      updated_time: at,
    }
  })
  await store.insertInto('curb_zone').values(zones).execute()
  return zones.map(({ curb_zone_id: id }) => id)
}
