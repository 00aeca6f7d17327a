import type { TFunction } from 'i18next'
import { type CdsPolicyContent, type CdsRule, type CdsTimeSpan, cdsWeekdays } from '#contract/cds.ts'
import { toMajor } from '#contract/money.ts'
import { formatMoney } from '#web/kit/format.ts'

interface TextContext {
  t: TFunction
  language: string
  currency: string
}

/** Sunday; a week from it has every weekday. */
const someSunday = Date.UTC(2026, 0, 4)
const dayMs = 86_400_000

const dayName = (day: number, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(someSunday + day * dayMs)

/** Days of a span: `Mon–Fri`, `Sat, Sun`. */
function daysText({ days_of_week: days }: CdsTimeSpan, language: string): string {
  const numbers = (days ?? []).map((day) => cdsWeekdays.indexOf(day)).toSorted((one, other) => one - other)
  const isRun =
    numbers.length > 2 && numbers.every((day, at) => at === 0 || day === (numbers[at - 1] ?? 0) + 1)
  return isRun
    ? `${dayName(numbers[0] ?? 0, language)}–${dayName(numbers.at(-1) ?? 0, language)}`
    : numbers.map((day) => dayName(day, language)).join(', ')
}

function spanText(span: CdsTimeSpan, { t, language }: TextContext): string {
  const { time_of_day_start: from = '00:00', time_of_day_end: to = '24:00', designated_period: period } = span
  const hasTimes = span.time_of_day_start !== undefined || span.time_of_day_end !== undefined
  return [
    span.weeks_of_month?.length
      ? t('curb:imports.policy.weeks', { weeks: span.weeks_of_month.join(', ') })
      : '',
    daysText(span, language),
    hasTimes ? `${from}–${to}` : '',
    span.months?.length ? t('curb:imports.policy.months', { months: span.months.join(', ') }) : '',
    period === undefined
      ? ''
      : t(span.designated_period_except ? 'curb:imports.policy.except' : 'curb:imports.policy.during', {
          period,
        }),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function ruleText(rule: CdsRule, { t, language, currency }: TextContext): string {
  const [rate] = rule.rate ?? []
  const users = [...(rule.user_classes ?? []), ...(rule.purposes ?? [])].join(', ')
  const others = (rule.user_classes_except ?? []).join(', ')
  return [
    t(`curb:imports.activity.${rule.activity.replaceAll(' ', '_')}`),
    users === '' ? '' : t('curb:imports.policy.for', { users }),
    others === '' ? '' : t('curb:imports.policy.notFor', { users: others }),
    rule.max_stay === undefined
      ? ''
      : t('curb:imports.policy.stay', {
          stay: rule.max_stay,
          unit: t(`curb:imports.unit.${rule.max_stay_unit ?? 'minute'}`),
        }),
    rate === undefined
      ? ''
      : t('curb:imports.policy.rate', {
          amount: formatMoney(toMajor(rate.rate, currency), currency, language),
          unit: t(`curb:imports.unit.${rate.rate_unit}`),
        }),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** A policy in one line: what is allowed or forbidden to whom, and when. */
export function policyText(policy: CdsPolicyContent, context: TextContext): string {
  const rules = policy.rules.map((rule) => ruleText(rule, context)).join('; ')
  const spans = (policy.time_spans ?? []).map((span) => spanText(span, context)).filter((text) => text !== '')
  return `${rules}: ${spans.length ? spans.join('; ') : context.t('curb:imports.policy.always')}`
}
