/**
 * The kind of a finding: `schema`: it breaks the standard and is set aside. `clock_skew`: its time lies after its receipt; it is kept.
 */
export const findingKinds = ['schema', 'clock_skew'] as const
export type FindingKind = (typeof findingKinds)[number]

/** A remark about one record of a feed. */
export interface Finding {
  kind: FindingKind
  /** The record's own id, or its position in the list; '' for a whole body. */
  recordId: string
  /** The field, as in `events[3].location.lat`; '' for the whole record. */
  field: string
  /** What is wrong, in a sentence. */
  reason: string
  /** The record as it came, as JSON, cut to 2,000 characters. */
  raw: string
}
