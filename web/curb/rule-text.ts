import type { TFunction } from 'i18next'
import {
  type CdsPolicyContent,
  type CdsRate,
  type CdsRule,
  type CdsTimeSpan,
  cdsWeekdays,
  type CdsTimeUnit,
} from '#contract/cds.ts'
import type { CurbMapSituation } from '#contract/curb-map.ts'
import { type PriorityBand, getPriorityBand } from '#contract/curb-regulations.ts'
import type { CurbWeekLine, RateWords } from '#contract/curb-rules.ts'
import { toMajor } from '#contract/money.ts'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { formatSpan } from '#web/kit/format-duration.ts'
import { formatMoney } from '#web/kit/format.ts'
import { formatWeekday } from '#web/kit/weekdays.ts'
import { formatClockRange } from '#web/kit/time/time-of-day.ts'

/** What texts about regulations depend on. */
export interface TextContext {
  t: TFunction
  language: string
  currency: string
  timezone: string
}

/** Formats the name of a user class or purpose; in a city's own, spaces replace underscores. */
export const formatUserClass = (t: TFunction, name: string): string =>
  t(`curb:regulations.class.${name}`, { defaultValue: name.replaceAll('_', ' ') })
export const formatPurpose = (t: TFunction, name: string): string =>
  t(`curb:regulations.purpose.${name}`, { defaultValue: name.replaceAll('_', ' ') })
/** Formats the name of a user class or of a purpose, for fields that accept either. */
export const formatUser = (t: TFunction, name: string): string =>
  t([`curb:regulations.class.${name}`, `curb:regulations.purpose.${name}`], {
    defaultValue: name.replaceAll('_', ' '),
  })
export const capitalize = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1)
export const formatActivity = (t: TFunction, activity: string): string =>
  t(`curb:regulations.activity.${activity.replaceAll(' ', '_')}`)
export const formatDesignatedPeriod = (t: TFunction, period: string): string =>
  t(`curb:regulations.period.${period.replaceAll(' ', '_')}`, { defaultValue: period })
export const formatPriorityBand = (t: TFunction, band: PriorityBand): string =>
  t(`curb:regulations.band.${band.key}`)
export const formatPriority = (t: TFunction, priority: number): string =>
  `${priority} · ${formatPriorityBand(t, getPriorityBand(priority))}`

/** Formats a duration in a unit of CDS, such as `2 hours`. */
export const formatCdsDuration = (t: TFunction, count: number, unit: CdsTimeUnit = 'minute'): string =>
  t(`curb:regulations.duration.${unit}`, { count })

/** Formats a rate such as `$2.00 per hour, from 1 hour to 2 hours`. */
export function formatCdsRate({ t, currency, language }: TextContext, rate: CdsRate): string {
  const { start_duration: from = 0, end_duration: to, rate_unit: unit, maximum_fee: maxFee } = rate
  const formatMinor = (minor: number): string => formatMoney(toMajor(minor, currency), currency, language)
  const price =
    rate.rate === 0
      ? t('curb:regulations.rate.free')
      : t('curb:regulations.rate.per', {
          amount: formatMinor(rate.rate),
          unit: t(`curb:regulations.unit.${unit}`),
        })
  const cap = maxFee === undefined ? null : t('curb:regulations.rate.atMost', { amount: formatMinor(maxFee) })
  return [price, formatStay(t, from, to, unit), cap].filter((text) => text !== null).join(' ')
}

/** Formats the part of a stay that a rate is for, such as `from 1 hour to 2 hours`; null for an entire stay. */
function formatStay(t: TFunction, from: number, to: number | undefined, unit: CdsTimeUnit): string | null {
  const start = formatCdsDuration(t, from, unit)
  if (to === undefined) return from ? t('curb:regulations.rate.from', { from: start }) : null
  const end = formatCdsDuration(t, to, unit)
  if (from) return t('curb:regulations.rate.between', { from: start, to: end })
  return t('curb:regulations.rate.until', { to: end })
}

/** Formats a rule in one line: activity, users, maximum stay and price. */
export function formatCdsRule(context: TextContext, rule: CdsRule): string {
  const { t, language } = context
  const joinTexts = (texts: string[]): string =>
    new Intl.ListFormat(language, { type: 'conjunction' }).format(texts)
  const {
    user_classes: classes = [],
    user_classes_except: except = [],
    purposes = [],
    max_stay: stay,
    no_return: noReturn,
    rate = [],
  } = rule
  return [
    formatActivity(t, rule.activity),
    classes.length ? joinTexts(classes.map((userClass) => formatUserClass(t, userClass))) : null,
    except.length
      ? t('curb:regulations.rule.except', {
          classes: joinTexts(except.map((userClass) => formatUserClass(t, userClass))),
        })
      : null,
    purposes.length ? joinTexts(purposes.map((purpose) => formatPurpose(t, purpose))) : null,
    stay === undefined
      ? null
      : t('curb:regulations.rule.atMost', { duration: formatCdsDuration(t, stay, rule.max_stay_unit) }),
    noReturn === undefined
      ? null
      : t('curb:regulations.rule.noReturn', {
          duration: formatCdsDuration(t, noReturn, rule.no_return_unit),
        }),
    ...rate.map((singleRate) => formatCdsRate(context, singleRate)),
  ]
    .filter((text) => text !== null)
    .join(' · ')
}

