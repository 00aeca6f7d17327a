import type { PreviousImport } from '#contract/policy-import.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { PolicyRow } from '../policy-row.ts'
import { readFields, storedFields } from '../stored-fields.ts'
import { type FeedDigests, digestOf } from './feed-digests.ts'

/** What is stored about the import of a revision: the digests of the feed, the fields as imported, and the shapes of the geographies. */
export interface ImportedState extends FeedDigests {
  fields: string
  shapes: Record<string, string[]>
}

/** The state for some stored fields. */
export const importedState = (
  digests: FeedDigests,
  fields: PolicyFields,
  currency: string,
  shapes: ReadonlyMap<string, string[]>,
): ImportedState => ({
  ...digests,
  fields: digestOf(JSON.parse(storedFields(fields, currency))),
  shapes: Object.fromEntries(shapes),
})

/** How a policy changed since its import. Without a stored state it counts as changed here and in the feed. */
export function hereBefore(
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
    is_edited: imported?.fields !== digestOf(fields),
  }
}
