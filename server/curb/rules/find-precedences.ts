import type { CdsPolicy } from '#contract/cds.ts'
import { type CurbUse, curbUses, type PrecedenceTime } from '#contract/curb-rules.ts'
import { minuteMs, dayMs } from '#contract/period.ts'
import { canBothMatch } from './check-pairs.ts'
import type { CurbCalendar } from './local-days.ts'
import {
  appliesTo,
  type CompiledRule,
  type CompiledRuleSet,
  compileRuleSet,
  type CurbUser,
  toVerdict,
} from './rule-set.ts'
import { isWeekly } from './time-spans.ts'
import { type Moment, type Span, createSpan, computeTimeline } from './timeline.ts'

const dayMinutes = 1440
const weekMinutes = 7 * dayMinutes
/** Policies with dates, months or periods are compared for a year of complete weeks. */
const yearWeeks = 52

/** For each minute of a week from Monday: 0, or whether it occurs in some or all of the compared weeks. */
export type WeekMinutes = Uint8Array
const inSomeWeeks = 1
const inAllWeeks = 2

/** Which of two policies decides where they differ about the same vehicles at the same times. */
export interface Precedence {
  /** Id of the other policy. */
  otherId: string
  /** Whether the other policy decides. Otherwise the draft does. */
  isOtherFirst: boolean
  minutes: WeekMinutes
  /** The affected kinds of vehicles, each as a list of classes and purposes; an empty list is all vehicles. */
  users: string[][]
}

/** A precedence for one kind of vehicle. */
type UserPrecedence = Omit<Precedence, 'users'>

/** A draft and the time spans for which it is compared. One object serves many zones. */
export interface DraftComparison {
  draft: CdsPolicy
  week: Span
  year: Span
  /** Results by kind of vehicle and the policies that match it. Many zones have the same ones. */
  cached: Map<string, readonly UserPrecedence[]>
}

/**
 * Prepares the comparison of a draft from a local day on. `midnight` is the midnight of that day in UTC (ms),
 * and the dates of all policies must be shifted to UTC by `toLocalClock`.
 */
export function createDraftComparison(
  draft: CdsPolicy,
  periods: CurbCalendar['periods'],
  midnight: number,
): DraftComparison {
  const createWeeks = (count: number): Span =>
    createSpan({ timezone: 'UTC', periods }, midnight, midnight + count * 7 * dayMs)
  return { draft, week: createWeeks(1), year: createWeeks(yearWeeks), cached: new Map() }
}

/** Finds when and for whom a draft and the other policies of a zone decide differently. */
export function findPrecedences(
  comparison: DraftComparison,
  otherPolicies: readonly CdsPolicy[],
): Precedence[] {
  const { draft, cached } = comparison
  const draftRules = compileRuleSet([draft])
  const separateRules = otherPolicies.map((policy) => ({ policy, ...compileRuleSet([policy]) }))
  const precedences = new Map<string, Precedence>()
  for (const user of listCommonUsers(draftRules, compileRuleSet(otherPolicies))) {
    const matching = separateRules
      .filter(({ rules }) => rules.some((rule) => appliesTo(rule, user)))
      .map(({ policy }) => policy)
    const key = JSON.stringify([user, ...matching.map((policy) => policy.curb_policy_id)])
    const userPrecedences = cached.get(key) ?? compareFor(user, comparison, matching)
    cached.set(key, userPrecedences)
    const names = [...user.userClasses, ...user.purposes]
    for (const { otherId, isOtherFirst, minutes } of userPrecedences) {
      const id = `${otherId} ${isOtherFirst}`
      const existing = precedences.get(id)
      if (existing) {
        mergeMinutes(existing.minutes, minutes)
        existing.users.push(names)
      } else precedences.set(id, { otherId, isOtherFirst, minutes: minutes.slice(), users: [names] })
    }
  }
  return [...precedences.values()]
}

/**
 * Decides three times: with all policies, with the draft alone, and with the others alone. Where the last two
 * differ, the first one shows which of them takes precedence.
 */
