import type { OccupancySource } from '#contract/curb-occupancy.ts'
import type { Store } from '#server/stores/state.ts'
import type { CapacityStep } from '../zone-sums.ts'

export interface PublishedPlaces {
  /** Ids of published imports of counts, newest first. */
  importIds: string[]
  sources: OccupancySource[]
  /** Returns the zones of a place, with the share of the place that belongs to each. */
  zonesOfPlace: (importId: string, place: string) => readonly { zoneId: string; weight: number }[]
}

/** Reads the published imports of counts and the zones of their places. */
export async function readPublishedPlaces(
  store: Store,
  regionId: string,
  capacities: ReadonlyMap<string, readonly CapacityStep[]>,
): Promise<PublishedPlaces> {
  const imports = await store
    .selectFrom('curb_count_import')
    .select(['import_id', 'report'])
    .where('region_id', '=', regionId)
    .where('status', '=', 'published')
    .orderBy('published_time', 'desc')
    .execute()
  const importIds = imports.map((row) => row.import_id)
  const places = importIds.length
    ? await store
        .selectFrom('curb_count_place')
        .select(['import_id', 'place', 'zone_ids'])
        .where('region_id', '=', regionId)
        .where('import_id', 'in', importIds)
        .execute()
    : []
  const zonesByPlace = new Map(
    places.map((row) => [
      `${row.import_id} ${row.place}`,
      weighZones(row.zone_ids as readonly string[], capacities),
    ]),
  )
  return {
    importIds,
    sources: [
      ...new Set(imports.flatMap((row) => (row.report as { sources?: OccupancySource[] }).sources ?? [])),
    ],
    zonesOfPlace: (importId, place) => zonesByPlace.get(`${importId} ${place}`) ?? [],
  }
}

/** Returns the share of each zone in a place: by current spaces, or equal ones if any is unknown. */
export function weighZones(
  zoneIds: readonly string[],
  capacities: ReadonlyMap<string, readonly CapacityStep[]>,
): { zoneId: string; weight: number }[] {
  const spaces = zoneIds.map((id) => capacities.get(id)?.at(-1)?.spaces ?? 0)
  const totalSpaces = spaces.reduce((sum, count) => sum + count, 0)
  const areKnown = spaces.every((count) => count > 0)
  return zoneIds.map((zoneId, index) => ({
    zoneId,
    weight: areKnown ? spaces[index]! / totalSpaces : 1 / zoneIds.length,
  }))
}
