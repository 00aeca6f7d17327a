import type { TFunction } from 'i18next'
import { mdsDays, type MdsPolicy, type MdsRule } from '#contract/mds-policy.ts'
import { toMajor } from '#contract/money.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { formatMoney, formatInteger } from '#web/kit/format.ts'
import { formatTimeWindow } from './clock-text.ts'
import { formatDaysOfWeek } from './days-text.ts'
import { isEveryVehicleType } from './who-text.ts'

interface RuleTextContext {
  t: TFunction
  language: string
  /** Returns the name of a geography; null if it is unknown. */
  placeName: (id: string) => string | null
}

/** Maximum number of places that are listed by name. */
const maxNamedPlaces = 6
const hasState = ({ states }: MdsRule, state: string): boolean => Object.hasOwn(states ?? {}, state)
const isBan = ({ rule_type: type, minimum, maximum, rate_amount: rate }: MdsRule): boolean =>
  type === 'count' && maximum === 0 && !minimum && rate == null
/** Returns the ISO weekdays of a rule (Monday is 1); MDS lists days from Sunday on. */
const isoDays = ({ days }: MdsRule): number[] => (days ?? []).map((day) => mdsDays.indexOf(day) || 7)
/** Returns a time of a rule; null if it does not limit the day: absent, or the end of the day. */
const toTimeLimit = (time: string | null | undefined): string | null =>
  time == null || time.startsWith('24:') ? null : time

/** Formats the requirement of a rule, without places and times. */
function formatRequirement(rule: MdsRule, currency: string, { t, language }: RuleTextContext): string {
  const { rule_type: type, rule_units: units, minimum, maximum, rate_amount: rate } = rule
  if (isBan(rule))
    return t(hasState(rule, 'on_trip') ? 'policies:public.noRide' : 'policies:public.noParking')
  if (rate != null) {
    const unit = t(`policies:public.unit.${units ?? 'hours'}`, { defaultValue: units ?? '' })
    const amount = formatMoney(toMajor(rate, currency), currency, language)
    const recurrenceKey = `policies:public.recurrence.${rule.rate_recurrence ?? 'once_on_match'}`
    const price = `${amount} ${t(recurrenceKey, { unit, defaultValue: '' })}`.trim()
    return t('policies:public.price', { what: rule.name || t('policies:public.what.other'), price })
  }
  if (type === 'user' || (minimum == null && maximum == null))
    return rule.name || t('policies:public.what.other')
  const subject = t(`policies:public.what.${type}`, { defaultValue: rule.name })
  const unit = t(`policies:public.units.${units ?? 'devices'}`, { defaultValue: units ?? '' })
  const formatAmount = (value: number): string => `${formatInteger(value)} ${unit}`.trim()
  if (minimum == null)
    return t('policies:public.atMost', { what: subject, maximum: formatAmount(maximum ?? 0) })
  const bounds = { what: subject, minimum: formatAmount(minimum), maximum: formatAmount(maximum ?? 0) }
  return t(`policies:public.${maximum == null ? 'atLeast' : 'between'}`, bounds)
}

/** Formats when and to which vehicles a rule applies. */
function formatConditions(rule: MdsRule, { t, language }: RuleTextContext): string[] {
  const isTimed =
    Boolean(rule.days?.length) || toTimeLimit(rule.start_time) !== null || toTimeLimit(rule.end_time) !== null
  const types = rule.vehicle_types ?? []
  return [
    ...(isTimed
      ? [
          t('policies:public.when', {
            days: formatDaysOfWeek(t, isoDays(rule), language),
            times: formatTimeWindow(toTimeLimit(rule.start_time), toTimeLimit(rule.end_time)),
          }),
        ]
      : []),
    ...(isEveryVehicleType(types)
      ? []
      : [t('policies:public.vehicles', { types: types.map(vehicleTypeName).join(', ') })]),
  ]
}

/** Returns a published policy as plain text. Rules that differ only in their places are combined. */
export function mdsRuleWords(
  { rules, currency, provider_ids: providers }: Pick<MdsPolicy, 'rules' | 'currency' | 'provider_ids'>,
  context: RuleTextContext,
): string[] {
  const { t } = context
  const groups = new Map<string, { rule: MdsRule; ids: Set<string> }>()
  for (const rule of rules) {
    const key = [
      formatRequirement(rule, currency ?? 'USD', context),
      ...formatConditions(rule, context),
    ].join('\n')
    const group = groups.get(key) ?? { rule, ids: new Set() }
    for (const id of rule.geographies) group.ids.add(id)
    groups.set(key, group)
  }
  const formatRulePlaces = (ids: ReadonlySet<string>): string =>
    ids.size > maxNamedPlaces
      ? t('policies:public.places', { count: ids.size })
      : [...ids].map((id) => context.placeName(id) ?? t('policies:where.unknownLayer')).join(', ')
  const lines = [...groups.values()].map(({ rule, ids }) =>
    [
      t('policies:public.in', {
        rule: formatRequirement(rule, currency ?? 'USD', context),
        places: formatRulePlaces(ids),
      }),
      ...formatConditions(rule, context),
    ].join(' '),
  )
  return [...lines, ...(providers?.length ? [t('policies:public.someOperators')] : [])]
}
