/**
 * Kinds of findings. `schema`: the record violates the standard and is set aside. `clock_skew`: its time is
 * after its receipt; it is stored.
 */
export const findingKinds = ['schema', 'clock_skew'] as const
export type FindingKind = (typeof findingKinds)[number]

/** A remark about one record of a feed. */
export interface Finding {
  kind: FindingKind
  /** The record's id, or its position in the list; '' if the finding is about the entire body. */
  recordId: string
  /** The field, such as `events[3].location.lat`; '' if the finding is about the record. */
  field: string
  /** A sentence that says what is wrong. */
  reason: string
  /** The record as received, as JSON, cut to 2,000 characters. */
  raw: string
}
