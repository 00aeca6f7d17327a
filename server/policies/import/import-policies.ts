import type { Kysely } from 'kysely'
import type { EndpointOutput, ParsedRequest } from '#contract/endpoint.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { importPolicies as importEndpoint, previewPolicyImport } from '#contract/policy-import.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { addLayer } from '#server/geography/save-layer.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { deletedMeanwhile } from '../find-policy.ts'
import { type PolicyRow, newestOfEach, policyColumns } from '../policy-row.ts'
import { addRevision, type By } from '../save-policy.ts'
import { todayOf } from '../today-of.ts'
import type { FeedDigests } from './feed-digests.ts'
import { findImports, type FoundImport, type Importing } from './find-imports.ts'
import { hereBefore, importedState, type ImportedState } from './imported-state.ts'
import { type Match, matchHere } from './match-here.ts'
import type { Place } from './read-geographies.ts'
import { updatePolicy } from './update-policy.ts'
import { readFields } from '../stored-fields.ts'
import type { BoundaryReading } from '#server/geography/boundary-reading.ts'
import type { BoundaryGeometry } from '#server/geography/formats/boundary-geometry.ts'
import { geometryBounds } from '#server/geography/formats/geometry-bounds.ts'
import { repairShape } from '#server/geography/repair-shape.ts'
import type { Geometry } from '#contract/place.ts'

/** Shapes that stand for geographies of a feed, by their ids there. */
interface PlacedShapes {
  layerId: string
  shapesOf: ReadonlyMap<string, string[]>
}

/** The shapes that were made when a policy came in, where its geographies are as they were then; null where they changed, or where a shape is gone. */
async function oldShapes(
  store: Kysely<StateTables>,
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

/** Geographies of a feed as the features of a layer, mended; each with its id there. */
function placeReading(agency: string, places: readonly Place[]): BoundaryReading {
  const features = places.flatMap(({ id, name, geometries }) =>
    geometries.map((raw) => {
      const { geometry } = repairShape(raw as BoundaryGeometry)
      if (!geometry)
        throw new Problem('validation_error', `Nothing could be kept of the geography “${name}”.`)
      return { geometry: geometry as Geometry, properties: { id, name } }
    }),
  )
  return {
    fileName: agency,
    format: 'MDS Geography',
    features: features.map((feature, at) => ({ ...feature, position: at + 1 })),
    properties: [],
    suggestedName: 'name',
    notes: [],
    bbox: geometryBounds(features.map(({ geometry }) => geometry as BoundaryGeometry)),
  }
}

/** The newest revisions of policies that came from a source and are not deleted, by their ids there. */
async function findHere(
  store: Kysely<StateTables>,
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
      const { imported_source: from, imported_policy_id: id } = readFields(row.fields, row.currency)
      return from === source && id !== null ? [[id, row]] : []
    }),
  )
}

const matchesOf = (
  policies: readonly FoundImport[],
  here: ReadonlyMap<string, PolicyRow>,
): Map<string, Match<PolicyRow>> =>
  matchHere(
    policies.map(({ found, previous }) => ({ id: found.policy_id, previous })),
    here,
  )

/** What a source holds, and which of it is here already; nothing is stored. */
export async function previewImport(
  importing: Importing,
  { scope }: By,
  { region_id: regionId, source }: ParsedRequest<typeof previewPolicyImport>['body'],
  at: Date,
): Promise<EndpointOutput<typeof previewPolicyImport>> {
  const { content, policies } = await findImports(importing, scope, regionId, source, null, at)
  const matches = matchesOf(policies, await findHere(importing.state.as(scope), regionId, content.source))
  const told = policies.map(({ found, digests }) => {
    const match = matches.get(found.policy_id)
    return match ? { ...found, here: hereBefore(match.here, digests, match.isSuperseded) } : found
  })
  return {
    source: content.source,
    version: content.version,
    digest: content.digest,
    suggested_agency: content.agency,
    policies: told,
  }
}

