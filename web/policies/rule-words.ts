import type { PolicyFields } from '#contract/policy.ts'
import { sentEndTime } from '#contract/policy-types/policy-times.ts'
import { formatMoney, formatInteger, formatPercent } from '#web/kit/format.ts'
import { formatTimeRange, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import { orderedWeekdays, formatWeekday } from '#web/kit/weekdays.ts'
import { runsOvernight, parseOptionalClock } from './clock-text.ts'
import { formatDaysOfWeek } from './days-text.ts'
import { mdsRuleWords } from './mds-rule-words.ts'
import { formatPlaceInRule } from './place-text.ts'
import { formatPriceLines } from './price-text.ts'
import { formatPolicyType } from './type-text.ts'
import {
  isEveryVehicleType,
  formatOperators,
  formatPropulsionTypes,
  formatVehicleStates,
  formatVehicleTypes,
} from './who-text.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

const midnight = { hour: 0, minute: 0 }
const endOfDay = { hour: 24, minute: 0 }

type RuleFormatter = (policy: PolicyFields, context: PolicyTextContext) => string

type NumberFormatter = (value: number) => string
const formatPercentage: NumberFormatter = (value) => formatPercent(value / 100)

/** Text such as `at least 5 and at most 20`, or that no bound is set. */
function formatRange(
  { minimum, maximum }: PolicyFields,
  { t }: PolicyTextContext,
  number: NumberFormatter,
): string {
  if (minimum !== null && maximum !== null)
    return t('policies:rule.between', { minimum: number(minimum), maximum: number(maximum) })
  if (minimum !== null) return t('policies:rule.atLeast', { minimum: number(minimum) })
  return maximum === null ? t('policies:rule.any') : t('policies:rule.atMost', { maximum: number(maximum) })
}

const formatPolicyPlace: RuleFormatter = (policy, context) =>
  context.place ?? formatPlaceInRule(policy, context)
const formatPolicyPrice = ({ value }: PolicyFields, { currency, language }: PolicyTextContext): string =>
  formatMoney(value, currency, language)
const withPlace =
  (key: string): RuleFormatter =>
  (policy, context) =>
    context.t(`policies:rule.${key}`, { place: formatPolicyPlace(policy, context) })
const withRange =
  (key: string, number: NumberFormatter = formatInteger): RuleFormatter =>
  (policy, context) =>
    context.t(`policies:rule.${key}`, {
      range: formatRange(policy, context, number),
      place: formatPolicyPlace(policy, context),
    })
const withPrice =
  (key: string): RuleFormatter =>
  (policy, context) =>
    context.t(`policies:rule.${key}`, { price: formatPolicyPrice(policy, context) })

const ruleFormatters: Record<string, RuleFormatter> = {
  no_ride: withPlace('no_ride'),
  no_parking: withPlace('no_parking'),
  parking_time_limit: (policy, context) =>
    policy.maximum === null
      ? withPlace('parking_time_open')(policy, context)
      : context.t('policies:rule.parking_time_limit', {
          place: formatPolicyPlace(policy, context),
          time: context.t(`policies:span.${policy.unit ?? 'hours'}`, { count: policy.maximum }),
        }),
  vehicle_cap: withRange('vehicle_cap'),
  distribution: (policy, context) =>
    (policy.allocation === 'percent_vehicles_per_operator_per_shape'
      ? withRange('distributionShare', formatPercentage)
      : withRange('distribution'))(policy, context),
  operator_drop_offs: withRange('operator_drop_offs'),
  slow_ride: (policy, context) =>
    policy.maximum === null
      ? withPlace('slow_ride_open')(policy, context)
      : context.t('policies:rule.slow_ride', {
          place: formatPolicyPlace(policy, context),
          speed: `${formatInteger(policy.maximum)} ${context.t(`policies:unit.${policy.unit ?? 'kph'}`)}`,
        }),
  utilization: withRange('utilization'),
  trip_fees: withPrice('trip_fees'),
  vehicle_fees: withPrice('vehicle_fees'),
  preferred_parking: (policy, context) =>
    policy.minimum === null
      ? withPlace('preferred_parking_open')(policy, context)
      : context.t('policies:rule.preferred_parking', {
          place: formatPolicyPlace(policy, context),
          share: formatPercentage(policy.minimum),
        }),
  parking_fees: (policy, context) => {
    const fixed = policy.fee_properties.parking_fee_type === 'fixed_price_per_event'
    return context.t(`policies:rule.${fixed ? 'parking_fees' : 'parking_fees_varying'}`, {
      price: formatPolicyPrice(policy, context),
      place: formatPolicyPlace(policy, context),
    })
  },
}

/** Maximum number of overnight windows that are spelled out. */
const maxNamedNights = 3

/** Formats the days and times at which a policy applies, as a sentence. */
function formatDaysAndTimes(
  { start_time: start, end_time: end, days }: PolicyFields,
  { t, language }: PolicyTextContext,
): string {
  const isEveryDay = days.length % 7 === 0
  const dayNames = isEveryDay ? t('policies:rule.everyDay') : formatDaysOfWeek(t, days, language)
  const from = parseOptionalClock(start) ?? midnight
  const until = parseOptionalClock(sentEndTime(end)) ?? endOfDay
  if (from.hour + from.minute === 0 && until === endOfDay)
    return t('policies:rule.whenAllDay', { days: dayNames })
  if (!runsOvernight(start, end))
    return t('policies:rule.when', { days: dayNames, times: formatTimeRange(from, until) })
  if (isEveryDay || days.length > maxNamedNights)
    return t('policies:rule.overnight', {
      days: dayNames,
      from: formatTimeOfDay(from),
      to: formatTimeOfDay(until),
    })
  const nights = orderedWeekdays(1)
    .filter((day) => days.includes(day))
    .map((day) =>
      t('policies:rule.night', {
        from: `${formatWeekday(day, language, 'short')} ${formatTimeOfDay(from)}`,
        to: `${formatWeekday((day % 7) + 1, language, 'short')} ${formatTimeOfDay(until)}`,
      }),
    )
  return t('policies:rule.nights', { nights: nights.join(', ') })
}

/** Returns a policy in plain sentences: what applies where, when and to whom. */
export function ruleWords(policy: PolicyFields, context: PolicyTextContext): string[] {
  const { t, language } = context
  const { imported_mds: imported } = policy
  if (imported)
    return mdsRuleWords(imported, {
      t,
      language,
      placeName: (id) => imported.places.find((place) => place.geography_id === id)?.name ?? null,
    })
  const { start_time: start, end_time: end, days } = policy
  const requirement =
    ruleFormatters[policy.policy_type]?.(policy, context) ??
    t('policies:rule.other', {
      type: formatPolicyType(t, policy.policy_type),
      place: formatPolicyPlace(policy, context),
    })
  const isTimed = start !== null || end !== null || days.length > 0
  const when = isTimed ? [formatDaysAndTimes(policy, context)] : []
  const who = [
    policy.operators.length
      ? t('policies:rule.operators', { operators: formatOperators(policy, context) })
      : '',
    isEveryVehicleType(policy.vehicle_types)
      ? ''
      : t('policies:rule.vehicleTypes', { types: formatVehicleTypes(policy, context) }),
    policy.propulsion_types.length
      ? t('policies:rule.propulsion', { types: formatPropulsionTypes(policy, context) })
      : '',
    policy.vehicle_states === null
      ? ''
      : t('policies:rule.states', { states: formatVehicleStates(policy, context) }),
  ]
  return [requirement, ...formatPriceLines(policy.fee_properties, context), ...when, ...who.filter(Boolean)]
}
