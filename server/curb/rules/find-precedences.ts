import type { CdsPolicy } from '#contract/cds.ts'
import { type CurbUse, curbUses, type PrecedenceTime } from '#contract/curb-rules.ts'
import { canBothMatch } from './check-pairs.ts'
import type { CurbCalendar } from './local-days.ts'
import {
  appliesTo,
  type CompiledRule,
  type CompiledRuleSet,
  compileRuleSet,
  type CurbUser,
  verdictOf,
} from './rule-set.ts'
import { isWeekly } from './time-spans.ts'
import { type Moment, type Span, spanOf, timeline } from './timeline.ts'

const [minuteMs, dayMs] = [60_000, 86_400_000]
const [dayMinutes, weekMinutes] = [1440, 7 * 1440]
/** Policies with dates, months or periods are compared for a year: each minute of the week occurs as often. */
const yearWeeks = 52

/** For each minute of a week, Monday first, whether it is in none, some or all of the weeks. */
export type WeekMinutes = Uint8Array
const [some, all] = [1, 2]

/** Of two policies that say different things to the same vehicles at the same times, which one decides. */
export interface Precedence {
  /** The other policy. */
  otherId: string
  /** The other policy decides; otherwise the draft does. */
  isOtherFirst: boolean
  minutes: WeekMinutes
  /** Classes and purposes of the vehicles, one list for each kind of vehicle; an empty list: all vehicles. */
  users: string[][]
}

/** Who decides instead of whom, for one kind of vehicle. */
type Found = Omit<Precedence, 'users'>

/** A draft and the days for which it is compared, once for many zones. */
export interface PrecedenceQuestion {
  draft: CdsPolicy
  week: Span
  year: Span
  /** By kind of vehicle and the policies that match it: many zones have the same ones. */
  known: Map<string, readonly Found[]>
}

/** From a local day on. Policies have their dates as the local clock shows them (`byClock`), and midnight is ms of that day in UTC. */
export function precedenceQuestion(
  draft: CdsPolicy,
  periods: CurbCalendar['periods'],
  midnight: number,
): PrecedenceQuestion {
  const weeks = (count: number): Span =>
    spanOf({ zone: 'UTC', periods }, midnight, midnight + count * 7 * dayMs)
  return { draft, week: weeks(1), year: weeks(yearWeeks), known: new Map() }
}

/** Where a draft and the other policies of a zone decide differently. */
export function findPrecedences(question: PrecedenceQuestion, others: readonly CdsPolicy[]): Precedence[] {
  const { draft, known } = question
  const own = compileRuleSet([draft])
  const single = others.map((policy) => ({ policy, ...compileRuleSet([policy]) }))
  const found = new Map<string, Precedence>()
  for (const user of commonUsers(own, compileRuleSet(others))) {
    const matching = single
      .filter(({ rules }) => rules.some((rule) => appliesTo(rule, user)))
      .map(({ policy }) => policy)
    const key = JSON.stringify([user, ...matching.map((policy) => policy.curb_policy_id)])
    const ofUser = known.get(key) ?? compareFor(user, question, matching)
    known.set(key, ofUser)
    const names = [...user.userClasses, ...user.purposes]
    for (const { otherId, isOtherFirst, minutes } of ofUser) {
      const id = `${otherId} ${isOtherFirst}`
      const before = found.get(id)
      if (before) {
        mergeMinutes(before.minutes, minutes)
        before.users.push(names)
      } else found.set(id, { otherId, isOtherFirst, minutes: minutes.slice(), users: [names] })
    }
  }
  return [...found.values()]
}

/**
 * Decides three times: with all policies, with the draft alone, and without it. Where the last two differ, the first says which
 * takes precedence.
 */
function compareFor(
  user: CurbUser,
  { draft, week, year }: PrecedenceQuestion,
  others: readonly CdsPolicy[],
): Found[] {
  const together = compileRuleSet([...others, draft])
  const isSameEachWeek = together.rules.every(({ policy }) => policy.spans.every(isWeekly))
  const [span, weeks] = isSameEachWeek ? [week, 1] : [year, yearWeeks]
  const ownAt = reader(timeline(compileRuleSet([draft]), user, span))
  const restAt = reader(timeline(compileRuleSet(others), user, span))
  const marks = new Map<string, Omit<Found, 'minutes'> & { counts: Int32Array }>()
  for (const { from, until, deciding } of timeline(together, user, span)) {
    const [ownDeciding, restDeciding] = [ownAt(from), restAt(from)]
    const done = new Set<string>()
    for (const use of curbUses) {
      const [first, mine, other] = [deciding[use], ownDeciding[use], restDeciding[use]]
      if (!first || !mine || !other || isEven(mine, other, use)) continue
      const isOtherFirst = first.policy.id !== draft.curb_policy_id
      const key = `${other.policy.id} ${isOtherFirst}`
      if (done.has(key)) continue
      done.add(key)
      const mark = marks.get(key) ?? {
        otherId: other.policy.id,
        isOtherFirst,
        counts: new Int32Array(weekMinutes + 1),
      }
      marks.set(key, mark)
      count(mark.counts, from, until)
    }
  }
  return [...marks.values()].map(({ counts, ...mark }) => ({ ...mark, minutes: minutesOf(counts, weeks) }))
}

/** More kinds of vehicles are not compared. */
const maxUsers = 100

