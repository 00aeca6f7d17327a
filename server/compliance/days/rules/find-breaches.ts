import { lostAt } from '#server/regions/lost-vehicles.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { isDeployed } from '../../vehicles-at.ts'
import type { DayRule } from '../day-rule.ts'
import type { DayWindow } from '../day-windows.ts'
import { isMeasured, type Measuring } from '../measuring.ts'
import { ruleReach } from './day-mds-rules.ts'
import { findCandidates } from './find-candidates.ts'
import { findSpeeders } from './find-speeders.ts'
import { fullMinutes } from './full-minutes.ts'
import { openStretches, type Stretch } from './open-stretches.ts'
import { needsFleet, findOperatorsWithIntervals, readIntervals, readTraits } from './read-intervals.ts'
import type { FoundOfRules, RuleBreach } from './rule-breach.ts'
import { fleetMinutes, type MinuteBreach, sweepMinutes } from './sweep-minutes.ts'

const hourMs = 3_600_000

/** Numbers of each rule's areas; the areas of a shape are contiguous. */
export function areasOfRules({ rules, shapes }: Pick<DayRule, 'rules' | 'shapes'>): ReadonlySet<number>[] {
  const shapeOfArea = shapes.flatMap(({ areas }, shape) => areas.map(() => shape + 1))
  return rules.map(
    (rule) => new Set(shapeOfArea.flatMap((shape, area) => (rule.shapes.includes(shape) ? [area + 1] : []))),
  )
}

const breachOf = ({ candidate: { rule, since, interval }, until }: MinuteBreach): RuleBreach => ({
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

/** Sweeps the full minutes of a window for one operator. */
async function sweepOperator(
  measuring: Measuring,
  areasOf: readonly ReadonlySet<number>[],
  openOf: readonly (readonly Stretch[])[],
  operator: string,
  { from, until }: Pick<DayWindow, 'from' | 'until'>,
): Promise<{ breaches: RuleBreach[]; short: number }> {
  const {
    rule: { rules },
    filter,
    signal,
  } = measuring
  const lostMs = filter.lostAfterHours * hourMs
  const [{ intervals, size }, traitsOf] = await Promise.all([
    readIntervals(measuring, rules, operator, { first: from - ruleReach(rules, lostMs), last: until }),
    readTraits(measuring, rules, operator),
  ])
  const minutes = fullMinutes(from, until)
  const candidates = await findCandidates(intervals, { rules, areasOf, minutes, lostMs, traitsOf })
  const fleetAt = needsFleet(rules)
    ? fleetMinutes(
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
    openOf,
    fleetAt,
    ...(signal ? { signal } : {}),
  })
  return { breaches: breaches.map(breachOf), short: short.size }
}

/** Evaluates the windows of an imported policy day by day and operator by operator, so that little is in memory at once. */
export async function findBreaches(
  measuring: Measuring,
  onFound: (found: FoundOfRules) => void,
): Promise<void> {
  const { facts, scope, rule, windows, region, filter, signal } = measuring
  const clock = civilClock(region.timezone)
  const areasOf = areasOfRules(rule)
  const isSwept = rule.rules.some(({ kind }) => kind !== 'speed')
  const reach = ruleReach(rule.rules, filter.lostAfterHours * hourMs)
  for (const [day, window] of windows.entries()) {
    if (!isMeasured(window, filter.now)) continue
    const { from } = window
    const until = Math.min(window.until, filter.now)
    const openOf = rule.rules.map((each) => openStretches(each.window, clock, from, until))
    const speeders = await findSpeeders(measuring, rule.rules, areasOf, openOf, { first: from, last: until })
    const withIntervals = isSwept
      ? await findOperatorsWithIntervals({ facts, scope, filter }, { first: from - reach, last: until })
      : []
    for (const operator of new Set([...withIntervals, ...speeders.keys()])) {
      if (filter.operators.length && !filter.operators.includes(operator)) continue
      signal?.throwIfAborted()
      const swept = withIntervals.includes(operator)
        ? await sweepOperator(measuring, areasOf, openOf, operator, { from, until })
        : { breaches: [], short: 0 }
      onFound({
        day,
        operator,
        breaches: [...swept.breaches, ...(speeders.get(operator) ?? [])],
        short: swept.short,
      })
    }
  }
}
