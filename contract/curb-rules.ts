import { z } from 'zod'
import { CdsRate, CurbId } from './cds.ts'

/** What a vehicle wants to do at the curb. CDS rules permit or forbid these. */
export const curbUses = ['parking', 'loading', 'unloading', 'stopping', 'travel'] as const
export const CurbUse = z.enum(curbUses)
export type CurbUse = z.infer<typeof CurbUse>

/** `not_regulated`: no rule in force says anything about it for this vehicle (decision 041). */
export const CurbAnswer = z.enum(['allowed', 'forbidden', 'not_regulated'])
export type CurbAnswer = z.infer<typeof CurbAnswer>

/**
 * What a curb is for one vehicle and purpose at an instant: one value per stretch of a map, strictest first.
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
export const CurbState = z.enum(curbStates)
export type CurbState = z.infer<typeof CurbState>

/** The rule that decides: `rule` is its index in the policy. */
export const RuleReference = z.object({ curb_policy_id: CurbId, rule: z.number().int().min(0) })
export type RuleReference = z.infer<typeof RuleReference>

/** What a rule says about one use of the curb. Durations are in minutes; null: no limit. */
export const CurbVerdict = z
  .object({
    answer: CurbAnswer,
    /** null: no rule decides. */
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
  /** How far the search for a change went. */
  searched_until: z.number().int(),
}).meta({ id: 'CurbDecision' })
export type CurbDecision = z.infer<typeof CurbDecision>

/** Everything about one vehicle at an instant: the state, and the decision for each use. */
export const CurbSituation = z
  .object({ state: CurbState, uses: z.record(CurbUse, CurbDecision) })
  .meta({ id: 'CurbSituation' })
export type CurbSituation = z.infer<typeof CurbSituation>

/** The instant from which a curb has a state, ms since 1970. */
export const CurbTransition = z.tuple([z.number().int(), CurbState])
export type CurbTransition = z.infer<typeof CurbTransition>

/** What a stay costs, in minor units of the currency. `parts`: what each rate adds, by its index. */
export const StayCharge = z
  .object({
    amount: z.number().int().min(0),
    parts: z.array(z.object({ rate: z.number().int().min(0), amount: z.number().int().min(0) })),
  })
  .meta({ id: 'StayCharge' })
export type StayCharge = z.infer<typeof StayCharge>
