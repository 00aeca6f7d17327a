import { randomUUID } from 'node:crypto'
import type { PolicyToSave } from '#contract/policies.ts'
import { type Policy, type PolicyFields, copyPolicy } from '#contract/policy.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { getNextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State, Store } from '#server/stores/state.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { checkPolicy } from './check-policy.ts'
import type { ImportedState } from './import/imported-state.ts'
import { lockPolicy } from './lock-policy.ts'
import { policyColumns, type PolicyRow, readPolicy } from './policy-row.ts'
import { pickFields, readFields, toStoredFields } from './stored-fields.ts'
import { getToday } from './today-in.ts'
import { findPolicy } from './find-policy.ts'

/** Copies a revision to the draft of a new policy. */
export async function duplicatePolicy(
  stores: PolicyStores,
  { viewer, body, at }: PolicyChange,
): Promise<Policy> {
  const policy = await findPolicy(stores.state, viewer.scope, body.policy_uuid, at)
  return savePolicy(stores, { viewer, body: { ...copyPolicy(policy), region_id: policy.region_id }, at })
}

export interface PolicyStores {
  state: State
  facts: Facts
}

/** The user who makes a change. */
type Author = Pick<Viewer, 'scope' | 'email'>

export interface PolicyChange {
  viewer: Author
  /** The id of a revision, and the time at which the revision that the user saw was modified. */
  body: { policy_uuid: string; if_modified_time?: string | undefined }
  at: Date
}

const areFieldsEqual = (a: PolicyFields, b: PolicyFields): boolean =>
  canonicalText(pickFields(a)) === canonicalText(pickFields(b))

export interface NewRevision {
  store: Store
  email: string
  regionId: string
  fields: PolicyFields
  currency: string
  at: Date
  /** The state of the import; by default that of the previous revision. */
  imported?: ImportedState
}

/** Adds a draft: the first revision of a new policy, or the revision after `previous`. */
export async function addRevision(
  { store, email, regionId, fields, currency, at, imported }: NewRevision,
  previous: PolicyRow | null,
): Promise<PolicyRow> {
  const id = randomUUID()
  const importedState = imported ?? previous?.imported
  return store
    .insertInto('policy')
    .values({
      policy_id: id,
      constant_policy_id: previous?.constant_policy_id ?? randomUUID(),
      revision: (previous?.revision ?? 0) + 1,
      region_id: regionId,
      fields: toStoredFields(fields, currency),
      currency,
      created_time: at,
      created_by_email: email,
      modified_time: previous ? getNextModifiedTime(previous.modified_time, at) : at,
      modified_by_email: email,
      imported: importedState ? JSON.stringify(importedState) : null,
    })
    .returning(policyColumns)
    .executeTakeFirstOrThrow()
}

/** Saves a new policy, a draft, or a new draft of a published policy. Stores nothing without a change. */
export async function savePolicy(
  stores: PolicyStores,
  { viewer: { scope, email }, body: policy, at }: { viewer: Author; body: PolicyToSave; at: Date },
): Promise<Policy> {
  const {
    policy_uuid: policyId,
    constant_policy_uuid: constantId,
    if_modified_time: seenTime,
    region_id: regionId,
  } = policy
  const region = await findRegion(stores.state, scope, regionId)
  const today = getToday(region, at)
  const currency = region.currencyCode
  const fields = sentPolicy(pickFields(policy))
  await checkPolicy(stores, scope, { region, policy: fields })
  const row = await stores.state
    .as(scope)
    .transaction()
    .execute(async (store): Promise<PolicyRow> => {
      const newRevision = { store, email, regionId, fields, currency, at }
      // Prefers the constant id, because the draft may have been discarded since.
      const savedId = constantId ?? policyId
      if (!savedId) return addRevision(newRevision, null)
      const { newest } = await lockPolicy(store, { regionId, policyId: savedId, seenTime, today })
      if (areFieldsEqual(readFields(newest.fields, newest.currency), fields)) return newest
      if (newest.published_time !== null) return addRevision(newRevision, newest)
      const columns = {
        fields: toStoredFields(fields, currency),
        currency,
        modified_time: getNextModifiedTime(newest.modified_time, at),
        modified_by_email: email,
      }
      return store
        .updateTable('policy')
        .set(columns)
        .where('policy_id', '=', newest.policy_id)
        .returning(policyColumns)
        .executeTakeFirstOrThrow()
    })
  return readPolicy(row, today)
}
