import type { EndpointOutput, ParsedRequest } from '#contract/endpoint.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { importPolicies as importEndpoint, previewPolicyImport } from '#contract/policy-import.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { addLayer } from '#server/geography/layers/save-layer.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { deletedMeanwhile } from '../find-policy.ts'
import { type PolicyRow, newestOfEach, policyColumns } from '../policy-row.ts'
import { addRevision, type By } from '../save-policy.ts'
import { todayOf } from '../today-of.ts'
import type { FeedDigests } from './feed-digests.ts'
import { findImports, type FoundImport, type Importing } from './find-imports.ts'
import { hereBefore, importedState, type ImportedState } from './imported-state.ts'
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

/** Shapes of geographies of a feed, by the geographies' ids. */
interface PlacedShapes {
  layerId: string
  shapesOf: ReadonlyMap<string, string[]>
}

/** The shapes of an earlier import, if its geographies are unchanged; null if they changed, or if a shape was deleted. */
async function shapesOfImport(
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
    : { layerId, shapesOf: new Map(Object.entries(imported.shapes)) }
}

/** Geographies of a feed as the repaired features of a layer, each with its id in the feed. */
function placeReading(agency: string, places: readonly Place[]): BoundaryReading {
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

/** The newest revisions of policies that were imported from a source and are not deleted, by their ids there. */
async function findHere(store: Store, regionId: string, source: string): Promise<Map<string, PolicyRow>> {
  const rows = await store
    .selectFrom('policy')
    .select(policyColumns)
    .where('region_id', '=', regionId)
    .where('is_deleted', '=', false)
    .execute()
  return new Map(
    newestOfEach(rows).flatMap((row): [string, PolicyRow][] => {
      const { imported_source: from, imported_policy_id: id } = readFields(row.fields, row.currency)
      return from === source && id !== null ? [[id, row]] : []
    }),
  )
}

const matchesOf = (
  policies: readonly FoundImport[],
  here: ReadonlyMap<string, PolicyRow>,
): Map<string, Match<PolicyRow>> =>
  matchImported(
    policies.map(({ found, previous }) => ({ id: found.policy_id, previous })),
    here,
  )

/** The policies of a source, and which of them are imported already; stores nothing. */
export async function previewImport(
  importing: Importing,
  { scope }: By,
  { region_id: regionId, source }: ParsedRequest<typeof previewPolicyImport>['body'],
  at: Date,
): Promise<EndpointOutput<typeof previewPolicyImport>> {
  const { content, policies } = await findImports(importing, scope, regionId, source, null, at)
  const matches = matchesOf(policies, await findHere(importing.state.as(scope), regionId, content.source))
  const listed = policies.map(({ found, digests }) => {
    const match = matches.get(found.policy_id)
    return match ? { ...found, here: hereBefore(match.here, digests, match.isSuperseded) } : found
  })
  return {
    source: content.source,
    version: content.version,
    digest: content.digest,
    suggested_agency: content.agency,
    policies: listed,
  }
}

/** A name that no layer of the region has yet. */
async function freeName(store: Store, regionId: string, preferred: string): Promise<string> {
  const taken = new Set(
    (await store.selectFrom('layer').select('name').where('region_id', '=', regionId).execute()).map(
      ({ name }) => name,
    ),
  )
  let name = preferred
  for (let n = 2; taken.has(name); n++) name = `${preferred} (${n})`
  return name
}

/** Stores places as a layer; returns its id and the shapes of each place. */
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
    placeReading(agency, places),
    { layer_name: await freeName(store, regionId, agency), name_property: 'name' },
    at,
  )
  const rows = await store
    .selectFrom('shape')
    .select(['shape_uuid', 'shape_id'])
    .where('layer_id', '=', layerId)
    .orderBy('position')
    .execute()
  const shapesOf = new Map<string, string[]>()
  for (const { shape_uuid: shape, shape_id: id } of rows)
    shapesOf.set(id, [...(shapesOf.get(id) ?? []), shape])
  return { layerId, shapesOf }
}

