import type { Geometry, Position } from '#contract/place.ts'
import { measureDistanceToGeometry } from '#server/geography/geometry/distance.ts'
import type { Store } from '#server/stores/state.ts'

/** A zone that replaces a retired one. */
export interface Successor {
  id: string
  geometry: Geometry
}

interface Retirement {
  regionId: string
  retiredIds: readonly string[]
  /** Zones that replace a retired one, by its id. */
  successors: ReadonlyMap<string, readonly Successor[]>
  at: Date
}

/**
 * Moves references from retired zones to their successors. Spaces and objects refer to the nearest successor,
 * drafts of regulations to all of them. Spaces of a zone without a successor end with the zone.
 */
export async function followZones(store: Store, retirement: Retirement): Promise<void> {
  if (!retirement.retiredIds.length) return
  await movePlaces(store, retirement)
  await moveDrafts(store, retirement)
}

/** Moves spaces and objects of retired zones to the nearest successor. Spaces without one end. */
async function movePlaces(store: Store, { regionId, retiredIds, successors, at }: Retirement): Promise<void> {
  const places = await store
    .selectFrom('curb_place')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('curb_zone_id', 'in', retiredIds)
    .where((eb) =>
      eb.or([
        eb('end_time', 'is', null),
        // An earlier change has already set a later end, because the zone was to end then.
        eb.and([eb('start_time', '<', at), eb('end_time', '>', at)]),
      ]),
    )
    .execute()
  for (const place of places) {
    const successor = findNearest(place.geometry as Geometry, successors.get(place.curb_zone_id ?? '') ?? [])
    if (!successor && place.kind !== 'space') continue
    await store
      .updateTable('curb_place')
      .set({ end_time: at, previous_end: null, ended_by: null })
      .where('region_id', '=', regionId)
      .where('kind', '=', place.kind)
      .where('place_id', '=', place.place_id)
      .where('start_time', '=', place.start_time)
      .execute()
    if (!successor) continue
    const record = place.record as Record<string, unknown>
    await store
      .insertInto('curb_place')
      .values({
        ...place,
        curb_zone_id: successor.id,
        geometry: JSON.stringify(place.geometry),
        record: JSON.stringify('curb_zone_id' in record ? { ...record, curb_zone_id: successor.id } : record),
        start_time: at,
        updated_time: at,
        import_id: null,
      })
      .execute()
  }
}

const getFirstPosition = (geometry: Geometry): Position => {
  let value: unknown = geometry.coordinates
  while (Array.isArray(value) && Array.isArray(value[0])) value = value[0]
  return value as Position
}

function findNearest(geometry: Geometry, candidates: readonly Successor[]): Successor | null {
  const place = getFirstPosition(geometry)
  let nearest: { successor: Successor; meters: number } | null = null
  for (const successor of candidates) {
    const meters = measureDistanceToGeometry(place, successor.geometry)
    if (!nearest || meters < nearest.meters) nearest = { successor, meters }
  }
  return nearest?.successor ?? null
}

/** Replaces retired zones by their successors in drafts of policies. */
async function moveDrafts(store: Store, { regionId, successors }: Retirement): Promise<void> {
  const drafts = await store
    .selectFrom('curb_policy')
    .select(['curb_policy_id', 'zone_ids'])
    .where('region_id', '=', regionId)
    .where('status', '=', 'saved')
    .execute()
  for (const draft of drafts) {
    const zoneIds = (draft.zone_ids as string[] | null) ?? []
    if (!zoneIds.some((zoneId) => successors.has(zoneId))) continue
    const newIds = zoneIds.flatMap((zoneId) => successors.get(zoneId)?.map(({ id }) => id) ?? zoneId)
    await store
      .updateTable('curb_policy')
      .set({ zone_ids: JSON.stringify([...new Set(newIds)].toSorted()) })
      .where('region_id', '=', regionId)
      .where('curb_policy_id', '=', draft.curb_policy_id)
      .execute()
  }
}
