import type { CdsPolicyContent, CdsRate, CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import type { CurbPolicyV2 } from '#contract/curb-policy-view.ts'
import { VehicleType } from '#contract/mobility.ts'
import { toMajor } from '#contract/money.ts'
import { localDay } from '#contract/period.ts'
import type { PolicyStatus } from '#contract/policy.ts'

/** What the Policy v2 shape needs besides the content of a policy. */
export interface PolicyContext {
  id: string
  isPublished: boolean
  layerId: string | null
  currency: string
  timezone: string
}

/** Whether all time spans of a policy have ended. */
export function hasExpired({ time_spans: spans = [] }: CdsPolicyContent, at: Date): boolean {
  return spans.length > 0 && spans.every(({ end_date: end }) => end !== undefined && end <= at.getTime())
}

/** Returns the status of a policy, in terms of the specification, as for mobility policies. */
export function getRegulationStatus(policy: CdsPolicyContent, isPublished: boolean, at: Date): PolicyStatus {
  if (hasExpired(policy, at)) return 'expired'
  return isPublished ? 'published' : 'saved'
}

/** Lists the distinct user classes or purposes of all rules. */
export const listWords = (rules: readonly CdsRule[], key: 'user_classes' | 'purposes'): string[] => [
  ...new Set(rules.flatMap((rule) => rule[key] ?? [])),
]

/** Whether a stay can cost money. */
export const isPaid = ({ rules }: CdsPolicyContent): boolean =>
  rules.some(({ rate = [] }) => rate.some(({ rate: amount }) => amount > 0))

const toRateV2 = (currency: string, rate: CdsRate): CurbPolicyV2['rules'][number]['rate'][number] => ({
  rate_type: rate.rate === 0 ? 'free' : `per_${rate.rate_unit}`,
  value: toMajor(rate.rate, currency),
  start_duration: rate.start_duration ?? null,
  end_duration: rate.end_duration ?? null,
  maximum_fee: rate.maximum_fee === undefined ? null : toMajor(rate.maximum_fee, currency),
})

function getScheduleType(span: CdsTimeSpan): CurbPolicyV2['schedules'][number]['schedule_type'] {
  if (span.designated_period !== undefined) return 'designated_period'
  const isRecurring =
    [span.days_of_week, span.days_of_month, span.weeks_of_month, span.months].some((days) => days?.length) ||
    span.time_of_day_start !== undefined ||
    span.time_of_day_end !== undefined
  if (isRecurring) return 'recurring'
  return span.start_date === undefined && span.end_date === undefined ? 'always' : 'dates'
}

const toScheduleV2 = (span: CdsTimeSpan): CurbPolicyV2['schedules'][number] => ({
  schedule_type: getScheduleType(span),
  days_of_week: span.days_of_week ?? [],
  days_of_month: span.days_of_month ?? [],
  months: span.months ?? [],
  start_time: span.time_of_day_start ?? null,
  end_time: span.time_of_day_end ?? null,
})

/** Reads the first and last local day on which a policy applies; null if it has no start or no end. */
function readDates({ time_spans: spans = [] }: CdsPolicyContent, timezone: string) {
  /** Returns the values; null if there are none or any is missing. */
  const requireAll = (values: (number | undefined)[]): number[] | null =>
    values.length && values.every((value) => value !== undefined) ? (values as number[]) : null
  const starts = requireAll(spans.map((span) => span.start_date))
  const ends = requireAll(spans.map((span) => span.end_date))
  return {
    start_date: starts && localDay(new Date(Math.min(...starts)), timezone),
    // Ends are exclusive, so an end at midnight means the day before.
    end_date: ends && localDay(new Date(Math.max(...ends) - 1), timezone),
  }
}

/** Returns a curb policy in the Policy v2 shape of the specification. */
export function toPolicyV2(
  policy: CdsPolicyContent,
  { id, isPublished, layerId, currency, timezone }: PolicyContext,
  at: Date,
): CurbPolicyV2 {
  const classes = listWords(policy.rules, 'user_classes')
  const spans = policy.time_spans ?? []
  return {
    id,
    type: policy.rules[0]?.activity ?? 'parking',
    vehicle_types: classes.filter((userClass) => VehicleType.safeParse(userClass).success),
    category: 'curb',
    shape_layer_id: layerId,
    user_class: classes,
    ...readDates(policy, timezone),
    status: getRegulationStatus(policy, isPublished, at),
    rules: policy.rules.map((rule) => ({
      activity: rule.activity,
      unit: rule.max_stay === undefined ? null : (rule.max_stay_unit ?? 'minute'),
      maximum: rule.max_stay ?? null,
      rate: (rule.rate ?? []).map((rate) => toRateV2(currency, rate)),
      policy: id,
    })),
    schedules: spans.length ? spans.map(toScheduleV2) : [toScheduleV2({})],
  }
}
