import type { Kysely } from 'kysely'
import type { Answer, Asked } from '#contract/endpoint.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { importPolicies as importEndpoint, previewPolicyImport } from '#contract/policy-import.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { addLayer } from '#server/geography/save-layer.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { addRevision, type By } from '../save-policy.ts'
import { findImports, importedBefore, type Importing } from './find-imports.ts'
import { placeReading } from './place-reading.ts'
import type { Place } from './read-geographies.ts'

/** What a source holds; nothing is stored. */
export async function previewImport(importing: Importing, { scope }: By, { region_id: regionId, source }: Asked<typeof previewPolicyImport>['body'], at: Date): Promise<Answer<typeof previewPolicyImport>> {
  const { content, policies } = await findImports(importing, scope, regionId, source, null, at)
  return { source: content.source, version: content.version, digest: content.digest, suggested_agency: content.agency, policies: policies.map(({ found }) => found) }
}

/** A name that no layer of the region has yet. */
async function freeName(store: Kysely<StateTables>, regionId: string, wanted: string): Promise<string> {
  const taken = new Set((await store.selectFrom('layer').select('name').where('region_id', '=', regionId).execute()).map(({ name }) => name))
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted} (${n})`
  return name
}

/** Stores places as a layer; answers its id and the shapes of each place. */
async function storePlaces(store: Kysely<StateTables>, scope: Scope, regionId: string, agency: string, places: readonly Place[], at: Date): Promise<{ layerId: string; shapesOf: Map<string, string[]> }> {
  const layerId = await addLayer(store, scope, regionId, placeReading(agency, places), { layer_name: await freeName(store, regionId, agency), name_property: 'name' }, at)
  const rows = await store.selectFrom('shape').select(['shape_uuid', 'shape_id']).where('layer_id', '=', layerId).orderBy('position').execute()
  const shapesOf = new Map<string, string[]>()
  for (const { shape_uuid: shape, shape_id: id } of rows) shapesOf.set(id, [...(shapesOf.get(id) ?? []), shape])
  return { layerId, shapesOf }
}

/** The fields with the shapes that were made of their geographies. */
function withShapes(fields: PolicyFields, ids: readonly string[], layerId: string, shapesOf: ReadonlyMap<string, string[]>): PolicyFields {
  if (policyTypeOf(fields.policy_type)?.place === 'region') return { ...fields, shape_layer_uuid: null }
  const { imported_mds: mds } = fields
  const kept = mds && { ...mds, places: mds.places.map((place) => ({ ...place, shape_uuids: shapesOf.get(place.geography_id) ?? [] })) }
  return { ...fields, shape_layer_uuid: layerId, shape_uuids: ids.flatMap((id) => shapesOf.get(id) ?? []), imported_mds: kept }
}

/** Imports the chosen policies of a source as drafts, and their geographies as a layer: all or nothing. One that was imported before is left as it is. */
export async function importPolicies(importing: Importing, { scope, email }: By, asked: Asked<typeof importEndpoint>['body'], at: Date): Promise<Answer<typeof importEndpoint>> {
  const { region_id: regionId, source, digest, agency_name: agency } = asked
  const { region, content, places, policies } = await findImports(importing, scope, regionId, source, agency, at)
  if (content.digest !== digest) throw new Problem('conflict', 'The feed has changed since you looked at it. Look at it again.')
  const wanted = new Set(asked.policy_ids)
  const chosen = policies.filter(({ found }) => wanted.has(found.policy_id))
  if (chosen.length < wanted.size || chosen.some(({ fields }) => !fields)) throw new Problem('validation_error', 'Not all of these policies can be imported.')
  return importing.state.as(scope).transaction().execute(async (store) => {
    // Two imports at once would both find nothing imported yet.
    await store.selectFrom('region').select('region_id').where('region_id', '=', regionId).forUpdate().execute()
    const known = await importedBefore(store, regionId, content.source)
    const fresh = chosen.filter(({ found }) => !known.has(found.policy_id))
    const ids = new Set(fresh.filter(({ found }) => policyTypeOf(found.policy_type ?? '')?.place !== 'region').flatMap(({ found }) => found.places.map(({ geography_id: id }) => id)))
    const needed = [...ids].flatMap((id) => places.get(id) ?? [])
    const layer = needed.length ? await storePlaces(store, scope, regionId, agency, needed, at) : null
    for (const { found, fields } of fresh) {
      if (!fields) continue
      const complete = withShapes(fields, found.places.map(({ geography_id: id }) => id), layer?.layerId ?? '', layer?.shapesOf ?? new Map<string, string[]>())
      await addRevision({ store, email, regionId, fields: complete, currency: region.currencyCode, at }, null)
    }
    return { imported: fresh.length, skipped: chosen.length - fresh.length, shape_layer_uuid: layer?.layerId ?? null }
  })
}