function compareFor(
  user: CurbUser,
  { draft, week, year }: DraftComparison,
  otherPolicies: readonly CdsPolicy[],
): UserPrecedence[] {
  const allRules = compileRuleSet([...otherPolicies, draft])
  const isSameEachWeek = allRules.rules.every(({ policy }) => policy.spans.every(isWeekly))
  const span = isSameEachWeek ? week : year
  const readDraft = createTimelineReader(computeTimeline(compileRuleSet([draft]), user, span))
  const readOthers = createTimelineReader(computeTimeline(compileRuleSet(otherPolicies), user, span))
  const marks = new Map<string, Omit<UserPrecedence, 'minutes'> & { counts: Int32Array }>()
  for (const { from, until, deciding } of computeTimeline(allRules, user, span)) {
    const draftDeciding = readDraft(from)
    const othersDeciding = readOthers(from)
    const countedKeys = new Set<string>()
    for (const use of curbUses) {
      const decidingRule = deciding[use]
      const draftRule = draftDeciding[use]
      const otherRule = othersDeciding[use]
      if (!decidingRule || !draftRule || !otherRule || haveSameEffect(draftRule, otherRule, use)) continue
      const isOtherFirst = decidingRule.policy.id !== draft.curb_policy_id
      const key = `${otherRule.policy.id} ${isOtherFirst}`
      if (countedKeys.has(key)) continue
      countedKeys.add(key)
      const mark = marks.get(key) ?? {
        otherId: otherRule.policy.id,
        isOtherFirst,
        counts: new Int32Array(weekMinutes + 1),
      }
      marks.set(key, mark)
      countMinutes(mark.counts, from, until)
    }
  }
  return [...marks.values()].map(({ counts, ...mark }) => ({
    ...mark,
    minutes: toWeekMinutes(counts, isSameEachWeek ? 1 : yearWeeks),
  }))
}

/** Maximum number of kinds of vehicles that are compared. */
const maxUsers = 100

/** Returns kinds of vehicles that match a rule of both sets, with as few classes and purposes as possible. */
function listCommonUsers(draftRules: CompiledRuleSet, otherRules: CompiledRuleSet): CurbUser[] {
  const users = new Map<string, CurbUser>()
  for (const draftRule of draftRules.rules)
    for (const otherRule of otherRules.rules)
      if (
        curbUses.some((use) => draftRule.effects[use] && otherRule.effects[use]) &&
        canBothMatch(draftRule, otherRule)
      )
        for (const user of listMatchingUsers(draftRule, otherRule)) users.set(JSON.stringify(user), user)
  return [...users.values()].slice(0, maxUsers)
}

/** Lists kinds of vehicles that match both rules, one per combination of their purposes and operators. */
function listMatchingUsers(a: CompiledRule, b: CompiledRule): CurbUser[] {
  const listClasses = (key: 'user_classes' | 'user_classes_except'): string[] =>
    [...new Set([...(a.rule[key] ?? []), ...(b.rule[key] ?? [])])].toSorted()
  const except = listClasses('user_classes_except')
  const listPurposeChoices = ({ rule }: CompiledRule): string[][] => {
    const purposes = (rule.purposes ?? []).filter((name) => !except.includes(name))
    return purposes.length ? purposes.map((name) => [name]) : [[]]
  }
  const operatorsA = a.policy.operators
  const operatorsB = b.policy.operators
  const operators =
    operatorsA.length && operatorsB.length
      ? operatorsA.filter((id) => operatorsB.includes(id))
      : [...operatorsA, ...operatorsB]
  return listPurposeChoices(a).flatMap((first) =>
    listPurposeChoices(b).flatMap((second) =>
      (operators.length ? operators.map((id) => [id]) : [[]]).map((ids) => ({
        userClasses: listClasses('user_classes'),
        purposes: [...new Set([...first, ...second])].toSorted(),
        operators: ids,
      })),
    ),
  )
}

/** Returns a function that reads a timeline at ascending instants. */
function createTimelineReader(moments: Iterator<Moment>): (at: number) => Moment['deciding'] {
  let moment = moments.next()
  return (at) => {
    while (!moment.done && moment.value.until <= at) moment = moments.next()
    if (moment.done) throw new RangeError(`${at} is after the end of the timeline`)
    return moment.value.deciding
  }
}

/**
 * Whether two rules have the same effect on a use. Rules of the same priority and effect are treated alike,
 * because neither precedes the other; the check of policies reports them.
 */
