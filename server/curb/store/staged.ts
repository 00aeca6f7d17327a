import type { CdsArea, CdsObject, CdsPolicyContent, CdsSpace, CdsZone } from '#contract/cds.ts'

/**
 * The record that a row of an import publishes (`curb_import_row.staged`), checked against contract/cds.ts.
 * Refused rows have none. The `record_id` of the row identifies the record in its inventory from one import
 * to the next.
 */
export type StagedRecord = StagedZone | StagedPolicyRow | StagedPlace

/** A policy with the id and date of its source. Without an id, its content identifies the policy. */
export type StagedPolicy = CdsPolicyContent & { curb_policy_id?: string; published_date?: number }

/**
 * The policies of a zone: `policies` are derived from the row itself, `policyIds` refer to policies of the
 * same import or published ones of the region. Staging refuses or repairs zones with other ids.
 */
export interface StagedPolicySet {
  policies: StagedPolicy[]
  policyIds: string[]
}

/** Like `Omit`, which would only retain the index signature of objects with additional fields. */
type Without<Full, Keys extends string> = {
  [Key in keyof Full as Key extends Keys ? never : Key]: Full[Key]
}
type WithOptional<Full, Keys extends string & keyof Full> = Without<Full, Keys> & {
  [Key in Keys]?: Full[Key]
}

/** Policies of the past, in force from `start` to `end` (ms since 1970, half-open). */
export interface StagedPolicyPeriod extends StagedPolicySet {
  start: number
  end: number
}

/** A zone of an import with its policies, their history and its capacity. */
export interface StagedZone extends StagedPolicySet {
  kind: 'zone'
  /** The zone without its policies, which are in other fields. `curb_zone_id` only if the source has one. */
  zone: WithOptional<
    Without<CdsZone, 'curb_policy_ids' | 'prev_policies'>,
    'curb_zone_id' | 'published_date' | 'last_updated_date' | 'start_date'
  >
  /** Oldest first, without overlaps. */
  history: StagedPolicyPeriod[]
  /** Marked spaces from instants (null: start of the zone), oldest first. Empty: by length. */
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
