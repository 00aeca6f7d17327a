import { setImmediate as turn } from 'node:timers/promises'
import { decideRules, type Candidate } from '../../decide-rules.ts'
import type { DayMdsRule } from './day-mds-rules.ts'
import type { MinuteCandidate } from './find-candidates.ts'
import { type FullMinutes, findMinute, getTimeOfMinute } from './full-minutes.ts'
import type { Stretch } from './open-times.ts'

/** The current candidates of one rule in order of arrival, each vehicle at most once. */
class CandidateQueue<Item extends Candidate> {
  readonly items: Item[] = []

  /** Finds the position of a candidate, or the position at which it would be inserted. */
  #findPosition({ since, vehicle }: Item): number {
    let low = 0
    let high = this.items.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.items[middle] as Item
      if (other.since < since || (other.since === since && other.vehicle < vehicle)) low = middle + 1
      else high = middle
    }
    return low
  }

  add(candidate: Item): void {
    this.items.splice(this.#findPosition(candidate), 0, candidate)
  }

  remove(candidate: Item): void {
    const position = this.#findPosition(candidate)
    if (this.items[position] === candidate) this.items.splice(position, 1)
  }
}

/** The first violation of a rule by a vehicle on a day. */
export interface MinuteBreach {
  candidate: MinuteCandidate
  /** The full minute (ms) at which the violation ended, or the end of the range. */
  until: number
}

/** The violations at the full minutes of a time range. */
export interface SweepResult {
  breaches: MinuteBreach[]
  /** Indices of rules with a shortfall at any minute. */
  short: Set<number>
}

/** The rules, and the candidates of one operator. */
export interface SweepInput {
  rules: readonly DayMdsRule[]
  candidates: readonly MinuteCandidate[]
  /** The number of the operator's vehicles. */
  size: number
  minutes: FullMinutes
  /** The end of the range, ms. */
  until: number
  /** The times at which the window of each rule is open. */
  openTimes: readonly (readonly Stretch[])[]
  /** 1 for each minute at which a vehicle is in the right of way; null if not needed. */
  fleetAt: Uint8Array | null
  signal?: AbortSignal
}

/** Number of evaluated minutes between yields to the event loop. */
const minutesPerTurn = 16

/** Marks minutes at which results may change: with candidates, windows, time limits, or vehicles. */
function findChangedMinutes({ rules, candidates, minutes, openTimes, fleetAt }: SweepInput): Uint8Array {
  const changed = new Uint8Array(minutes.count + 1)
  changed[0] = 1
  for (const stretches of openTimes)
    for (const { from, until } of stretches)
      changed[findMinute(minutes, from)] = changed[findMinute(minutes, until)] = 1
  for (const { rule, from, to, since } of candidates) {
    changed[from] = changed[to] = 1
    const ruleOfCandidate = rules[rule]
    if (ruleOfCandidate?.kind !== 'time') continue
    for (const limit of [ruleOfCandidate.bounds.minimum, ruleOfCandidate.bounds.maximum]) {
      if (!Number.isFinite(limit)) continue
      // Reaching the limit and exceeding it are two changes.
      const reached = findMinute(minutes, since + limit)
      const exceeded = findMinute(minutes, since + limit + 1)
      for (const minute of [reached, exceeded]) if (minute > from && minute < to) changed[minute] = 1
    }
  }
  if (fleetAt)
    for (let minute = 1; minute < minutes.count; minute++)
      if (fleetAt[minute] !== fleetAt[minute - 1]) changed[minute] = 1
  return changed
}

/** Marks the minutes at which the window of each rule is open. */
const findOpenMinutes = ({ openTimes, minutes }: SweepInput): Uint8Array[] =>
  openTimes.map((stretches) => {
    const isOpen = new Uint8Array(minutes.count)
    for (const { from, until } of stretches)
      isOpen.fill(1, findMinute(minutes, from), findMinute(minutes, until))
    return isOpen
  })

