import { lostAt } from '#server/regions/lost-vehicles.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { hourMs } from '#contract/period.ts'
import { isDeployed } from '../../vehicles-at.ts'
import type { DayRule } from '../day-rule.ts'
import { hasBegun, type MeasureInput } from '../measure-input.ts'
import { getRuleHistoryMs } from './day-mds-rules.ts'
import { findCandidates } from './find-candidates.ts'
import { findSpeeders } from './find-speeders.ts'
import { createFullMinutes } from './full-minutes.ts'
import { findOpenTimes, type Stretch } from './open-times.ts'
import { needsFleet, findOperatorsWithIntervals, readIntervals, readTraits } from './read-intervals.ts'
import type { DayBreaches, RuleBreach } from './rule-breach.ts'
import { findFleetMinutes, type MinuteBreach, sweepMinutes } from './sweep-minutes.ts'

/** Returns the area numbers of each rule, from 1, as in the spatial index. */
export function listRuleAreas({ rules, shapes }: Pick<DayRule, 'rules' | 'shapes'>): ReadonlySet<number>[] {
  const shapeOfArea = shapes.flatMap(({ areas }, shape) => areas.map(() => shape + 1))
  return rules.map(
    (rule) => new Set(shapeOfArea.flatMap((shape, area) => (rule.shapes.includes(shape) ? [area + 1] : []))),
  )
}

const toRuleBreach = ({ candidate: { rule, since, interval }, until }: MinuteBreach): RuleBreach => ({
  rule,
  deviceId: interval.deviceId,
  vehicleType: interval.vehicleType,
  factId: `${interval.deviceId}-${since}`,
  tripId: null,
  at: since,
  until,
  lon: interval.lon,
  lat: interval.lat,
  accuracy: interval.accuracy,
  areas: interval.areas,
  speed: NaN,
})

/** The operator and time (ms) for which rules are evaluated. */
interface OperatorSweep {
  operator: string
  from: number
  until: number
  /** Area numbers of each rule. */
  ruleAreas: readonly ReadonlySet<number>[]
  /** When each rule applies. */
  openTimes: readonly (readonly Stretch[])[]
}

/** Evaluates the rules for one operator at every full minute of a window. */
async function sweepOperator(
  input: MeasureInput,
  { operator, from, until, ruleAreas, openTimes }: OperatorSweep,
): Promise<{ breaches: RuleBreach[]; short: number }> {
  const {
    rule: { rules },
    filter,
    signal,
  } = input
  const lostMs = filter.lostAfterHours * hourMs
  const [{ intervals, size }, findTraits] = await Promise.all([
    readIntervals(input, rules, operator, { from: from - getRuleHistoryMs(rules, lostMs), until }),
    readTraits(input, rules, operator),
  ])
  const minutes = createFullMinutes(from, until)
  const candidates = await findCandidates(intervals, { rules, ruleAreas, minutes, lostMs, findTraits })
  const fleetAt = needsFleet(rules)
    ? findFleetMinutes(
        intervals
          .filter(({ state }) => isDeployed(state))
          .map((interval) => ({
            from: interval.at,
            until: Math.min(interval.until, lostAt(interval.at, lostMs)),
          })),
        minutes,
      )
    : null
  const { breaches, short } = await sweepMinutes({
    rules,
    candidates,
    size,
    minutes,
    until,
    openTimes,
    fleetAt,
    ...(signal ? { signal } : {}),
  })
  return { breaches: breaches.map(toRuleBreach), short: short.size }
}

/**
 * Evaluates the windows of an imported policy by day and operator, which bounds the memory it needs.
 * @param onFound Receives the violations of one operator on one day; there may be none.
 */
export async function findBreaches(
  input: MeasureInput,
  onFound: (breaches: DayBreaches) => void,
): Promise<void> {
  const { facts, scope, rule, windows, region, filter, signal } = input
  const clock = civilClock(region.timezone)
  const ruleAreas = listRuleAreas(rule)
  const needsIntervals = rule.rules.some(({ kind }) => kind !== 'speed')
  const historyMs = getRuleHistoryMs(rule.rules, filter.lostAfterHours * hourMs)
  for (const [day, window] of windows.entries()) {
    if (!hasBegun(window, filter.now)) continue
    const { from } = window
    const until = Math.min(window.until, filter.now)
    const openTimes = rule.rules.map((mdsRule) => findOpenTimes(mdsRule.window, clock, from, until))
    const speeders = await findSpeeders(input, {
      rules: rule.rules,
      ruleAreas,
      openTimes,
      span: { from, until },
    })
    const operatorsWithIntervals = needsIntervals
      ? await findOperatorsWithIntervals({ facts, scope, filter }, { from: from - historyMs, until })
      : []
    for (const operator of new Set([...operatorsWithIntervals, ...speeders.keys()])) {
      if (filter.operators.length && !filter.operators.includes(operator)) continue
      signal?.throwIfAborted()
      const sweepResult = operatorsWithIntervals.includes(operator)
        ? await sweepOperator(input, { operator, from, until, ruleAreas, openTimes })
        : { breaches: [], short: 0 }
      onFound({
        day,
        operator,
        breaches: [...sweepResult.breaches, ...(speeders.get(operator) ?? [])],
        short: sweepResult.short,
      })
    }
  }
}
