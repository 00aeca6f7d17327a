import type { FieldChange, PolicyRevision } from '#contract/policies.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { findRevisions } from './find-policy.ts'
import type { PolicyRow } from './policy-row.ts'
import { pickFields, readFields } from './stored-fields.ts'

/** Lists the fields that differ between two revisions. */
export function listChanges(before: PolicyFields, after: PolicyFields): FieldChange[] {
  const oldFields = pickFields(before) as Record<string, unknown>
  const newFields = pickFields(after) as Record<string, unknown>
  return Object.keys(oldFields)
    .filter((field) => canonicalText(oldFields[field]) !== canonicalText(newFields[field]))
    .map((field) => ({ field, before: oldFields[field] ?? null, after: newFields[field] ?? null }))
}

/** Reads the state of a revision in the format of the API. */
export function readRevisionState(
  row: Pick<PolicyRow, 'is_deleted' | 'published' | 'published_time' | 'superseded_time'>,
): PolicyRevision['state'] {
  if (row.is_deleted) return 'deleted'
  if (row.published_time === null) return 'draft'
  if (row.published) return 'published'
  return row.superseded_time ? 'superseded' : 'unpublished'
}

/** Lists all revisions of a policy, newest first, with author, time, and changes from the previous one. */
export async function listRevisions(
  state: State,
  scope: Scope,
  constantId: string,
): Promise<PolicyRevision[]> {
  const rows = await findRevisions(state, scope, constantId)
  const fields = rows.map((row) => readFields(row.fields, row.currency))
  return rows
    .map((row, index): PolicyRevision => {
      const current = fields[index]
      const previous = fields[index - 1]
      return {
        policy_uuid: row.policy_id,
        revision: row.revision,
        state: readRevisionState(row),
        policy_name: current?.policy_name ?? '',
        created_time: row.created_time.toISOString(),
        created_by_email: row.created_by_email,
        modified_time: row.modified_time.toISOString(),
        modified_by_email: row.modified_by_email,
        published_time: row.published_time?.toISOString() ?? null,
        published_by_email: row.published_by_email,
        unpublished_time: row.unpublished_time?.toISOString() ?? null,
        changes: current && previous ? listChanges(previous, current) : [],
      }
    })
    .reverse()
}
