import type { Finding, FindingKind } from '#server/mobility/fleet/finding.ts'
import { jsonText } from './json-text.ts'

/** As much of a record as a finding shows. */
const longestRaw = 2_000

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
  raw: (item === null ? '' : (jsonText(item) ?? '')).slice(0, longestRaw),
})
