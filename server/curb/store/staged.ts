import type { CdsArea, CdsObject, CdsPolicyContent, CdsSpace, CdsZone } from '../../../contract/cds.ts'

/**
 * What a row of an import publishes (`curb_import_row.staged`). Rows that were refused have none. Everything in it has been checked
 * against contract/cds.ts; `record_id` of the row identifies the record in its inventory from one import to the next.
 */
export type StagedRecord = StagedZone | StagedPolicyRow | StagedPlace

/** A policy with the id and date that its source gives it. Without an id, the content identifies the policy. */
export type StagedPolicy = CdsPolicyContent & { curb_policy_id?: string; published_date?: number }

/**
 * Policies that apply together: `policies` as derived from the row itself, `policyIds` by the `curb_policy_id` of a row of kind `policy`
 * of the same import or of a published policy of the region. Staging refuses or repairs zones with ids that neither has.
 */
export interface StagedPolicySet {
  policies: StagedPolicy[]
  policyIds: string[]
}

/** `Omit` keeps only the index signature of objects that may have further fields. */
type Without<Whole, Keys extends string> = {
  [Key in keyof Whole as Key extends Keys ? never : Key]: Whole[Key]
}
type WithOptional<Whole, Keys extends string & keyof Whole> = Without<Whole, Keys> & {
  [Key in Keys]?: Whole[Key]
}

/** Policies of the past: in force from `start` to `end` (milliseconds, half-open). */
export interface StagedPolicyPeriod extends StagedPolicySet {
  start: number
  end: number
}

export interface StagedZone extends StagedPolicySet {
  kind: 'zone'
  /** Without `curb_policy_ids` and `prev_policies`, which are given below. `curb_zone_id` only if the source has one. */
  zone: WithOptional<
    Without<CdsZone, 'curb_policy_ids' | 'prev_policies'>,
    'curb_zone_id' | 'published_date' | 'last_updated_date' | 'start_date'
  >
  /** Oldest first, without overlaps. */
  history: StagedPolicyPeriod[]
  /** Marked spaces from a time on (null: from the start of the zone), oldest first. Empty: derived from the length. */
  capacity: { spaces: number; from: number | null }[]
}

export interface StagedPolicyRow {
  kind: 'policy'
  policy: StagedPolicy & { curb_policy_id: string }
}

type PlaceTimes = 'published_date' | 'last_updated_date'

/** Places refer to zones by the `curb_zone_id` of their source. */
export type StagedPlace =
  | { kind: 'area'; place: WithOptional<CdsArea, PlaceTimes> }
  | { kind: 'space'; place: WithOptional<CdsSpace, PlaceTimes> }
  | { kind: 'object'; place: WithOptional<CdsObject, PlaceTimes> }
