import { z } from 'zod'
import { cdsTimeUnits, CdsWeekday, CurbActivity, CurbId } from './cds.ts'
import { LocalDay } from './period.ts'
import { PolicyStatus } from './policy.ts'

/** Price of a rule in Policy v2 of the specification, in major units of the region's currency. */
const PolicyV2Rate = z.object({
  rate_type: z.enum(['free', ...cdsTimeUnits.map((unit) => `per_${unit}` as const)]),
  value: z.number(),
  /** The part of the stay to which the rate applies, in the time unit of `rate_type`. */
  start_duration: z.number().nullable(),
  end_duration: z.number().nullable(),
  maximum_fee: z.number().nullable(),
})
export const PolicyV2Rule = z.object({
  activity: CurbActivity,
  /** Unit of `maximum`, the maximum stay. */
  unit: z.enum(cdsTimeUnits).nullable(),
  maximum: z.number().nullable(),
  rate: z.array(PolicyV2Rate),
  policy: CurbId,
})
export const PolicyV2Schedule = z.object({
  schedule_type: z.enum(['always', 'recurring', 'dates', 'designated_period']),
  days_of_week: z.array(CdsWeekday),
  days_of_month: z.array(z.number().int()),
  months: z.array(z.number().int()),
  start_time: z.string().nullable(),
  end_time: z.string().nullable(),
})

export const CurbPolicyV2 = z.object({
  id: CurbId,
  /** The activity of the first rule. */
  type: CurbActivity,
  vehicle_types: z.array(z.string()),
  category: z.literal('curb'),
  /** The layer of the region's curb zones; null until there is one. */
  shape_layer_id: z.uuid().nullable(),
  user_class: z.array(z.string()),
  /** Local days of the region. */
  start_date: LocalDay.nullable(),
  end_date: LocalDay.nullable(),
  status: PolicyStatus,
  rules: z.array(PolicyV2Rule),
  schedules: z.array(PolicyV2Schedule),
})
export type CurbPolicyV2 = z.infer<typeof CurbPolicyV2>