/** The kinds of vehicles that a rule of both sets matches, with the fewest classes and purposes. */
function commonUsers(own: CompiledRuleSet, rest: CompiledRuleSet): CurbUser[] {
  const users = new Map<string, CurbUser>()
  for (const mine of own.rules)
    for (const other of rest.rules)
      if (curbUses.some((use) => mine.effects[use] && other.effects[use]) && canBothMatch(mine, other))
        for (const user of usersOf(mine, other)) users.set(JSON.stringify(user), user)
  return [...users.values()].slice(0, maxUsers)
}

/** The vehicles that two rules match: one for each choice of their purposes and operators. */
function usersOf(a: CompiledRule, b: CompiledRule): CurbUser[] {
  const names = (key: 'user_classes' | 'user_classes_except'): string[] =>
    [...new Set([...(a.rule[key] ?? []), ...(b.rule[key] ?? [])])].toSorted()
  const except = names('user_classes_except')
  const purposesOf = ({ rule }: CompiledRule): string[][] => {
    const purposes = (rule.purposes ?? []).filter((name) => !except.includes(name))
    return purposes.length ? purposes.map((name) => [name]) : [[]]
  }
  const [own, others] = [a.policy.operators, b.policy.operators]
  const operators =
    own.length && others.length ? own.filter((id) => others.includes(id)) : [...own, ...others]
  return purposesOf(a).flatMap((first) =>
    purposesOf(b).flatMap((second) =>
      (operators.length ? operators.map((id) => [id]) : [[]]).map((ids) => ({
        userClasses: names('user_classes'),
        purposes: [...new Set([...first, ...second])].toSorted(),
        operators: ids,
      })),
    ),
  )
}

/** Reads a timeline at instants in order. */
function reader(moments: Iterator<Moment>): (at: number) => Moment['deciding'] {
  let moment = moments.next()
  return (at) => {
    while (!moment.done && moment.value.until <= at) moment = moments.next()
    if (moment.done) throw new RangeError(`${at} is after the end of the timeline`)
    return moment.value.deciding
  }
}

/** Whether two rules say the same, or neither precedes the other, which is a finding. */
function isEven(a: CompiledRule, b: CompiledRule, use: CurbUse): boolean {
  if (a.policy.priority === b.policy.priority && a.effects[use] === b.effects[use]) return true
  const [first, second] = [verdictOf(a, use), verdictOf(b, use)]
  return JSON.stringify({ ...first, decided_by: null }) === JSON.stringify({ ...second, decided_by: null })
}

/** Minutes since a Monday. */
const minuteOf = (ms: number): number => Math.floor(ms / minuteMs) - 4 * dayMinutes

/** Counts the minutes of a time in its weeks, as differences from one minute to the next. */
function count(counts: Int32Array, from: number, until: number): void {
  const [first, end] = [minuteOf(from), minuteOf(until + minuteMs - 1)]
  const start = ((first % weekMinutes) + weekMinutes) % weekMinutes
  const [wholeWeeks, left] = [Math.floor((end - first) / weekMinutes), (end - first) % weekMinutes]
  const add = (from: number, until: number, by: number): void => {
    counts[from]! += by
    counts[until]! -= by
  }
  add(0, weekMinutes, wholeWeeks)
  add(start, Math.min(start + left, weekMinutes), 1)
  if (start + left > weekMinutes) add(0, start + left - weekMinutes, 1)
}

function minutesOf(counts: Int32Array, weeks: number): WeekMinutes {
  let sum = 0
  return Uint8Array.from({ length: weekMinutes }, (_, minute) => {
    sum += counts[minute]!
    return sum === 0 ? 0 : sum < weeks ? some : all
  })
}

/** Adds the minutes of other zones or vehicles. */
export function mergeMinutes(into: WeekMinutes, minutes: WeekMinutes): void {
  for (let minute = 0; minute < weekMinutes; minute++)
    into[minute] = Math.max(into[minute]!, minutes[minute]!)
}

/** Minutes of a week as times on days. A time that runs overnight belongs to the day on which it starts. */
export function timesOf(minutes: WeekMinutes): { times: PrecedenceTime[]; is_every_week: boolean } {
  const isEveryWeek = minutes.every((minute) => minute !== some)
  // From a minute that is not in it, so that no run is cut at the end of the week.
  const start = Math.max(0, minutes.indexOf(0))
  const lines = new Map<string, PrecedenceTime>()
  const add = (from: number, until: number): void => {
    const day = (Math.floor(from / dayMinutes) % 7) + 1
    const time = { from: clockText(from % dayMinutes), until: clockText(((until - 1) % dayMinutes) + 1) }
    const key = `${time.from} ${time.until}`
    const line = lines.get(key)
    if (line) line.days.push(day)
    else lines.set(key, { days: [day], ...time })
  }
  for (let index = 0; index < weekMinutes;) {
    const from = start + index
    let length = 0
    while (index + length < weekMinutes && minutes[(from + length) % weekMinutes]! > 0) length++
    for (let first = from; first < from + length;) {
      const midnight = (Math.floor(first / dayMinutes) + 1) * dayMinutes
      const left = from + length - first
      const until = first + (left < dayMinutes ? left : Math.min(left, midnight - first))
      add(first, until)
      first = until
    }
    index += length + 1
  }
  const times = [...lines.values()].map((line) => ({ ...line, days: line.days.toSorted((a, b) => a - b) }))
  return {
    times: times.toSorted((a, b) => a.days[0]! - b.days[0]! || (a.from < b.from ? -1 : 1)),
    is_every_week: isEveryWeek,
  }
}

const clockText = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
