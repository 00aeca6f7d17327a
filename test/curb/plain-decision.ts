// Reference implementation of the rules at the curb (decision 041), without code of the engine.
import type { CdsPolicy, CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import type { CurbState, CurbUse } from '#contract/curb-rules.ts'

export interface PlainQuestion {
  timezone: string
  at: number
  userClasses: readonly string[]
  purposes: readonly string[]
  operators: readonly string[]
  periods: ReadonlyMap<string, ReadonlySet<string>>
}

interface Clock {
  year: number
  month: number
  day: number
  /** Minutes after midnight. */
  time: number
}

const formats = new Map<string, Intl.DateTimeFormat>()
const clocks = new Map<string, Clock>()
const maxClocks = 300_000

function clockAt(timezone: string, ms: number): Clock {
  const key = `${timezone} ${Math.floor(ms / 60_000)}`
  let clock = clocks.get(key)
  if (clock) return clock
  let format = formats.get(timezone)
  if (!format) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' }
    format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, hourCycle: 'h23', ...parts } as object)
    formats.set(timezone, format)
  }
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  clock = {
    year: parts.get('year')!,
    month: parts.get('month')!,
    day: parts.get('day')!,
    time: parts.get('hour')! * 60 + parts.get('minute')!,
  }
  if (clocks.size < maxClocks) clocks.set(key, clock)
  return clock
}

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Whether a span may start on a local date. */
function matchesDay(span: CdsTimeSpan, date: Date, periods: PlainQuestion['periods']): boolean {
  const [day, month] = [date.getUTCDate(), date.getUTCMonth() + 1]
  if (span.days_of_week?.length && !(span.days_of_week as string[]).includes(dayNames[date.getUTCDay()]!))
    return false
  if (span.days_of_month?.length && !span.days_of_month.includes(day)) return false
  if (span.months?.length && !span.months.includes(month)) return false
  if (span.weeks_of_month?.length) {
    const week = day <= 7 ? 1 : day <= 14 ? 2 : day <= 21 ? 3 : day <= 28 ? 4 : 5
    if (!span.weeks_of_month.includes(week)) return false
  }
  if (span.designated_period === undefined) return true
  const isInPeriod = [...(periods.get(span.designated_period) ?? [])].includes(
    date.toISOString().slice(0, 10),
  )
  return span.designated_period_except === true ? !isInPeriod : isInPeriod
}

function isInSpan(span: CdsTimeSpan, { timezone, at, periods }: PlainQuestion): boolean {
  if (span.start_date !== undefined && at < span.start_date) return false
  if (span.end_date !== undefined && at >= span.end_date) return false
  const clock = clockAt(timezone, at)
  const today = new Date(Date.UTC(clock.year, clock.month - 1, clock.day))
  const yesterday = new Date(Date.UTC(clock.year, clock.month - 1, clock.day - 1))
  const toMinutes = (text: string): number => {
    const [hours, rest] = text.split(':')
    return Number(hours) * 60 + Number(rest)
  }
  const start = span.time_of_day_start === undefined ? 0 : toMinutes(span.time_of_day_start)
  const end = span.time_of_day_end === undefined ? 24 * 60 : toMinutes(span.time_of_day_end)
  if (start < end) return matchesDay(span, today, periods) && clock.time >= start && clock.time < end
  return (
    (matchesDay(span, today, periods) && clock.time >= start) ||
    (matchesDay(span, yesterday, periods) && clock.time < end)
  )
}

export function isForUser(policy: CdsPolicy, rule: CdsRule, question: PlainQuestion): boolean {
  const names = [...question.userClasses, ...question.purposes]
  for (const name of rule.user_classes ?? []) if (!names.includes(name)) return false
  for (const name of rule.user_classes_except ?? []) if (names.includes(name)) return false
  const purposes = rule.purposes ?? []
  if (purposes.length > 0 && !question.purposes.some((name) => purposes.includes(name))) return false
  const operators = (policy['data_source_operator_id'] ?? []) as string[]
  return operators.length === 0 || question.operators.some((id) => operators.includes(id))
}

/** Activities that forbid a use. */
export const forbids: Record<CurbUse, string[]> = {
  parking: ['no parking', 'no loading', 'no unloading', 'no stopping', 'travel'],
  loading: ['no loading', 'no stopping', 'travel'],
  unloading: ['no unloading', 'no stopping', 'travel'],
  stopping: ['no stopping', 'travel'],
  travel: ['no travel'],
}
/** Activities that permit a use. */
export const permits: Record<CurbUse, string[]> = {
  parking: ['parking'],
  loading: ['loading', 'parking'],
  unloading: ['unloading', 'parking'],
  stopping: ['stopping', 'loading', 'unloading', 'parking'],
  travel: ['travel'],
}

