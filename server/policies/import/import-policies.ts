import type { EndpointOutput, ParsedRequest } from '#contract/endpoint.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { importPolicies as importEndpoint, previewPolicyImport } from '#contract/policy-import.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { addLayer } from '#server/geography/layers/save-layer.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { createDeletedProblem } from '../find-policy.ts'
import { type PolicyRow, newestOfEach, policyColumns } from '../policy-row.ts'
import { addRevision, type Author } from '../save-policy.ts'
import { todayIn } from '../today-in.ts'
import type { FeedDigests } from './feed-digests.ts'
import { findImports, type FoundImport, type ImportContext } from './find-imports.ts'
import { describePreviousImport, createImportedState, type ImportedState } from './imported-state.ts'
import { type Match, matchImported } from './match-imported.ts'
import type { Place } from './read-geographies.ts'
import { updatePolicy } from './update-policy.ts'
import { readFields } from '../stored-fields.ts'
import type { BoundaryReading } from '#server/geography/boundary-files/boundary-content.ts'
import type { BoundaryGeometry } from '#server/geography/boundary-files/boundary-geometry.ts'
import { geometryBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { repairShape } from '#server/geography/geometry/repair-shape.ts'
import type { Geometry } from '#contract/place.ts'
import type { Store } from '#server/stores/state.ts'

/** The layer and shapes that represent geographies of a feed. */
interface PlacedShapes {
  layerId: string
  /** Shape ids by geography id. */
  shapesByGeography: ReadonlyMap<string, string[]>
}

/** The shapes of an earlier import; null if its geographies changed, or if a shape was deleted. */
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
  const [layerId, other] = new Set(rows.map((row) => row.layer_id))
  return layerId === undefined || other !== undefined || rows.length < new Set(ids).size
    ? null
    : { layerId, shapesByGeography: new Map(Object.entries(imported.shapes)) }
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
    bbox: geometryBounds(features.map(({ geometry }) => geometry as BoundaryGeometry)),
  }
}

/**
 * The newest revisions of policies that were imported from a source and are not deleted, by their ids in the
 * source.
 */
async function findImportedPolicies(
  store: Store,
  regionId: string,
  source: string,
): Promise<Map<string, PolicyRow>> {
  const rows = await store
    .selectFrom('policy')
    .select(policyColumns)
    .where('region_id', '=', regionId)
    .where('is_deleted', '=', false)
    .execute()
  return new Map(
    newestOfEach(rows).flatMap((row): [string, PolicyRow][] => {
      const { imported_source: importedSource, imported_policy_id: id } = readFields(row.fields, row.currency)
      return importedSource === source && id !== null ? [[id, row]] : []
    }),
  )
}

const matchPolicies = (
  policies: readonly FoundImport[],
  imported: ReadonlyMap<string, PolicyRow>,
): Map<string, Match<PolicyRow>> =>
  matchImported(
    policies.map(({ found, previous }) => ({ id: found.policy_id, previous })),
    imported,
  )

/** Lists the policies of a source, and which of them were imported before. Stores nothing. */
export async function previewImport(
  context: ImportContext,
  { scope }: Author,
  { region_id: regionId, source }: ParsedRequest<typeof previewPolicyImport>['body'],
  at: Date,
): Promise<EndpointOutput<typeof previewPolicyImport>> {
  const { content, policies } = await findImports(context, scope, regionId, source, null, at)
  const matches = matchPolicies(
    policies,
    await findImportedPolicies(context.state.as(scope), regionId, content.source),
  )
  const listed = policies.map(({ found, digests }) => {
    const match = matches.get(found.policy_id)
    return match
      ? { ...found, here: describePreviousImport(match.imported, digests, match.isSuperseded) }
      : found
  })
  return {
    source: content.source,
    version: content.version,
    digest: content.digest,
    suggested_agency: content.agency,
    policies: listed,
  }
}

/** The preferred layer name, numbered if another layer of the region has it. */
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
  regionId: string,
  agency: string,
  places: readonly Place[],
  at: Date,
): Promise<PlacedShapes> {
  const layerId = await addLayer(
    store,
    scope,
    regionId,
    toBoundaryReading(agency, places),
    { layer_name: await findFreeLayerName(store, regionId, agency), name_property: 'name' },
    at,
  )
  const rows = await store
    .selectFrom('shape')
    .select(['shape_uuid', 'shape_id'])
    .where('layer_id', '=', layerId)
    .orderBy('position')
    .execute()
  const shapesByGeography = new Map<string, string[]>()
  for (const { shape_uuid: shape, shape_id: id } of rows)
    shapesByGeography.set(id, [...(shapesByGeography.get(id) ?? []), shape])
  return { layerId, shapesByGeography }
}

