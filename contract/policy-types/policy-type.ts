import type { Measure } from '#contract/compliance.ts'
import type { MdsRule } from '#contract/mds-policy.ts'
import type { FeeOptions, Policy, PolicyFields, PolicyGroup, PolicyUnit } from '#contract/policy.ts'

/** Fields that a type may offer besides those of all types, such as its name, dates and operators. */
export type OfferedField =
  | 'shape_layer_uuid'
  | 'shape_uuids'
  | 'minimum'
  | 'maximum'
  | 'unit'
  | 'allocation'
  | 'value'
  | 'parking_fee_type'
  | 'vehicle_count_method'
  | 'prices'
  | 'prices_by_duration'
  | 'vehicle_states'
  | 'start_time'
  | 'end_time'
  | 'days'
  | 'messages'

/** Fields that can have a fault. */
export type FaultField = OfferedField | 'policy_name' | 'policy_type' | 'fee_options'

/** Why a field is invalid; texts are in `faultTexts`. */
export type PolicyFault =
  | 'required'
  | 'required_silently'
  | 'whole_hours'
  | 'same_times'
  | 'integer'
  | 'minimum_over_maximum'
  | 'percent'
  | 'amount'
  | 'one_row'
  | 'times_overlap'
  | 'durations_overlap'
  | 'duration_order'
  | 'no_last_duration'
  | 'tiers_order'
  | 'quantity'
  | 'discount'

/** Invalid fields with their faults; empty if a policy can be saved. */
export type PolicyFaults = Partial<Record<FaultField, PolicyFault>>

/** Inputs of the MDS rules of a policy besides the policy itself. */
export interface RuleScope {
  /** The geographies to which the policy applies: its shapes, or the region boundary. */
  geographies: readonly {
    geography_id: string
    name: string
    /** The shape that it was created from. */
    shape_uuid?: string | null
  }[]
  /** ISO 4217. */
  currency: string
}

/** A rule as built by a type. mds-rules.ts adds its id and the fields that all rules of the policy share. */
export type RuleDraft = Pick<MdsRule, 'name' | 'rule_type' | 'states'> & Partial<Omit<MdsRule, 'rule_id'>>

/** A type of policy: its fields, validation, MDS rules and what is measured. Its functions are pure. */
export interface PolicyType {
  readonly name: string
  readonly group: PolicyGroup
  /** Whether its bounds are counts. Other types save a maximum only together with a unit. */
  readonly hasCountLimits: boolean
  /** Whether its time window has full hours or any minutes. Omitted by types without a time window. */
  readonly timeWindowUnit?: 'hours' | 'minutes'
  readonly isFee: boolean
  /** Where it may apply: to shapes; to shapes or the entire region; to the entire region only. */
  readonly place: 'shapes' | 'shapes_or_citywide' | 'region'
  /** Choices for the unit of the maximum. Omitted by types without a unit. */
  readonly units?: readonly PolicyUnit[]
  /** Form fields, which may depend on current values. The geography follows from `place`. */
  offeredFields(policy: PolicyFields): readonly Exclude<OfferedField, 'shape_layer_uuid' | 'shape_uuids'>[]
  /** Offered options of fees, which may depend on current values. */
  feeOptions?(policy: PolicyFields): readonly (keyof FeeOptions)[]
  /** Required fields, each with the fault to report if it is empty. */
  requiredFields?(policy: PolicyFields): Partial<Record<OfferedField, PolicyFault>>
  /** Initial values when a policy changes to this type. */
  initialFields?(about: { locale: string }): { unit?: PolicyUnit; parking_fee_type?: 'fixed_price_per_event' }
  /** Additional validation of this type. */
  faults?(policy: PolicyFields, about: { currency: string }): PolicyFaults
  /** What compliance measures. */
  measure(policy: PolicyFields): Measure
  /** Its rules in MDS 2.0. */
  mdsRules(policy: Policy, scope: RuleScope): RuleDraft[]
}

/** English text of each fault (as in the specification, if it has one). */
export const faultTexts: Record<PolicyFault, string> = {
  required: 'Please enter a value',
  // The value of a trip fee is required, but the specification shows no message.
  required_silently: '',
  whole_hours: "Policy only supports hour increments. Minutes must be ':00'",
  same_times: 'Start and end time must differ',
  integer: 'Please enter a whole number that is not negative',
  minimum_over_maximum: 'The minimum is over the maximum',
  percent: 'Please enter a percentage from 0 to 100',
  amount: 'Please enter an amount that is valid in the currency',
  one_row: 'The price table needs at least one row',
  times_overlap: 'The times of a day overlap',
  durations_overlap: 'The durations overlap or leave a gap',
  duration_order: 'A duration must end after it starts',
  tiers_order: 'Each tier must start above the one before',
  quantity: 'Enter quantities with at most 6 decimals',
  discount: 'A discount needs a percentage, with at most 4 decimals, and areas',
  no_last_duration: 'Enter what applies after the last duration, or that it is free',
}
