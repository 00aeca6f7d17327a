import type { EndpointOutput } from '#contract/endpoint.ts'
import type { LocalDay } from '#contract/period.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { importPolicies as importEndpoint, previewPolicyImport } from '#contract/policy-import.ts'
import { getNextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Store } from '#server/stores/state.ts'
import { createDeletedProblem } from '../find-policy.ts'
import { lockPolicy } from '../lock-policy.ts'
import { type PolicyRow, filterNewest, policyColumns } from '../policy-row.ts'
import { addRevision, type NewRevision } from '../save-policy.ts'
import { readFields, toStoredFields } from '../stored-fields.ts'
import { getToday } from '../today-in.ts'
import type { FeedDigests } from './feed-digests.ts'
import { findImports, type SourcePolicy, type ImportContext } from './find-imports.ts'
import { describePreviousImport, createImportedState, type ImportedState } from './imported-state.ts'
import { type Match, matchImported } from './match-imported.ts'
import { isOnShapes, type PlacedShapes, listPlaceIds, placePolicies, setShapes } from './place-policies.ts'

type ImportBody = Call<typeof importEndpoint>['body']

/** Finds the newest revisions of a source's policies that are not deleted, by ids in the source. */
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
    filterNewest(rows).flatMap((row): [string, PolicyRow][] => {
      const { imported_source: importedSource, imported_policy_id: id } = readFields(row.fields, row.currency)
      return importedSource === source && id !== null ? [[id, row]] : []
    }),
  )
}

const matchPolicies = (
  policies: readonly SourcePolicy[],
  imported: ReadonlyMap<string, PolicyRow>,
): Map<string, Match<PolicyRow>> =>
  matchImported(
    policies.map(({ found, previous }) => ({ id: found.policy_id, previous })),
    imported,
  )

