import type { Selectable } from 'kysely'
import type { ListedPolicy } from '#contract/policies.ts'
import type { LocalDay } from '#contract/period.ts'
import { type Policy, getPolicyStatus } from '#contract/policy.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { readFields } from './stored-fields.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** A revision without its MDS body and geographies, which may be large. */
export type PolicyRow = Omit<Selectable<StateTables['policy']>, 'mds' | 'grounds'>

export const policyColumns = [
  'policy_id',
  'constant_policy_id',
  'revision',
  'region_id',
  'fields',
  'currency',
  'published',
  'published_time',
  'published_by_email',
  'effective_time',
  'superseded_time',
  'unpublished_time',
  'prev_policy_id',
  'is_deleted',
  'imported',
  'created_time',
  'created_by_email',
  'modified_time',
  'modified_by_email',
] as const satisfies (keyof PolicyRow)[]

/** Converts a stored revision to the format of the API, with its status on a local day of its region. */
export function readPolicy(row: PolicyRow, today: LocalDay): Policy {
  const fields = readFields(row.fields, row.currency)
  return {
    ...fields,
    policy_uuid: row.policy_id,
    constant_policy_uuid: row.constant_policy_id,
    region_id: row.region_id,
    published: row.published,
    published_time: row.published_time?.toISOString() ?? null,
    created_by_email: row.created_by_email,
    created_time: row.created_time.toISOString(),
    modified_time: row.modified_time.toISOString(),
    modified_by_email: row.modified_by_email,
    status: getPolicyStatus({ end_date: fields.end_date, published: row.published }, today),
  }
}

/** Returns a revision in the format of lists, with the id of the revision in the feed. */
export const toListedPolicy = (
  row: PolicyRow,
  revisions: readonly PolicyRow[],
  today: LocalDay,
): ListedPolicy => ({
  ...readPolicy(row, today),
  published_policy_uuid:
    revisions.find(({ constant_policy_id: id, published }) => published && id === row.constant_policy_id)
      ?.policy_id ?? null,
})

/** Returns the newest revision of each policy. */
export function filterNewest(revisions: readonly PolicyRow[]): PolicyRow[] {
  const newestRows = new Map<string, PolicyRow>()
  for (const row of revisions)
    if (row.revision > (newestRows.get(row.constant_policy_id)?.revision ?? 0))
      newestRows.set(row.constant_policy_id, row)
  return [...newestRows.values()]
}

/** Selects the revisions that a Scope may read. Viewers who are limited to some operators see no drafts. */
export const selectVisiblePolicies = (state: State, scope: Scope) => {
  const query = state.as(scope).selectFrom('policy').select(policyColumns)
  return scope.operators ? query.where('published_time', 'is not', null) : query
}

/** Returns revisions in force at a time or later; superseded ones are, until their successor begins. */
export const filterInFeed = (revisions: readonly PolicyRow[], time: number): PolicyRow[] =>
  revisions.filter(
    (row) =>
      row.published_time !== null &&
      row.unpublished_time === null &&
      (row.superseded_time === null || row.superseded_time.getTime() > time),
  )
