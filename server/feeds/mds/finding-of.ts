import type { Finding, FindingKind } from '#server/fleet/events/finding.ts'
import { jsonText } from './json-text.ts'

/** Characters of a record in a finding at most. */
const maxRawLength = 2_000

/** A finding about a record; `item` as it came. */
export const findingOf = (
  kind: FindingKind,
  recordId: string,
  field: string,
  reason: string,
  item: unknown,
): Finding => ({
  kind,
  recordId,
  field,
  reason,
  raw: (item === null ? '' : (jsonText(item) ?? '')).slice(0, maxRawLength),
})
