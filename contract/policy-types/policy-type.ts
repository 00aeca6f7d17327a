import type { MdsRule } from '../mds-policy.ts'
import type { Policy, PolicyFields, PolicyGroup, PolicyUnit, VehicleCountMethod } from '../policy.ts'

/** What a type may offer on its form beside name, type, description, date range, operators, vehicle types and propulsion types, which all offer. */
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

/** What a fault can stand at. */
export type FaultField = OfferedField | 'policy_name' | 'policy_type'

/** What is wrong with a field; the texts are in fault-texts.ts. */
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

/** Each faulty field with its fault; empty where a policy can be saved. */
export type PolicyFaults = Partial<Record<FaultField, PolicyFault>>

/** What compliance measures for a policy (metrics.md, Policy compliance). */
export type Measure =
  | { kind: 'fleet'; method: VehicleCountMethod }
  | { kind: 'fleet_in_shape'; share: boolean }
  | { kind: 'drop_offs' }
  | { kind: 'trips_per_vehicle' }
  | { kind: 'parked_longer' }
  | { kind: 'parked' }
  | { kind: 'ridden' }
  | { kind: 'speeding' }
  | { kind: 'parked_share' }
  | { kind: 'fee' }

/** What a policy's MDS rules are made with beside the policy itself. */
export interface RuleScope {
  /** The geographies that the policy stands on: its shapes, or the region's boundary. */
  geographies: readonly {
    geography_id: string
    name: string
    /** The shape that it was made of. */ shape_uuid?: string | null
  }[]
  /** ISO 4217. */
  currency: string
}

/** What a policy must have of a rule. Its id and what is common to all rules of the policy are added by mds-rules.ts. */
export type RuleDraft = Pick<MdsRule, 'name' | 'rule_type' | 'states'> & Partial<Omit<MdsRule, 'rule_id'>>

/** A type of policy: which fields it offers and requires, how it is checked, what it is in MDS and what is measured for it. Pure; no type knows another. */
export interface PolicyType {
  readonly name: string
  readonly group: PolicyGroup
  readonly countsBased: boolean
  readonly timeframeUnit: 'days' | 'hours' | 'minutes'
  readonly isFee: boolean
  /** Where it may hold: on shapes of a layer; there or in the whole region as an option; always in the entire region. */
  readonly place: 'shapes' | 'shapes_or_citywide' | 'region'
  /** Units to choose from. */
  readonly units: readonly PolicyUnit[]
  /** Fields on the form, by what is chosen already. The geography follows from `place`. */
  offeredFields(policy: PolicyFields): readonly Exclude<OfferedField, 'shape_layer_uuid' | 'shape_uuids'>[]
  /** Which of them must be filled, and what is said where they are not. */
  requiredFields(policy: PolicyFields): Partial<Record<OfferedField, PolicyFault>>
  /** What it begins with when a policy becomes one of this type. */
  initialFields(about: { locale: string }): { unit?: PolicyUnit; parking_fee_type?: 'fixed_price_per_event' }
  /** Faults of its own, beside what is checked for all. */
  faults?(policy: PolicyFields, about: { currency: string }): PolicyFaults
  measure(policy: PolicyFields): Measure
  mdsRules(policy: Policy, ground: RuleScope): RuleDraft[]
}

/** What is said of a fault, in English (1-product, section 5, where it has a text). */
export const faultTexts: Record<PolicyFault, string> = {
  required: 'Please enter a value',
  // Of a trip fee's value: it is required, but nothing is said.
  required_silently: '',
  whole_hours: "Policy only supports hour increments. Minutes must be ':00'",
  same_times: 'Start and end time must differ',
  integer: 'Please enter a whole number that is not negative',
  minimum_over_maximum: 'The minimum is over the maximum',
  percent: 'Please enter a percentage from 0 to 100',
  amount: 'Please enter an amount that the currency can pay',
  one_row: 'The price table needs at least one row',
  times_overlap: 'The times of a day overlap',
  durations_overlap: 'The durations overlap or leave a gap',
  duration_order: 'A duration must end after it starts',
}
