import { appendTo } from '#contract/group-by.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import type { Geometry } from '#contract/place.ts'
import type { BoundaryReading } from '#server/geography/boundary-files/boundary-content.ts'
import type { BoundaryGeometry } from '#server/geography/boundary-files/boundary-geometry.ts'
import { computeBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { repairShape } from '#server/geography/geometry/repair-shape.ts'
import { addLayer } from '#server/geography/layers/save-layer.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Store } from '#server/stores/state.ts'
import type { SourcePolicy } from './find-imports.ts'
import type { ImportedState } from './imported-state.ts'
import type { Place } from './read-geographies.ts'

interface PolicyToPlace {
  policy: SourcePolicy
  /** The state of its earlier import; null if there is none. */
  imported: ImportedState | null
}

/** The region and layer name of an import, and the geographies of its source by id. */
interface PlacedImport {
  regionId: string
  agency: string
  places: ReadonlyMap<string, Place>
  at: Date
}

/** Finds shapes of policies: of earlier imports (`shapesByPolicy`), or of a new layer of changed ones. */
export async function placePolicies(
  store: Store,
  scope: Scope,
  { regionId, agency, places, at }: PlacedImport,
  policies: readonly PolicyToPlace[],
): Promise<{ shapesByPolicy: ReadonlyMap<SourcePolicy, PlacedShapes>; newLayer: PlacedShapes | null }> {
  const shapesByPolicy = new Map<SourcePolicy, PlacedShapes>()
  const policiesOnShapes = policies.filter(({ policy }) => isOnShapes(policy))
  for (const { policy, imported } of policiesOnShapes) {
    const shapes = await findImportedShapes(store, regionId, imported, policy.digests.ground)
    if (shapes) shapesByPolicy.set(policy, shapes)
  }
  const neededIds = new Set(
    policiesOnShapes
      .filter(({ policy }) => !shapesByPolicy.has(policy))
      .flatMap(({ policy }) => listPlaceIds(policy)),
  )
  const neededPlaces = [...neededIds].flatMap((id) => places.get(id) ?? [])
  const newLayer = neededPlaces.length
    ? await storePlaces(store, scope, { regionId, agency, places: neededPlaces, at })
    : null
  return { shapesByPolicy, newLayer }
}

/** The layer and shapes that represent geographies of a feed. */
export interface PlacedShapes {
  layerId: string
  shapesByGeography: ReadonlyMap<string, string[]>
}

/** Finds the shapes of an earlier import; null if its geographies changed, or if a shape was deleted. */
async function findImportedShapes(
  store: Store,
  regionId: string,
  imported: ImportedState | null,
  ground: string,
): Promise<PlacedShapes | null> {
  if (imported?.ground !== ground) return null
  const ids = Object.values(imported.shapes).flat()
  if (!ids.length) return null
  const rows = await store
    .selectFrom('shape')
    .select(['shape_uuid', 'layer_id'])
    .where('region_id', '=', regionId)
    .where('shape_uuid', 'in', ids)
    .execute()
  const [layerId, otherLayerId] = new Set(rows.map((row) => row.layer_id))
  const isDeleted = rows.length < new Set(ids).size
  if (layerId === undefined || otherLayerId !== undefined || isDeleted) return null
  return { layerId, shapesByGeography: new Map(Object.entries(imported.shapes)) }
}

/** Converts geographies of a feed to repaired features of a layer, each with its id in the feed. */
function toBoundaryReading(agency: string, places: readonly Place[]): BoundaryReading {
  const features = places.flatMap(({ id, name, geometries }) =>
    geometries.map((raw) => {
      const { geometry } = repairShape(raw as BoundaryGeometry)
      if (!geometry) throw new Problem('validation_error', `The geography “${name}” could not be repaired.`)
      return { geometry: geometry as Geometry, properties: { id, name } }
    }),
  )
  return {
    fileName: agency,
    format: 'MDS Geography',
    features: features.map((feature, index) => ({ ...feature, position: index + 1 })),
    properties: [],
    suggestedName: 'name',
    notes: [],
    bbox: computeBounds(features.map(({ geometry }) => geometry as BoundaryGeometry)),
  }
}

/** Finds the preferred layer name, numbered if another layer of the region has it. */
async function findFreeLayerName(store: Store, regionId: string, preferred: string): Promise<string> {
  const usedNames = new Set(
    (await store.selectFrom('layer').select('name').where('region_id', '=', regionId).execute()).map(
      ({ name }) => name,
    ),
  )
  let name = preferred
  for (let number = 2; usedNames.has(name); number++) name = `${preferred} (${number})`
  return name
}

/** Stores geographies as a layer. Returns its id and the shapes of each geography. */
async function storePlaces(
  store: Store,
  scope: Scope,
  { regionId, agency, places, at }: { regionId: string; agency: string; places: readonly Place[]; at: Date },
): Promise<PlacedShapes> {
  const layerId = await addLayer(store, scope, {
    regionId,
    reading: toBoundaryReading(agency, places),
    newLayer: { layer_name: await findFreeLayerName(store, regionId, agency), name_property: 'name' },
    at,
  })
  const rows = await store
    .selectFrom('shape')
    .select(['shape_uuid', 'shape_id'])
    .where('layer_id', '=', layerId)
    .orderBy('position')
    .execute()
  const shapesByGeography = new Map<string, string[]>()
  for (const { shape_uuid: shape, shape_id: id } of rows) appendTo(shapesByGeography, id, shape)
  return { layerId, shapesByGeography }
}

/** Returns the fields of a policy with its layer and shapes. */
export function setShapes(
  fields: PolicyFields,
  ids: readonly string[],
  { layerId, shapesByGeography }: PlacedShapes,
): PolicyFields {
  if (findPolicyType(fields.policy_type)?.place === 'region') return { ...fields, shape_layer_uuid: null }
  const { imported_mds: mds } = fields
  const imported = mds && {
    ...mds,
    places: mds.places.map((place) => ({
      ...place,
      shape_uuids: shapesByGeography.get(place.geography_id) ?? [],
    })),
  }
  return {
    ...fields,
    shape_layer_uuid: layerId,
    shape_uuids: ids.flatMap((id) => shapesByGeography.get(id) ?? []),
    imported_mds: imported,
  }
}

/** Lists the ids of the geographies that a policy of a source uses. */
export const listPlaceIds = ({ found }: SourcePolicy): string[] =>
  found.places.map(({ geography_id: id }) => id)

/** Whether a policy applies to shapes, not to the entire region. */
export const isOnShapes = ({ found }: SourcePolicy): boolean =>
  findPolicyType(found.policy_type ?? '')?.place !== 'region'