/** A name that no layer of the region has yet. */
async function freeName(store: Kysely<StateTables>, regionId: string, wanted: string): Promise<string> {
  const taken = new Set(
    (await store.selectFrom('layer').select('name').where('region_id', '=', regionId).execute()).map(
      ({ name }) => name,
    ),
  )
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted} (${n})`
  return name
}

/** Stores places as a layer; answers its id and the shapes of each place. */
async function storePlaces(
  store: Kysely<StateTables>,
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

/** The fields with the shapes that were made of their geographies. */
function withShapes(
  fields: PolicyFields,
  ids: readonly string[],
  layerId: string,
  shapesOf: ReadonlyMap<string, string[]>,
): PolicyFields {
  if (policyTypeOf(fields.policy_type)?.place === 'region') return { ...fields, shape_layer_uuid: null }
  const { imported_mds: mds } = fields
  const kept = mds && {
    ...mds,
    places: mds.places.map((place) => ({ ...place, shape_uuids: shapesOf.get(place.geography_id) ?? [] })),
  }
  return {
    ...fields,
    shape_layer_uuid: layerId,
    shape_uuids: ids.flatMap((id) => shapesOf.get(id) ?? []),
    imported_mds: kept,
  }
}

const placeIds = ({ found }: FoundImport): string[] => found.places.map(({ geography_id: id }) => id)
const isOnShapes = ({ found }: FoundImport): boolean =>
  policyTypeOf(found.policy_type ?? '')?.place !== 'region'

/** The constant id of a policy here that the feed changed since. */
function changedHere(match: Match<PolicyRow> | undefined, digests: FeedDigests): string {
  if (!match) throw deletedMeanwhile()
  if (!hereBefore(match.here, digests, match.isSuperseded).is_changed)
    throw new Problem('conflict', 'The feed says nothing new of one of these policies. Look at it again.')
  return match.here.constant_policy_id
}

/**
 * Imports the chosen policies of a source as drafts, and their geographies as a layer: all or nothing. One that was imported before is left as it is,
 * but where it is named among the updates: then it becomes, as a draft, what the feed says now.
 */
export async function importPolicies(
  importing: Importing,
  { scope, email }: By,
  asked: ParsedRequest<typeof importEndpoint>['body'],
  at: Date,
): Promise<EndpointOutput<typeof importEndpoint>> {
  const { region_id: regionId, source, digest, agency_name: agency } = asked
  const { region, content, places, policies } = await findImports(
    importing,
    scope,
    regionId,
    source,
    agency,
    at,
  )
  if (content.digest !== digest)
    throw new Problem('conflict', 'The feed has changed since you looked at it. Look at it again.')
  const seen = new Map(asked.updates.map(({ policy_id: id, if_modified_time: time }) => [id, time]))
  const wanted = new Set([...asked.policy_ids, ...seen.keys()])
  const chosen = policies.filter(({ found }) => wanted.has(found.policy_id))
  if (chosen.length < wanted.size || chosen.some(({ fields }) => !fields))
    throw new Problem('validation_error', 'Not all of these policies can be imported.')
  return importing.state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      // Two imports at once would both find nothing imported yet.
      await store
        .selectFrom('region')
        .select('region_id')
        .where('region_id', '=', regionId)
        .forUpdate()
        .execute()
      const matches = matchesOf(policies, await findHere(store, regionId, content.source))
      const comes = chosen.filter(({ found }) => seen.has(found.policy_id) || !matches.has(found.policy_id))
      const kept = new Map<FoundImport, PlacedShapes>()
      for (const one of comes.filter(isOnShapes)) {
        const shapes = await oldShapes(
          store,
          regionId,
          matches.get(one.found.policy_id)?.here.imported ?? null,
          one.digests.ground,
        )
        if (shapes) kept.set(one, shapes)
      }
      const ids = new Set(comes.filter((one) => isOnShapes(one) && !kept.has(one)).flatMap(placeIds))
      const needed = [...ids].flatMap((id) => places.get(id) ?? [])
      const layer = needed.length ? await storePlaces(store, scope, regionId, agency, needed, at) : null
      for (const one of comes) {
        const { found, fields: read, digests } = one
        if (!read) continue
        const { layerId, shapesOf } = kept.get(one) ??
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