/** Formats consecutive numbers as ranges such as `1–3, 5`. */
function formatRanges(values: readonly number[], formatValue: (value: number) => string): string {
  const ranges: [number, number][] = []
  for (const value of values.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === value - 1) last[1] = value
    else ranges.push([value, value])
  }
  return ranges
    .map(([from, to]) =>
      from === to
        ? formatValue(from)
        : `${formatValue(from)}${to === from + 1 ? ', ' : '–'}${formatValue(to)}`,
    )
    .join(', ')
}

/** Returns the ISO weekday (Monday is 1, Sunday is 7) of a CDS weekday; CDS lists Sunday first. */
export const isoWeekday = (day: (typeof cdsWeekdays)[number]): number => cdsWeekdays.indexOf(day) || 7
/** Formats a month (1 to 12) as its short name. */
export const formatMonthName = (month: number, language: string): string =>
  new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' }).format(Date.UTC(2026, month - 1, 1))

/** Formats the local day of an instant (in ms) as `YYYY-MM-DD`. */
export const formatLocalDay = (ms: number, timezone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(ms)

/** Formats a time span in a line: days, times, months, dates, designated period. */
export function formatTimeSpan({ t, language, timezone }: TextContext, span: CdsTimeSpan): string {
  const { time_of_day_start: from, time_of_day_end: to, start_date: start, end_date: end } = span
  const weekdays = span.days_of_week ?? []
  const formatDate = (ms: number): string => formatDay(formatLocalDay(ms, timezone), language)
  const conditions = [
    weekdays.length && weekdays.length < 7
      ? formatRanges(weekdays.map(isoWeekday), (day) => formatWeekday(day, language, 'short'))
      : null,
    span.weeks_of_month?.length
      ? t('curb:regulations.span.weeks', { weeks: formatRanges(span.weeks_of_month, String) })
      : null,
    span.days_of_month?.length
      ? t('curb:regulations.span.daysOfMonth', { days: formatRanges(span.days_of_month, String) })
      : null,
    from === undefined && to === undefined ? null : formatClockRange(from ?? '00:00', to ?? '24:00'),
    span.months?.length ? formatRanges(span.months, (month) => formatMonthName(month, language)) : null,
    start === undefined ? null : t('curb:regulations.span.from', { date: formatDate(start) }),
    // The end is exclusive.
    end === undefined ? null : t('curb:regulations.span.until', { date: formatDate(end - 1) }),
    span.designated_period === undefined
      ? null
      : t(
          span.designated_period_except
            ? 'curb:regulations.span.exceptPeriod'
            : 'curb:regulations.span.onlyPeriod',
          { period: formatDesignatedPeriod(t, span.designated_period) },
        ),
  ].filter((text) => text !== null)
  return conditions.length ? conditions.join(' · ') : t('curb:regulations.span.always')
}

/** Formats a policy in one line: what is allowed or forbidden, for whom, and when. */
export function formatCdsPolicy(policy: CdsPolicyContent, context: TextContext): string {
  const rules = policy.rules.map((rule) => formatCdsRule(context, rule)).join('; ')
  const spans = (policy.time_spans ?? []).map((span) => formatTimeSpan(context, span))
  return `${rules}: ${spans.length ? spans.join('; ') : context.t('curb:imports.policy.always')}`
}

/** Formats what a vehicle may do, such as `Paid parking, 2 hr, $1.50 for the first hour`. */
export function formatSituation(t: TFunction, situation: CurbMapSituation, currency: string): string {
  const { state, max_stay: stay, first_hour: price } = situation
  return [
    t(`curb:map.state.${state}`),
    ...(stay === null ? [] : [t('curb:map.text.maxStay', { time: formatSpan(stay * 60) })]),
    ...(price === null || price === 0
      ? []
      : [t('curb:map.text.firstHour', { amount: formatMoney(toMajor(price, currency), currency) })]),
  ].join(', ')
}

function formatRateWords(t: TFunction, rate: RateWords, currency: string): string {
  const amount = formatMoney(toMajor(rate.rate, currency), currency)
  const price = t('curb:map.text.rate', { amount, unit: t(`curb:map.unit.${rate.unit}`) })
  return rate.from > 0 ? t('curb:map.text.rateFrom', { price, time: formatSpan(rate.from * 60) }) : price
}

/** Formats ISO weekdays, such as `Mon–Fri`. */
export const formatWeekdays = (t: TFunction, days: readonly number[], language: string): string =>
  days.length === 7
    ? t('curb:map.text.everyDay')
    : formatRanges(days, (day) => formatWeekday(day, language, 'short'))

/** Formats a line of a week, such as `Paid parking, up to 2 hr, $1.50 per hour, trucks only`. */
export function formatWeekLine(t: TFunction, line: CurbWeekLine, currency: string): string {
  const users = [...line.user_classes, ...line.purposes].map((name) => formatUser(t, name))
  return [
    t(`curb:map.state.${line.state}`),
    ...(line.max_stay === null ? [] : [t('curb:map.text.maxStay', { time: formatSpan(line.max_stay * 60) })]),
    ...line.rates.filter(({ rate }) => rate > 0).map((rate) => formatRateWords(t, rate, currency)),
    ...(users.length ? [t('curb:map.text.only', { users: users.join(', ') })] : []),
    ...(line.user_classes_except.length
      ? [
          t('curb:map.text.except', {
            users: line.user_classes_except.map((name) => formatUser(t, name)).join(', '),
          }),
        ]
      : []),
  ].join(', ')
}
