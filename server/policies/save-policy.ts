import { randomUUID } from 'node:crypto'
import type { SavedPolicy } from '#contract/policies.ts'
import { type Policy, type PolicyFields, copyPolicy } from '#contract/policy.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { nextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State, Store } from '#server/stores/state.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { checkPolicy } from './check-policy.ts'
import type { ImportedState } from './import/imported-state.ts'
import { lockPolicy } from './lock-policy.ts'
import { policyColumns, type PolicyRow, readPolicy } from './policy-row.ts'
import { pick, readFields, storedFields } from './stored-fields.ts'
import { todayOf } from './today-of.ts'
import { findPolicy } from './find-policy.ts'

/** Saves a copy of a revision as the draft of a new policy. */
export async function duplicatePolicy(
  stores: PolicyStores,
  by: By,
  policyId: string,
  at: Date,
): Promise<Policy> {
  const policy = await findPolicy(stores.state, by.scope, policyId, at)
  return savePolicy(stores, by, { ...copyPolicy(policy), region_id: policy.region_id }, at)
}

export interface PolicyStores {
  state: State
  facts: Facts
}

/** The user who makes the change. */
export type By = Pick<Viewer, 'scope' | 'email'>

const same = (a: PolicyFields, b: PolicyFields): boolean => canonicalText(pick(a)) === canonicalText(pick(b))

export interface NewRevision {
  store: Store
  email: string
  regionId: string
  fields: PolicyFields
  currency: string
  at: Date
  /** The imported state of a feed; by default that of the revision before. */
  imported?: ImportedState
}

/** Adds an unpublished revision: the first of a new policy, or one after another. */
export async function addRevision(
  { store, email, regionId, fields, currency, at, imported }: NewRevision,
  after: PolicyRow | null,
): Promise<PolicyRow> {
  const id = randomUUID()
  const importedState = imported ?? after?.imported
  return store
    .insertInto('policy')
    .values({
      policy_id: id,
      constant_policy_id: after?.constant_policy_id ?? randomUUID(),
      revision: (after?.revision ?? 0) + 1,
      region_id: regionId,
      fields: storedFields(fields, currency),
      currency,
      created_time: at,
      created_by_email: email,
      modified_time: after ? nextModifiedTime(after.modified_time, at) : at,
      modified_by_email: email,
      imported: importedState ? JSON.stringify(importedState) : null,
    })
    .returning(policyColumns)
    .executeTakeFirstOrThrow()
}

/** Saves a policy: a new one, a draft in place, or a new revision of a published one. Without changes nothing is stored. */
export async function savePolicy(
  stores: PolicyStores,
  { scope, email }: By,
  policy: SavedPolicy,
  at: Date,
): Promise<Policy> {
  const {
    policy_uuid: policyId,
    constant_policy_uuid: constantId,
    if_modified_time: seen,
    region_id: regionId,
  } = policy
  const region = await findRegion(stores.state, scope, regionId)
  const [today, currency] = [todayOf(region, at), region.currencyCode]
  const fields = sentPolicy(pick(policy))
  await checkPolicy(stores, scope, region, fields)
  const row = await stores.state
    .as(scope)
    .transaction()
    .execute(async (store): Promise<PolicyRow> => {
      const made = { store, email, regionId, fields, currency, at }
      // A draft may have been discarded since; its policy still exists.
      const known = constantId ?? policyId
      if (!known) return addRevision(made, null)
      const { newest } = await lockPolicy(store, regionId, known, seen, today)
      if (same(readFields(newest.fields, newest.currency), fields)) return newest
      if (newest.published_time !== null) return addRevision(made, newest)
      const changed = {
        fields: storedFields(fields, currency),
        currency,
        modified_time: nextModifiedTime(newest.modified_time, at),
        modified_by_email: email,
      }
      return store
        .updateTable('policy')
        .set(changed)
        .where('policy_id', '=', newest.policy_id)
        .returning(policyColumns)
        .executeTakeFirstOrThrow()
    })
  return readPolicy(row, today)
}