/** Returns a list of candidates for each minute and for the end of the range. */
const groupByMinute = (
  candidates: readonly MinuteCandidate[],
  count: number,
  getMinute: (candidate: MinuteCandidate) => number,
): MinuteCandidate[][] => {
  const minutes = Array.from({ length: count + 1 }, (): MinuteCandidate[] => [])
  for (const candidate of candidates) minutes[getMinute(candidate)]?.push(candidate)
  return minutes
}

/** Evaluates rules for one operator at every full minute of a time range, if something changed. */
export async function sweepMinutes(input: SweepInput): Promise<SweepResult> {
  const { rules, candidates, size, minutes, until, fleetAt, signal } = input
  const isChanged = findChangedMinutes(input)
  const isOpenByRule = findOpenMinutes(input)
  const starts = groupByMinute(candidates, minutes.count, ({ from }) => from)
  const ends = groupByMinute(candidates, minutes.count, ({ to }) => to)
  const queues = rules.map(() => new CandidateQueue<MinuteCandidate>())
  const breachesByRule = rules.map(() => new Map<number, MinuteBreach>())
  const short = new Set<number>()
  /** Violations that continue at the last evaluated minute. */
  let ongoing: MinuteBreach[] = []
  let evaluatedMinutes = 0
  for (let minute = 0; minute < minutes.count; minute++) {
    if (!isChanged[minute]) continue
    for (const candidate of ends[minute] as MinuteCandidate[]) queues[candidate.rule]?.remove(candidate)
    for (const candidate of starts[minute] as MinuteCandidate[]) queues[candidate.rule]?.add(candidate)
    const now = getTimeOfMinute(minutes, minute)
    const decisions = decideRules<MinuteCandidate>(rules, {
      at: now,
      size,
      hasFleet: fleetAt?.[minute] === 1,
      isOpen: (rule) => isOpenByRule[rule]?.[minute] === 1,
      getCandidates: (rule) => queues[rule]?.items ?? [],
    })
    const current: MinuteBreach[] = []
    for (const [rule, { broken, shortfall }] of decisions.entries()) {
      const ruleBreaches = breachesByRule[rule] as Map<number, MinuteBreach>
      // Too few vehicles; for a time rule, the shortfall consists of vehicles.
      if (rules[rule]?.kind === 'count' && shortfall > 0) short.add(rule)
      for (const candidate of broken) {
        // Only the first violation of a vehicle counts; one that ended does not resume.
        let breach = ruleBreaches.get(candidate.vehicle)
        if (!breach) ruleBreaches.set(candidate.vehicle, (breach = { candidate, until: Infinity }))
        else if (breach.until !== Infinity || breach.candidate.since !== candidate.since) continue
        current.push(breach)
      }
    }
    const continuing = new Set(current)
    for (const breach of ongoing) if (!continuing.has(breach)) breach.until = now
    ongoing = current
    if (++evaluatedMinutes % minutesPerTurn === 0) {
      await turn()
      signal?.throwIfAborted()
    }
  }
  for (const breach of ongoing) breach.until = Math.max(until, breach.candidate.since)
  return { breaches: breachesByRule.flatMap((ruleBreaches) => [...ruleBreaches.values()]), short }
}

/** Marks the minutes with any vehicle in the right of way. @param spans Those of single vehicles, ms. */
export function findFleetMinutes(
  spans: Iterable<{ from: number; until: number }>,
  minutes: FullMinutes,
): Uint8Array {
  const change = new Int32Array(minutes.count + 1)
  for (const { from, until } of spans) {
    const firstMinute = findMinute(minutes, from)
    const endMinute = findMinute(minutes, until)
    if (endMinute <= firstMinute) continue
    change[firstMinute] = (change[firstMinute] as number) + 1
    change[endMinute] = (change[endMinute] as number) - 1
  }
  let vehicles = 0
  return Uint8Array.from(change.subarray(0, minutes.count), (difference) =>
    (vehicles += difference) > 0 ? 1 : 0,
  )
}