/** Lists the policies of a source, and which of them were imported before. Stores nothing. */
export async function previewImport(
  context: ImportContext,
  { viewer: { scope }, body: { region_id: regionId, source }, at }: Call<typeof previewPolicyImport>,
): Promise<EndpointOutput<typeof previewPolicyImport>> {
  const { content, policies } = await findImports(context, { scope, regionId, source, agency: null, at })
  const matches = matchPolicies(
    policies,
    await findImportedPolicies(context.state.as(scope), regionId, content.source),
  )
  const listedPolicies = policies.map(({ found, digests }) => {
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
    policies: listedPolicies,
  }
}

/** Returns the constant id of an imported policy. @throws Problem if it was deleted or did not change. */
function getConstantIdOfChanged(match: Match<PolicyRow> | undefined, digests: FeedDigests): string {
  if (!match) throw createDeletedProblem()
  if (!describePreviousImport(match.imported, digests, match.isSuperseded).is_changed)
    throw new Problem('conflict', 'One of these policies has not changed in the feed. Load the feed again.')
  return match.imported.constant_policy_id
}

/** Finds the policies that were chosen. @throws Problem if one of them is missing or cannot be imported. */
function findChosenPolicies(
  policies: readonly SourcePolicy[],
  { policy_ids: newIds, updates }: ImportBody,
): SourcePolicy[] {
  const requestedIds = new Set([...newIds, ...updates.map(({ policy_id: id }) => id)])
  const chosenPolicies = policies.filter(({ found }) => requestedIds.has(found.policy_id))
  if (chosenPolicies.length < requestedIds.size || chosenPolicies.some(({ fields }) => !fields))
    throw new Problem('validation_error', 'Not all of these policies can be imported.')
  return chosenPolicies
}

/** Locks the region until the transaction ends, as concurrent imports would import policies twice. */
async function lockImports(store: Store, regionId: string): Promise<void> {
  await store.selectFrom('region').select('region_id').where('region_id', '=', regionId).forUpdate().execute()
}

const noShapes: PlacedShapes = { layerId: '', shapesByGeography: new Map() }

/** Returns the fields of a policy with its shapes, and the state of its import. */
function placeFields(
  policy: SourcePolicy,
  policyFields: PolicyFields,
  placed: PlacedShapes,
  currency: string,
): { fields: PolicyFields; imported: ImportedState } {
  const ids = listPlaceIds(policy)
  const fields = setShapes(policyFields, ids, placed)
  const shapes = new Map(
    isOnShapes(policy) ? ids.map((id) => [id, placed.shapesByGeography.get(id) ?? []]) : [],
  )
  return { fields, imported: createImportedState(policy.digests, fields, currency, shapes) }
}

/** An update of an imported policy: its constant id, and the `modified_time` that the user read. */
interface PolicyUpdate {
  constantId: string
  seenTime: string
  /** The region's local day. */
  today: LocalDay
}

/** Updates a policy to the feed, in its draft or a new one. @throws Problem if others changed it. */
async function updatePolicy(
  revision: NewRevision,
  { constantId, seenTime, today }: PolicyUpdate,
): Promise<void> {
  const { store, regionId, fields, currency, email, at, imported } = revision
  const { newest } = await lockPolicy(store, { regionId, policyId: constantId, seenTime, today })
  if (newest.published_time !== null) await addRevision(revision, newest)
  else
    await store
      .updateTable('policy')
      .set({
        fields: toStoredFields(fields, currency),
        currency,
        imported: imported ? JSON.stringify(imported) : null,
        modified_time: getNextModifiedTime(newest.modified_time, at),
        modified_by_email: email,
      })
      .where('policy_id', '=', newest.policy_id)
      .execute()
}

/**
 * Imports the chosen policies of a source as drafts, and their geographies as a layer, either all or none.
 * Policies that were imported before are skipped, unless they are among the requested updates, which get a
 * draft with the current content of the feed.
 */
export async function importPolicies(
  context: ImportContext,
  { viewer: { scope, email }, body, at }: Call<typeof importEndpoint>,
): Promise<EndpointOutput<typeof importEndpoint>> {
  const { region_id: regionId, source, digest, agency_name: agency } = body
  const { region, content, places, policies } = await findImports(context, {
    scope,
    regionId,
    source,
    agency,
    at,
  })
  if (content.digest !== digest)
    throw new Problem('conflict', 'The feed has changed since you opened it. Load it again.')
  const chosenPolicies = findChosenPolicies(policies, body)
  /** The modified_time that the user read of each policy to update, by its id in the feed. */
  const seenTimes = new Map(
    body.updates.map(({ policy_id: id, if_modified_time: seenTime }) => [id, seenTime]),
  )
  const currency = region.currencyCode
  return context.state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockImports(store, regionId)
      const matches = matchPolicies(policies, await findImportedPolicies(store, regionId, content.source))
      const includedPolicies = chosenPolicies.filter(
        ({ found: { policy_id: id } }) => seenTimes.has(id) || !matches.has(id),
      )
      const { shapesByPolicy, newLayer } = await placePolicies(
        store,
        scope,
        { regionId, agency, places, at },
        includedPolicies.map((policy) => ({
          policy,
          imported: matches.get(policy.found.policy_id)?.imported.imported ?? null,
        })),
      )
      for (const policy of includedPolicies) {
        if (!policy.fields) continue
        const placed = shapesByPolicy.get(policy) ?? newLayer ?? noShapes
        const placedFields = placeFields(policy, policy.fields, placed, currency)
        const revision = { store, email, regionId, currency, at, ...placedFields }
        const seenTime = seenTimes.get(policy.found.policy_id)
        if (seenTime === undefined) await addRevision(revision, null)
        else {
          const constantId = getConstantIdOfChanged(matches.get(policy.found.policy_id), policy.digests)
          await updatePolicy(revision, { constantId, seenTime, today: getToday(region, at) })
        }
      }
      return {
        imported: includedPolicies.length - seenTimes.size,
        updated: seenTimes.size,
        skipped: chosenPolicies.length - includedPolicies.length,
        shape_layer_uuid: newLayer?.layerId ?? null,
      }
    })
}