function haveSameEffect(a: CompiledRule, b: CompiledRule, use: CurbUse): boolean {
  if (a.policy.priority === b.policy.priority && a.effects[use] === b.effects[use]) return true
  const formatVerdict = (rule: CompiledRule) => JSON.stringify({ ...toVerdict(rule, use), decided_by: null })
  return formatVerdict(a) === formatVerdict(b)
}

/** Returns minutes since a Monday. 1970-01-01 was a Thursday, so Monday 1970-01-05 is four days later. */
const getMinuteSinceMonday = (ms: number): number => Math.floor(ms / minuteMs) - 4 * dayMinutes

/**
 * Adds to the counts of each minute of the week how often a time span contains it. `counts` are differences from
 * one minute to the next, so that a range is added in two operations.
 */
function countMinutes(counts: Int32Array, from: number, until: number): void {
  const first = getMinuteSinceMonday(from)
  // A started minute counts.
  const end = getMinuteSinceMonday(until + minuteMs - 1)
  const start = ((first % weekMinutes) + weekMinutes) % weekMinutes
  const completeWeeks = Math.floor((end - first) / weekMinutes)
  const remainder = (end - first) % weekMinutes
  const add = (firstMinute: number, endMinute: number, weeks: number): void => {
    counts[firstMinute]! += weeks
    counts[endMinute]! -= weeks
  }
  add(0, weekMinutes, completeWeeks)
  add(start, Math.min(start + remainder, weekMinutes), 1)
  if (start + remainder > weekMinutes) add(0, start + remainder - weekMinutes, 1)
}

/** Returns in how many of the compared weeks each minute occurs, from the differences of `countMinutes`. */
function toWeekMinutes(counts: Int32Array, weeks: number): WeekMinutes {
  let sum = 0
  return Uint8Array.from({ length: weekMinutes }, (_, minute) => {
    sum += counts[minute]!
    if (sum === 0) return 0
    return sum < weeks ? inSomeWeeks : inAllWeeks
  })
}

/** Merges the minutes of another zone or vehicle into `into`. */
export function mergeMinutes(into: WeekMinutes, minutes: WeekMinutes): void {
  for (let minute = 0; minute < weekMinutes; minute++)
    into[minute] = Math.max(into[minute]!, minutes[minute]!)
}

/** Converts the minutes of a week to times on days. A time overnight belongs to the day on which it starts. */
export function toWeekTimes(minutes: WeekMinutes): { times: PrecedenceTime[]; is_every_week: boolean } {
  const isEveryWeek = minutes.every((minute) => minute !== inSomeWeeks)
  // Start at a minute that is not included, so that no run of minutes is cut at the end of the week.
  const start = Math.max(0, minutes.indexOf(0))
  const timesByClock = new Map<string, PrecedenceTime>()
  const add = (from: number, until: number): void => {
    const day = (Math.floor(from / dayMinutes) % 7) + 1
    const time = { from: formatClock(from % dayMinutes), until: formatClock(((until - 1) % dayMinutes) + 1) }
    const key = `${time.from} ${time.until}`
    const existing = timesByClock.get(key)
    if (existing) existing.days.push(day)
    else timesByClock.set(key, { days: [day], ...time })
  }
  for (let offset = 0; offset < weekMinutes;) {
    const from = start + offset
    let length = 0
    while (offset + length < weekMinutes && minutes[(from + length) % weekMinutes]! > 0) length++
    for (let first = from; first < from + length;) {
      const midnight = (Math.floor(first / dayMinutes) + 1) * dayMinutes
      const remaining = from + length - first
      // A run shorter than a day is not split at midnight.
      const until = first + (remaining < dayMinutes ? remaining : Math.min(remaining, midnight - first))
      add(first, until)
      first = until
    }
    offset += length + 1
  }
  const times = [...timesByClock.values()].map(({ days, ...time }) => ({
    ...time,
    days: days.toSorted((a, b) => a - b),
  }))
  return {
    times: times.toSorted((a, b) => a.days[0]! - b.days[0]! || (a.from < b.from ? -1 : 1)),
    is_every_week: isEveryWeek,
  }
}

const formatClock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