/** Activities that permit less than a use: they forbid it, unless a rule of the same priority permits it. */
export const exceeds: Record<CurbUse, string[]> = {
  parking: ['loading', 'unloading', 'stopping'],
  loading: ['stopping'],
  unloading: ['stopping'],
  stopping: [],
  travel: [],
}

export interface Active {
  policy: CdsPolicy
  rule: CdsRule
  index: number
}

export const activeRules = (policies: readonly CdsPolicy[], question: PlainQuestion): Active[] =>
  policies
    .filter(
      ({ time_spans: spans = [] }) => spans.length === 0 || spans.some((span) => isInSpan(span, question)),
    )
    .flatMap((policy) => policy.rules.map((rule, index) => ({ policy, rule, index })))

export interface PlainVerdict {
  answer: 'allowed' | 'forbidden' | 'not_regulated'
  /** Policy id and index of the rule. */
  by: [string, number] | null
  max_stay: number | null
}

const findFirst = (rules: readonly Active[]): Active | undefined =>
  rules.toSorted((a, b) => a.policy.curb_policy_id.localeCompare(b.policy.curb_policy_id))[0]

function decide(rules: readonly Active[], use: CurbUse): PlainVerdict & { found: Active | null } {
  const priorities = [...new Set(rules.map(({ policy }) => policy.priority))].toSorted((a, b) => a - b)
  for (const priority of priorities) {
    const same = rules.filter(({ policy }) => policy.priority === priority)
    const against = findFirst(same.filter(({ rule }) => forbids[use].includes(rule.activity)))
    if (against)
      return {
        answer: 'forbidden',
        by: [against.policy.curb_policy_id, against.index],
        max_stay: null,
        found: against,
      }
    const favor = findFirst(same.filter(({ rule }) => permits[use].includes(rule.activity)))
    if (favor)
      return {
        answer: 'allowed',
        by: [favor.policy.curb_policy_id, favor.index],
        max_stay: favor.rule.max_stay ?? null,
        found: favor,
      }
    const less = findFirst(same.filter(({ rule }) => exceeds[use].includes(rule.activity)))
    if (less)
      return {
        answer: 'forbidden',
        by: [less.policy.curb_policy_id, less.index],
        max_stay: null,
        found: less,
      }
  }
  return { answer: 'not_regulated', by: null, max_stay: null, found: null }
}

export function plainVerdict(
  policies: readonly CdsPolicy[],
  question: PlainQuestion,
  use: CurbUse,
): PlainVerdict {
  const userRules = activeRules(policies, question).filter(({ policy, rule }) =>
    isForUser(policy, rule, question),
  )
  const { answer, by, max_stay } = decide(userRules, use)
  return { answer, by, max_stay }
}

/** Returns the state as contract/curb-rules.ts defines it. */
export function plainState(policies: readonly CdsPolicy[], question: PlainQuestion): CurbState {
  const rulesInForce = activeRules(policies, question)
  const userRules = rulesInForce.filter(({ policy, rule }) => isForUser(policy, rule, question))
  const getVerdict = (use: CurbUse) => decide(userRules, use)
  const parking = getVerdict('parking')
  if (parking.answer === 'allowed') {
    const isPaid = (parking.found?.rule.rate ?? []).some(({ rate }) => rate > 0)
    return isPaid ? 'paid_parking' : parking.max_stay === null ? 'free_parking' : 'time_limited'
  }
  if (getVerdict('loading').answer === 'allowed' || getVerdict('unloading').answer === 'allowed')
    return 'loading'
  const stopping = getVerdict('stopping')
  if (stopping.answer === 'allowed') return 'passenger'
  const against = stopping.found ?? parking.found
  const others = rulesInForce.filter(
    ({ policy, rule }) => permits.stopping.includes(rule.activity) && !isForUser(policy, rule, question),
  )
  if (others.some(({ policy }) => !against || policy.priority < against.policy.priority)) return 'reserved'
  if (stopping.answer === 'forbidden')
    return stopping.found?.rule.activity === 'travel' ? 'travel_lane' : 'no_stopping'
  return parking.answer === 'forbidden' ? 'no_parking' : 'not_regulated'
}
