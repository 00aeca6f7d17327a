import { randomUUID } from 'node:crypto'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

export interface MadeZone {
  zoneId: string
  name: string
  capacity: number
}

/** Stores zones along a street with these capacities, in force since 2020, and an area with all but the last. */
export async function makeZones(
  state: Pick<State, 'as'>,
  regionId: string,
  { lon, lat, capacities }: { lon: number; lat: number; capacities: readonly number[] },
): Promise<{ zones: MadeZone[]; areaId: string }> {
  const store = state.as(systemScope)
  const [inventoryId, areaId] = [randomUUID(), randomUUID()]
  const start = new Date('2020-01-01T00:00:00Z')
  await store
    .insertInto('curb_inventory')
    .values({
      inventory_id: inventoryId,
      region_id: regionId,
      name: 'Made',
      kind: 'drawn',
      created_time: start,
    })
    .execute()
  const zones = capacities.map((capacity, index) => ({
    zoneId: randomUUID(),
    name: `Zone ${index + 1}`,
    capacity,
  }))
  const times = { start_time: start, published_time: start, updated_time: start }
  for (const [index, { zoneId, name, capacity }] of zones.entries()) {
    const west = lon + index * 0.001
    const line = [
      [west, lat],
      [west + 0.0008, lat],
    ]
    await store
      .insertInto('curb_zone')
      .values({
        region_id: regionId,
        curb_zone_id: zoneId,
        source_id: zoneId,
        shape_uuid: randomUUID(),
        inventory_id: inventoryId,
        street_name: 'Main St',
        street_side: 'N',
        geometry: JSON.stringify({ type: 'LineString', coordinates: line }),
        west,
        south: lat,
        east: west + 0.0008,
        north: lat,
        length_cm: 6700,
        record: JSON.stringify({ name }),
        ...times,
      })
      .execute()
    await store
      .insertInto('curb_capacity')
      .values({ region_id: regionId, curb_zone_id: zoneId, start_time: start, capacity, basis: 'marked' })
      .execute()
  }
  await store
    .insertInto('curb_place')
    .values({
      region_id: regionId,
      kind: 'area',
      place_id: areaId,
      inventory_id: inventoryId,
      geometry: JSON.stringify({ type: 'Point', coordinates: [lon, lat] }),
      record: JSON.stringify({
        name: 'Downtown',
        curb_zone_ids: zones.slice(0, -1).map(({ zoneId }) => zoneId),
      }),
      ...times,
    })
    .execute()
  return { zones, areaId }
}
