import type { PreviousImport } from '#contract/policy-import.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { PolicyRow } from '../policy-row.ts'
import { readFields, toStoredFields } from '../stored-fields.ts'
import { type FeedDigests, computeDigest } from './feed-digests.ts'

/** The stored state of an import: digests of feed and imported fields, and shapes by geography. */
export interface ImportedState extends FeedDigests {
  fields: string
  shapes: Record<string, string[]>
}

export const createImportedState = (
  digests: FeedDigests,
  fields: PolicyFields,
  currency: string,
  shapes: ReadonlyMap<string, string[]>,
): ImportedState => ({
  ...digests,
  fields: computeDigest(JSON.parse(toStoredFields(fields, currency))),
  shapes: Object.fromEntries(shapes),
})

/** Describes how an imported policy changed since. Without a state it counts as changed on both sides. */
export function describePreviousImport(
  { fields, currency, constant_policy_id, imported, modified_time, published_time: published }: PolicyRow,
  { content, ground }: FeedDigests,
  isSuperseded: boolean,
): PreviousImport {
  return {
    constant_policy_uuid: constant_policy_id,
    policy_name: readFields(fields, currency).policy_name,
    modified_time: modified_time.toISOString(),
    is_published: published !== null,
    is_changed: !isSuperseded && (imported?.content !== content || imported.ground !== ground),
    is_edited: imported?.fields !== computeDigest(fields),
  }
}
