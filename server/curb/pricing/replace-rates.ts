import {
  type CdsPolicyContent,
  type CdsRate,
  type CdsRule,
  type CdsTimeSpan,
  cdsWeekdays,
  type CdsTimeUnit,
} from '#contract/cds.ts'
import { appendTo } from '#contract/group-by.ts'
import { appliesTo, compileRuleSet } from '../rules/rule-set.ts'
import { dayMinutes, formatClock, getHourlyRate, parkingCar } from './zone-rates.ts'

/** A new rate on some weekdays (Monday 1 to Sunday 7) between two minutes of the local day. */
export interface RateChange {
  weekdays: readonly number[]
  from: number
  until: number
  /** Minor units per hour. */
  before: number
  after: number
}

const allWeekdays = [1, 2, 3, 4, 5, 6, 7] as const
const secondsPerUnit: Partial<Record<CdsTimeUnit, number>> = { second: 1, minute: 60, hour: 3600 }

/** A time at which a policy applies on one weekday, in minutes of the local day. */
interface DayTime {
  span: CdsTimeSpan
  weekday: number
  from: number
  until: number
}

/** A policy with times or rates that cannot be expressed with the new rates. */
export class NotSplittable extends Error {
  override name = 'NotSplittable'
}

/**
 * Splits a policy with a rate that changes at some times into policies with one rate each: first one for the
 * times that retain the old rate, then one for each new rate. Only the rules that let cars park get new
 * rates. Returns null if no change concerns the policy.
 * @throws NotSplittable.
 */
export function replaceRates(
  content: CdsPolicyContent,
  changes: readonly RateChange[],
): CdsPolicyContent[] | null {
  const carRules = listCarRules(content)
  const rates = new Set(
    [...carRules].flatMap((rule) => {
      const hourly = getHourlyRate(rule)
      return typeof hourly === 'object' && 'rate' in hourly ? hourly.rate : []
    }),
  )
  const [rate] = rates
  if (rate === undefined || rates.size > 1) return null
  const relevantChanges = changes.filter(({ before, after }) => before === rate && after !== rate)
  if (!relevantChanges.length) return null
  const timesByRate = new Map<number, DayTime[]>()
  for (const dayTime of listDayTimes(content))
    for (const ratedTime of cutDayTime(dayTime, relevantChanges))
      appendTo(timesByRate, ratedTime.rate ?? rate, ratedTime)
  if (timesByRate.size === 1 && timesByRate.has(rate)) return null
  return [...timesByRate]
    .toSorted(([a], [b]) => Number(b === rate) - Number(a === rate) || a - b)
    .map(([newRate, dayTimes]) => ({
      ...content,
      rules: content.rules.map((rule) =>
        newRate !== rate && carRules.has(rule) ? setRate(rule, newRate) : rule,
      ),
      time_spans: toTimeSpans(dayTimes),
    }))
}

/** Lists the rules of a policy that allow cars to park. */
function listCarRules(content: CdsPolicyContent): Set<CdsRule> {
  const { rules } = compileRuleSet([{ ...content, curb_policy_id: 'policy', published_date: 0 }])
  return new Set(
    rules
      .filter((compiled) => compiled.effects.parking === 'allowed' && appliesTo(compiled, parkingCar))
      .map(({ rule }) => rule),
  )
}

/** Parses a time `HH:MM` to minutes of the day. */
const parseMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Splits the times of a policy by weekday; times past midnight become times of the next day. */
function listDayTimes({ time_spans: spans }: CdsPolicyContent): DayTime[] {
  return (spans?.length ? spans : [{}]).flatMap((span: CdsTimeSpan) => {
    const from = parseMinutes(span.time_of_day_start ?? '00:00')
    const end = parseMinutes(span.time_of_day_end ?? '24:00')
    const until = end > from ? end : end + dayMinutes
    if (until > dayMinutes && dependsOnDay(span))
      throw new NotSplittable(
        'A policy that runs past midnight on some dates cannot be split at midnight. Change it in the library.',
      )
    const weekdays = span.days_of_week?.length
      ? allWeekdays.filter((weekday) => span.days_of_week?.includes(cdsWeekdays[weekday % 7]!))
      : allWeekdays
    return weekdays.flatMap((weekday) => [
      { span, weekday, from, until: Math.min(until, dayMinutes) },
      ...(until > dayMinutes
        ? [{ span, weekday: (weekday % 7) + 1, from: 0, until: until - dayMinutes }]
        : []),
    ])
  })
}

const dependsOnDay = (span: CdsTimeSpan): boolean =>
  Boolean(span.days_of_month?.length || span.weeks_of_month?.length || span.months?.length) ||
  span.designated_period !== undefined

/** Cuts a time where its rate changes. `rate` is null for what retains the old rate. */
function cutDayTime(dayTime: DayTime, changes: readonly RateChange[]): (DayTime & { rate: number | null })[] {
  const changesOfDay = changes.filter(({ weekdays }) => weekdays.includes(dayTime.weekday))
  const isInside = (minute: number): boolean => dayTime.from < minute && minute < dayTime.until
  const times = [
    ...new Set([dayTime.from, ...changesOfDay.flatMap(({ from, until }) => [from, until]).filter(isInside)]),
  ]
  times.sort((a, b) => a - b)
  const ratedTimes = times.map((from, index) => ({
    ...dayTime,
    from,
    until: times[index + 1] ?? dayTime.until,
    rate: changesOfDay.find((change) => change.from <= from && from < change.until)?.after ?? null,
  }))
  const joinedTimes: typeof ratedTimes = []
  for (const ratedTime of ratedTimes) {
    const lastTime = joinedTimes.at(-1)
    if (lastTime && lastTime.rate === ratedTime.rate) lastTime.until = ratedTime.until
    else joinedTimes.push(ratedTime)
  }
  return joinedTimes
}

/** Joins times into time spans, one for all weekdays with the same times. */
function toTimeSpans(dayTimes: readonly DayTime[]): CdsTimeSpan[] {
  const groups = new Map<string, { dayTime: DayTime; weekdays: Set<number> }>()
  const spans = [...new Set(dayTimes.map(({ span }) => span))]
  for (const dayTime of dayTimes) {
    const key = `${spans.indexOf(dayTime.span)} ${dayTime.from} ${dayTime.until}`
    const group = groups.get(key) ?? { dayTime, weekdays: new Set() }
    group.weekdays.add(dayTime.weekday)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ dayTime: { span, from, until }, weekdays }) => {
    const { days_of_week: _days, time_of_day_start: _start, time_of_day_end: _end, ...rest } = span
    return {
      ...rest,
      ...(weekdays.size < 7
        ? { days_of_week: allWeekdays.filter((day) => weekdays.has(day)).map((day) => cdsWeekdays[day % 7]!) }
        : {}),
      ...(from > 0 || until < dayMinutes
        ? { time_of_day_start: formatClock(from), time_of_day_end: formatClock(until) }
        : {}),
    }
  })
}

/** Returns a rule with another rate per hour. @throws NotSplittable if it is no whole amount per unit. */
function setRate(rule: CdsRule, hourly: number): CdsRule {
  const changeRate = (rate: CdsRate): CdsRate => {
    const seconds = secondsPerUnit[rate.rate_unit] ?? 0
    const newRate = (hourly * seconds) / 3600
    if (Number.isInteger(newRate)) return { ...rate, rate: newRate }
    throw new NotSplittable(
      `The policy has a rate per ${rate.rate_unit}, in which this rate cannot be written. Change it in the library.`,
    )
  }
  return { ...rule, rate: rule.rate?.map(changeRate) }
}