/** The fields with the shapes of their geographies. */
function withShapes(
  fields: PolicyFields,
  ids: readonly string[],
  layerId: string,
  shapesOf: ReadonlyMap<string, string[]>,
): PolicyFields {
  if (policyTypeOf(fields.policy_type)?.place === 'region') return { ...fields, shape_layer_uuid: null }
  const { imported_mds: mds } = fields
  const imported = mds && {
    ...mds,
    places: mds.places.map((place) => ({ ...place, shape_uuids: shapesOf.get(place.geography_id) ?? [] })),
  }
  return {
    ...fields,
    shape_layer_uuid: layerId,
    shape_uuids: ids.flatMap((id) => shapesOf.get(id) ?? []),
    imported_mds: imported,
  }
}

const placeIds = ({ found }: FoundImport): string[] => found.places.map(({ geography_id: id }) => id)
const isOnShapes = ({ found }: FoundImport): boolean =>
  policyTypeOf(found.policy_type ?? '')?.place !== 'region'

/** The constant id of an imported policy that changed in the feed. */
function changedHere(match: Match<PolicyRow> | undefined, digests: FeedDigests): string {
  if (!match) throw deletedMeanwhile()
  if (!hereBefore(match.here, digests, match.isSuperseded).is_changed)
    throw new Problem('conflict', 'One of these policies has not changed in the feed. Load the feed again.')
  return match.here.constant_policy_id
}

/**
 * Imports the chosen policies of a source as drafts, and their geographies as a layer: all or nothing. Policies that were imported before
 * are skipped, unless they are among the updates: those get a draft with the current content of the feed.
 */
export async function importPolicies(
  importing: Importing,
  { scope, email }: By,
  request: ParsedRequest<typeof importEndpoint>['body'],
  at: Date,
): Promise<EndpointOutput<typeof importEndpoint>> {
  const { region_id: regionId, source, digest, agency_name: agency } = request
  const { region, content, places, policies } = await findImports(
    importing,
    scope,
    regionId,
    source,
    agency,
    at,
  )
  if (content.digest !== digest)
    throw new Problem('conflict', 'The feed has changed since you opened it. Load it again.')
  const seen = new Map(request.updates.map(({ policy_id: id, if_modified_time: time }) => [id, time]))
  const requested = new Set([...request.policy_ids, ...seen.keys()])
  const chosen = policies.filter(({ found }) => requested.has(found.policy_id))
  if (chosen.length < requested.size || chosen.some(({ fields }) => !fields))
    throw new Problem('validation_error', 'Not all of these policies can be imported.')
  return importing.state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      // Two concurrent imports would both find nothing imported yet.
      await store
        .selectFrom('region')
        .select('region_id')
        .where('region_id', '=', regionId)
        .forUpdate()
        .execute()
      const matches = matchesOf(policies, await findHere(store, regionId, content.source))
      const comes = chosen.filter(({ found }) => seen.has(found.policy_id) || !matches.has(found.policy_id))
      const unchangedShapes = new Map<FoundImport, PlacedShapes>()
      for (const one of comes.filter(isOnShapes)) {
        const shapes = await shapesOfImport(
          store,
          regionId,
          matches.get(one.found.policy_id)?.here.imported ?? null,
          one.digests.ground,
        )
        if (shapes) unchangedShapes.set(one, shapes)
      }
      const ids = new Set(
        comes.filter((one) => isOnShapes(one) && !unchangedShapes.has(one)).flatMap(placeIds),
      )
      const needed = [...ids].flatMap((id) => places.get(id) ?? [])
      const layer = needed.length ? await storePlaces(store, scope, regionId, agency, needed, at) : null
      for (const one of comes) {
        const { found, fields: read, digests } = one
        if (!read) continue
        const { layerId, shapesOf } = unchangedShapes.get(one) ??
          layer ?? { layerId: '', shapesOf: new Map<string, string[]>() }
        const fields = withShapes(read, placeIds(one), layerId, shapesOf)
        const own = new Map(isOnShapes(one) ? placeIds(one).map((id) => [id, shapesOf.get(id) ?? []]) : [])
        const made = {
          store,
          email,
          regionId,
          fields,
          currency: region.currencyCode,
          at,
          imported: importedState(digests, fields, region.currencyCode, own),
        }
        const time = seen.get(found.policy_id)
        if (time === undefined) await addRevision(made, null)
        else
          await updatePolicy(
            { ...made, today: todayOf(region, at) },
            changedHere(matches.get(found.policy_id), digests),
            time,
          )
      }
      return {
        imported: comes.length - seen.size,
        updated: seen.size,
        skipped: chosen.length - comes.length,
        shape_layer_uuid: layer?.layerId ?? null,
      }
    })
}
