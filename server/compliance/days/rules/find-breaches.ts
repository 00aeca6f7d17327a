import { lostAt } from '#server/regions/lost-vehicles.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { isDeployed } from '../../standing.ts'
import type { DayRule } from '../day-rule.ts'
import type { DayWindow } from '../day-windows.ts'
import { isMeasured, type Measuring } from '../measuring.ts'
import { ruleReach } from './day-mds-rules.ts'
import { findCandidates } from './find-candidates.ts'
import { findSpeeders } from './find-speeders.ts'
import { fullMinutes } from './full-minutes.ts'
import { openStretches, type Stretch } from './open-stretches.ts'
import { asksForFleet, findStayOperators, readStays, readTraits } from './read-stays.ts'
import type { FoundOfRules, RuleBreach } from './rule-breach.ts'
import { fleetMinutes, type MinuteBreach, sweepMinutes } from './sweep-minutes.ts'

const hourMs = 3_600_000

/** Numbers of each rule's areas: those of a ground follow one another. */
export function areasOfRules({ rules, grounds }: Pick<DayRule, 'rules' | 'grounds'>): ReadonlySet<number>[] {
  const groundOfArea = grounds.flatMap(({ areas }, ground) => areas.map(() => ground + 1))
  return rules.map(
    (rule) =>
      new Set(groundOfArea.flatMap((ground, area) => (rule.grounds.includes(ground) ? [area + 1] : []))),
  )
}

const breachOf = ({ candidate: { rule, since, stay }, until }: MinuteBreach): RuleBreach => ({
  rule,
  deviceId: stay.deviceId,
  vehicleType: stay.vehicleType,
  factId: `${stay.deviceId}-${since}`,
  tripId: null,
  at: since,
  until,
  lon: stay.lon,
  lat: stay.lat,
  accuracy: stay.accuracy,
  areas: stay.areas,
  speed: NaN,
})

/** One operator's vehicles at the full minutes of a window. */
async function sweepOperator(
  measuring: Measuring,
  areasOf: readonly ReadonlySet<number>[],
  openOf: readonly (readonly Stretch[])[],
  operator: string,
  { from, until }: Pick<DayWindow, 'from' | 'until'>,
): Promise<{ breaches: RuleBreach[]; short: number }> {
  const {
    rule: { rules },
    asked,
    signal,
  } = measuring
  const lostMs = asked.lostAfterHours * hourMs
  const [{ stays, size }, traitsOf] = await Promise.all([
    readStays(measuring, rules, operator, { first: from - ruleReach(rules, lostMs), last: until }),
    readTraits(measuring, rules, operator),
  ])
  const minutes = fullMinutes(from, until)
  const candidates = await findCandidates(stays, { rules, areasOf, minutes, lostMs, traitsOf })
  const fleetAt = asksForFleet(rules)
    ? fleetMinutes(
        stays
          .filter(({ state }) => isDeployed(state))
          .map((stay) => ({ from: stay.at, until: Math.min(stay.until, lostAt(stay.at, lostMs)) })),
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

/** Goes over the windows of an imported policy, day by day and operator by operator, so that little is in memory at once. */
export async function findBreaches(measuring: Measuring, take: (found: FoundOfRules) => void): Promise<void> {
  const { facts, scope, rule, windows, region, asked, signal } = measuring
  const clock = civilClock(region.timezone)
  const areasOf = areasOfRules(rule)
  const isSwept = rule.rules.some(({ kind }) => kind !== 'speed')
  const reach = ruleReach(rule.rules, asked.lostAfterHours * hourMs)
  for (const [day, window] of windows.entries()) {
    if (!isMeasured(window, asked.now)) continue
    const { from } = window
    const until = Math.min(window.until, asked.now)
    const openOf = rule.rules.map((each) => openStretches(each.window, clock, from, until))
    const speeders = await findSpeeders(measuring, rule.rules, areasOf, openOf, { first: from, last: until })
    const standing = isSwept
      ? await findStayOperators({ facts, scope, asked }, { first: from - reach, last: until })
      : []
    for (const operator of new Set([...standing, ...speeders.keys()])) {
      if (asked.operators.length && !asked.operators.includes(operator)) continue
      signal?.throwIfAborted()
      const swept = standing.includes(operator)
        ? await sweepOperator(measuring, areasOf, openOf, operator, { from, until })
        : { breaches: [], short: 0 }
      take({
        day,
        operator,
        breaches: [...swept.breaches, ...(speeders.get(operator) ?? [])],
        short: swept.short,
      })
    }
  }
}
