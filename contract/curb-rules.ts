import { z } from 'zod'
import { CdsRate, CdsTimeUnit, CurbId } from './cds.ts'
import { LocalDay, Weekday } from './period.ts'

/** What a vehicle intends to do at the curb. CDS rules permit or forbid these. */
export const curbUses = ['parking', 'loading', 'unloading', 'stopping', 'travel'] as const
export const CurbUse = z.enum(curbUses)
export type CurbUse = z.infer<typeof CurbUse>

/** Whether a use is allowed. `not_regulated`: no rule in force decides for this vehicle (decision 041). */
export const CurbPermission = z.enum(['allowed', 'forbidden', 'not_regulated'])
export type CurbPermission = z.infer<typeof CurbPermission>

/**
 * State of a curb for one vehicle and purpose at an instant, which colors the map, strictest first.
 *
 * | state | meaning |
 * |---|---|
 * | `travel_lane` | a lane for moving vehicles: no stopping |
 * | `no_stopping` | no stopping, loading or parking |
 * | `no_parking` | no parking, and no rule allows loading or stopping |
 * | `reserved` | only other users or purposes may stop, load or park, such as buses or permit holders |
 * | `passenger` | stopping for passengers, no loading |
 * | `loading` | loading, unloading or both, no parking |
 * | `paid_parking` | parking for a fee, with or without a maximum stay |
 * | `time_limited` | free parking with a maximum stay |
 * | `free_parking` | free parking without a maximum stay |
 * | `not_regulated` | no rule in force for this vehicle: unknown, not allowed |
 */
export const curbStates = [
  'travel_lane',
  'no_stopping',
  'no_parking',
  'reserved',
  'passenger',
  'loading',
  'paid_parking',
  'time_limited',
  'free_parking',
  'not_regulated',
] as const
/** States in which nobody may stop, so a zone counts as closed. */
export const closedCurbStates: readonly (typeof curbStates)[number][] = [
  'travel_lane',
  'no_stopping',
  'no_parking',
]
export const CurbState = z.enum(curbStates)
export type CurbState = z.infer<typeof CurbState>

/** A rule of a policy; `rule` is its index. */
export const RuleReference = z.object({ curb_policy_id: CurbId, rule: z.number().int().min(0) })
export type RuleReference = z.infer<typeof RuleReference>

/** What the deciding rule allows for one use of the curb. Durations are in minutes; null: no limit. */
export const CurbVerdict = z
  .object({
    answer: CurbPermission,
    /** Null: no rule decides. */
    decided_by: RuleReference.nullable(),
    max_stay: z.number().min(0).nullable(),
    no_return: z.number().min(0).nullable(),
    /** Empty: no fee. */
    rates: z.array(CdsRate),
  })
  .meta({ id: 'CurbVerdict' })
export type CurbVerdict = z.infer<typeof CurbVerdict>

/** A verdict at an instant, and the next change. Instants are ms since 1970. */
export const CurbDecision = CurbVerdict.extend({
  /** The same rule decides until this instant, exclusive; null: at least until `searched_until`. */
  until: z.number().int().nullable(),
  /** What applies from `until`. */
  next: CurbVerdict.nullable(),
  /** End of the search for a change. */
  searched_until: z.number().int(),
}).meta({ id: 'CurbDecision' })
export type CurbDecision = z.infer<typeof CurbDecision>

/** The state of a curb for one vehicle at an instant, with the decision for each use. */
export const CurbSituation = z
  .object({ state: CurbState, uses: z.record(CurbUse, CurbDecision) })
  .meta({ id: 'CurbSituation' })
export type CurbSituation = z.infer<typeof CurbSituation>

/** Price of a stay in minor units of the currency. `parts`: the amount of each rate, by its index. */
export const StayCharge = z
  .object({
    amount: z.number().int().min(0),
    parts: z.array(z.object({ rate: z.number().int().min(0), amount: z.number().int().min(0) })),
  })
  .meta({ id: 'StayCharge' })
export type StayCharge = z.infer<typeof StayCharge>

/** A rate for display. */
export const RateWords = z.object({
  /** Minor units per `unit`. */
  rate: z.number().int().min(0),
  unit: CdsTimeUnit,
  /** Whether each started calendar unit costs the full rate. */
  is_calendar: z.boolean(),
  /** Minutes after arrival; null: no end. */
  from: z.number().min(0),
  until: z.number().min(0).nullable(),
  /** Minutes of a step in which time is sold; null: by the minute. */
  step: z.number().min(0).nullable(),
  maximum_fee: z.number().int().min(0).nullable(),
})
export type RateWords = z.infer<typeof RateWords>

/** One line of a week, such as Monday to Friday 09:00 to 18:00, paid parking. Durations are in minutes. */
export const CurbWeekLine = z
  .object({
    /** Days that share this line. The lines of the same days follow each other. */
    days: z.array(Weekday),
    /** Clock times, HH:MM; the end of the day is 24:00. */
    from: z.string(),
    until: z.string(),
    state: CurbState,
    decided_by: RuleReference.nullable(),
    max_stay: z.number().min(0).nullable(),
    no_return: z.number().min(0).nullable(),
    rates: z.array(RateWords),
    /** Users to whom the rule applies; for `reserved`, the other users. Empty: everybody. */
    user_classes: z.array(z.string()),
    user_classes_except: z.array(z.string()),
    purposes: z.array(z.string()),
  })
  .meta({ id: 'CurbWeekLine' })
export type CurbWeekLine = z.infer<typeof CurbWeekLine>

/** A week in local clock times that starts on a Monday. */
export const CurbWeek = z.object({ monday: LocalDay, lines: z.array(CurbWeekLine) }).meta({ id: 'CurbWeek' })
export type CurbWeek = z.infer<typeof CurbWeek>

/** Findings about a zone's policies. After an error it is unclear what applies; a warning may be intended. */
export const policyFindings = {
  contradiction: 'error',
  equal_priority: 'warning',
  rules_not_disjoint: 'error',
  never_applies: 'warning',
  rate_overlap: 'error',
  rate_gap: 'error',
  rate_too_short: 'error',
  rate_empty: 'error',
  rate_of_prohibition: 'error',
  rate_increment: 'warning',
  span_past: 'warning',
  policy_past: 'warning',
  span_empty: 'error',
  span_no_day: 'error',
  span_ends_2359: 'warning',
  unknown_period: 'warning',
  unknown_user_class: 'warning',
  unknown_purpose: 'warning',
} as const
export const PolicyFindingCode = z.enum(Object.keys(policyFindings) as (keyof typeof policyFindings)[])
export type PolicyFindingCode = z.infer<typeof PolicyFindingCode>

export const PolicyFinding = z
  .object({
    code: PolicyFindingCode,
    severity: z.enum(['error', 'warning']),
    curb_policy_id: CurbId,
    /** Index of the rule; null: the entire policy. */
    rule: z.number().int().min(0).nullable(),
    /** Path in the rule or policy, such as `rate[1].start_duration`. */
    field: z.string(),
    message: z.string(),
    /** The other rule, if the finding is about two. */
    other: RuleReference.nullable(),
  })
  .meta({ id: 'PolicyFinding' })
export type PolicyFinding = z.infer<typeof PolicyFinding>

/** A local time on days of the week. A time that ends before it starts ends on the next day. */
export const PrecedenceTime = z.object({
  days: z.array(Weekday),
  /** HH:MM; the end of the day is 24:00. */
  from: z.string(),
  until: z.string(),
})
export type PrecedenceTime = z.infer<typeof PrecedenceTime>