/** Sets the layer and shapes of a policy's fields. */
function withShapes(
  fields: PolicyFields,
  ids: readonly string[],
  { layerId, shapesByGeography }: PlacedShapes,
): PolicyFields {
  if (policyTypeOf(fields.policy_type)?.place === 'region') return { ...fields, shape_layer_uuid: null }
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

const noShapes: PlacedShapes = { layerId: '', shapesByGeography: new Map() }

const placeIds = ({ found }: FoundImport): string[] => found.places.map(({ geography_id: id }) => id)
const isOnShapes = ({ found }: FoundImport): boolean =>
  policyTypeOf(found.policy_type ?? '')?.place !== 'region'

/**
 * The constant id of an imported policy. Throws a Problem if it was deleted, or did not change in the feed.
 */
function requireChanged(match: Match<PolicyRow> | undefined, digests: FeedDigests): string {
  if (!match) throw createDeletedProblem()
  if (!describePreviousImport(match.imported, digests, match.isSuperseded).is_changed)
    throw new Problem('conflict', 'One of these policies has not changed in the feed. Load the feed again.')
  return match.imported.constant_policy_id
}

/**
 * Imports the chosen policies of a source as drafts, and their geographies as a layer, either all or none.
 * Policies that were imported before are skipped, unless they are among the requested updates, which get a
 * draft with the present content of the feed.
 */
export async function importPolicies(
  context: ImportContext,
  { scope, email }: Author,
  request: ParsedRequest<typeof importEndpoint>['body'],
  at: Date,
): Promise<EndpointOutput<typeof importEndpoint>> {
  const { region_id: regionId, source, digest, agency_name: agency } = request
  const { region, content, places, policies } = await findImports(
    context,
    scope,
    regionId,
    source,
    agency,
    at,
  )
  if (content.digest !== digest)
    throw new Problem('conflict', 'The feed has changed since you opened it. Load it again.')
  const seen = new Map(request.updates.map(({ policy_id: id, if_modified_time: seenTime }) => [id, seenTime]))
  const requested = new Set([...request.policy_ids, ...seen.keys()])
  const chosen = policies.filter(({ found }) => requested.has(found.policy_id))
  if (chosen.length < requested.size || chosen.some(({ fields }) => !fields))
    throw new Problem('validation_error', 'Not all of these policies can be imported.')
  return context.state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      // Imports of a region are serialized, because concurrent ones would import the same policies twice.
      await store
        .selectFrom('region')
        .select('region_id')
        .where('region_id', '=', regionId)
        .forUpdate()
        .execute()
      const matches = matchPolicies(policies, await findImportedPolicies(store, regionId, content.source))
      const included = chosen.filter(
        ({ found }) => seen.has(found.policy_id) || !matches.has(found.policy_id),
      )
      const unchangedShapes = new Map<FoundImport, PlacedShapes>()
      for (const policy of included.filter(isOnShapes)) {
        const shapes = await findImportedShapes(
          store,
          regionId,
          matches.get(policy.found.policy_id)?.imported.imported ?? null,
          policy.digests.ground,
        )
        if (shapes) unchangedShapes.set(policy, shapes)
      }
      const ids = new Set(
        included.filter((policy) => isOnShapes(policy) && !unchangedShapes.has(policy)).flatMap(placeIds),
      )
      const needed = [...ids].flatMap((id) => places.get(id) ?? [])
      const layer = needed.length ? await storePlaces(store, scope, regionId, agency, needed, at) : null
      for (const policy of included) {
        const { found, fields: policyFields, digests } = policy
        if (!policyFields) continue
        const placed = unchangedShapes.get(policy) ?? layer ?? noShapes
        const fields = withShapes(policyFields, placeIds(policy), placed)
        const shapes = new Map(
          isOnShapes(policy)
            ? placeIds(policy).map((id) => [id, placed.shapesByGeography.get(id) ?? []])
            : [],
        )
        const revision = {
          store,
          email,
          regionId,
          fields,
          currency: region.currencyCode,
          at,
          imported: createImportedState(digests, fields, region.currencyCode, shapes),
        }
        const seenTime = seen.get(found.policy_id)
        if (seenTime === undefined) await addRevision(revision, null)
        else
          await updatePolicy(
            { ...revision, today: todayIn(region, at) },
            requireChanged(matches.get(found.policy_id), digests),
            seenTime,
          )
      }
      return {
        imported: included.length - seen.size,
        updated: seen.size,
        skipped: chosen.length - included.length,
        shape_layer_uuid: layer?.layerId ?? null,
      }
    })
}
