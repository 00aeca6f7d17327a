import { createHash } from 'node:crypto'
import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'

/** Returns the content of a policy, without its id and the time of its publication. */
export const getPolicyContent = ({
  curb_policy_id: _id,
  published_date: _time,
  ...content
}: CdsPolicy): CdsPolicyContent => content

/** Returns a hash of the content of a policy, independent of the order of keys. */
export const computeSignature = (content: CdsPolicyContent): string =>
  createHash('sha256').update(canonicalText(content)).digest('hex')

/** Returns the id of a policy without one in its source: the same for equal policies in a region. */
export const derivePolicyId = (regionId: string, signature: string): string =>
  deriveUuid('curb policy', regionId, signature)
