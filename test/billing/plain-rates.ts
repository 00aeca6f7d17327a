// Reference implementation of MDS rates, by the middle of each minute. Times must be full minutes.
import type { MdsRule } from '#contract/mds-policy.ts'
import { minuteMs } from '#contract/period.ts'
import { plainClock } from '../compliance/plain-clock.ts'

export interface PlainEvent {
  /** Milliseconds. */
  at: number
  state: string
  types: string[]
  /** Name of the only geography that contains it. */
  zone: string
  /** Number of its place. Places more than 100 m apart have different numbers. */
  place: number
}

const unitMinutes: Record<string, number> = { minutes: 1, hours: 60, days: 1440 }
const rightOfWay = ['available', 'non_operational', 'reserved', 'on_trip', 'stopped', 'non_contactable']

const isLookedFor = ({ states }: MdsRule, event: PlainEvent): boolean => {
  const entries = Object.entries(states ?? {})
  if (!entries.length) return rightOfWay.includes(event.state)
  return entries.some(
    ([state, types]) =>
      state === event.state && (!types?.length || types.some((type) => event.types.includes(type))),
  )
}

const toLimitMs = ({ rule_units: unit = '' }: MdsRule, value: number): number =>
  value * (unitMinutes[unit ?? ''] ?? NaN) * minuteMs

/** Finds the rule that charges a vehicle in a minute, and the time since when the vehicle has been at its place. */
function matchMinute(
  rules: readonly MdsRule[],
  events: readonly PlainEvent[],
  { start, zone, lostMs }: { start: number; zone: string; lostMs: number },
): { rule: number; since: number } | null {
  const time = start + minuteMs / 2
  const last = events.findLastIndex((event) => event.at <= time)
  const event = events[last]
  if (!event) return null
  const { seconds } = plainClock(zone).shows(time)
  let refused: { rule: number; since: number } | null = null
  for (const [index, rule] of rules.entries()) {
    const { rule_type: type, rate_applies_when: when, minimum, maximum } = rule
    const opens = rule.start_time ? Number(rule.start_time.slice(0, 2)) * 3600 : 0
    const shuts = rule.end_time ? Number(rule.end_time.slice(0, 2)) * 3600 : 86_400
    const isOpen = opens < shuts ? seconds >= opens && seconds < shuts : seconds >= opens || seconds < shuts
    const silence =
      type === 'time' && maximum != null && toLimitMs(rule, maximum) >= lostMs ? Infinity : lostMs
    if (!isOpen || time - event.at >= silence) continue
    if (!rule.geographies.includes(event.zone) || !isLookedFor(rule, event)) continue
    let first = last
    while (first > 0) {
      const [before, here] = [events[first - 1]!, events[first]!]
      if (!isLookedFor(rule, before) || before.place !== here.place || here.at - before.at > silence) break
      first--
    }
    const since = events[first]!.at
    const match = rule.rate_amount == null ? null : { rule: index, since }
    if (type === 'count') {
      if (maximum === 0) {
        if (when !== 'in_bounds') refused = match
        continue
      }
      return when === 'in_bounds' ? match : null
    }
    const isOut =
      (minimum != null && time - since < toLimitMs(rule, minimum)) ||
      (maximum != null && time - since > toLimitMs(rule, maximum))
    if (isOut === (when !== 'in_bounds')) return match
  }
  return refused
}

/** Returns the numbers of charges by rule and local day from `from` to `until`. */
export function plainRates(
  rules: readonly MdsRule[],
  events: readonly PlainEvent[],
  { from, until, zone, lostMs }: { from: number; until: number; zone: string; lostMs: number },
): Map<string, number> {
  const clock = plainClock(zone)
  const begin = from - 2 * 1440 * minuteMs
  const minutes: { at: number; hour: number; day: number; match: ReturnType<typeof matchMinute> }[] = []
  let hour = 0
  let shown = NaN
  for (let at = begin; at < until; at += minuteMs) {
    const { day, seconds } = clock.shows(at)
    const hourNumber = day * 24 + Math.floor(seconds / 3600)
    if (hourNumber !== shown || seconds % 3600 === 0) hour++
    shown = hourNumber
    minutes.push({ at, hour, day, match: matchMinute(rules, events, { start: at, zone, lostMs }) })
  }
  const charges = new Map<string, number>()
  const charge = (rule: number, at: number): void => {
    if (at < from || at >= until) return
    const key = `${rule} ${clock.shows(at).day}`
    charges.set(key, (charges.get(key) ?? 0) + 1)
  }
  const getRecurrence = (match: ReturnType<typeof matchMinute>): string | null | undefined =>
    match && rules[match.rule]?.rate_recurrence
  const getUnit = (rule: MdsRule, { at, hour: hourNumber, day }: (typeof minutes)[number]): number =>
    rule.rule_units === 'days' ? day : rule.rule_units === 'hours' ? hourNumber : at

  for (const [index, { at, match }] of minutes.entries()) {
    const before = minutes[index - 1]?.match ?? null
    if (index === 0) continue
    if (getRecurrence(match) === 'once_on_match' && before?.rule !== match!.rule) charge(match!.rule, at)
    const goesOn =
      match &&
      (match.rule === before?.rule ||
        (getRecurrence(match) === 'once_on_unmatch' && match.since === before?.since))
    if (getRecurrence(before) === 'once_on_unmatch' && !goesOn) charge(before!.rule, at)
  }

  /** By unit and stay: the first minute and the latest rule. */
  const started = new Map<string, { first: number; rule: number; unit: string }>()
  for (const minute of minutes) {
    if (getRecurrence(minute.match) !== 'each_time_unit') continue
    const { rule, since } = minute.match!
    const unit = `${rules[rule]!.rule_units} ${getUnit(rules[rule]!, minute)}`
    const earlier = started.get(`${unit} ${since}`)
    started.set(`${unit} ${since}`, { first: earlier?.first ?? minute.at, rule, unit })
  }
  const once = new Map<string, { first: number; rule: number }>()
  for (const { first, rule, unit } of started.values()) {
    const earlier = once.get(`${rule} ${unit}`)
    once.set(`${rule} ${unit}`, { first: Math.min(first, earlier?.first ?? first), rule })
  }
  for (const { first, rule } of once.values()) charge(rule, first)

  for (const [rule, rateRule] of rules.entries()) {
    if (rateRule.rate_recurrence !== 'per_complete_time_unit') continue
    const units = new Map<number, { first: number; isWhole: boolean }>()
    for (const minute of minutes) {
      const unit = getUnit(rateRule, minute)
      const earlier = units.get(unit)
      const isWhole = (earlier?.isWhole ?? true) && minute.match?.rule === rule
      units.set(unit, { first: earlier?.first ?? minute.at, isWhole })
    }
    const last = minutes.at(-1)!
    for (const [unit, { first, isWhole }] of units) {
      // The last unit may extend beyond the end.
      const isOver =
        unit !== getUnit(rateRule, last) ||
        getUnit(rateRule, last) !==
          getUnit(rateRule, {
            ...last,
            at: until,
            day: clock.shows(until).day,
            hour: clock.shows(until).seconds % 3600 === 0 ? last.hour + 1 : last.hour,
          })
      if (isWhole && isOver) charge(rule, first)
    }
  }
  return charges
}
