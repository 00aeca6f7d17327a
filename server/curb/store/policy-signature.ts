import { createHash } from 'node:crypto'
import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { madeUuid } from '#server/stores/made-uuid.ts'

/** What of a policy is compared: everything but its id and the time of its publication. */
export const contentOf = ({
  curb_policy_id: _id,
  published_date: _time,
  ...content
}: CdsPolicy): CdsPolicyContent => content

/** Equal for policies with equal content, whatever the order of their keys. */
export const policySignature = (content: CdsPolicyContent): string =>
  createHash('sha256').update(canonicalText(content)).digest('hex')

/** The id of a policy that has none of its own: the same content in a region, the same id. */
export const policyIdOf = (regionId: string, signature: string): string =>
  madeUuid('curb policy', regionId, signature)
