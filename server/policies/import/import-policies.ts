import type { Kysely } from 'kysely'
import type { Answer, Asked } from '#contract/endpoint.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { importPolicies as importEndpoint, previewPolicyImport } from '#contract/policy-import.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { addLayer } from '#server/geography/save-layer.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { deletedMeanwhile } from '../find-policy.ts'
import type { PolicyRow } from '../policy-row.ts'
import { addRevision, type By } from '../save-policy.ts'
import { todayOf } from '../today-of.ts'
import type { FeedDigests } from './feed-digests.ts'
import { findHere } from './find-here.ts'
import { findImports, type FoundImport, type Importing } from './find-imports.ts'
import { hereBefore, importedState } from './imported-state.ts'
import { type Match, matchHere } from './match-here.ts'
import { oldShapes, type PlacedShapes } from './old-shapes.ts'
import { placeReading } from './place-reading.ts'
import type { Place } from './read-geographies.ts'
import { updatePolicy } from './update-policy.ts'

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
  { region_id: regionId, source }: Asked<typeof previewPolicyImport>['body'],
  at: Date,
): Promise<Answer<typeof previewPolicyImport>> {
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
  asked: Asked<typeof importEndpoint>['body'],
  at: Date,
): Promise<Answer<typeof importEndpoint>> {
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
