import type { MdsPolicy, MdsRule } from '#contract/mds-policy.ts'
import { hourMs } from '#contract/period.ts'
import type { FleetCase, FleetEvent, FleetVehicle } from './random-case.ts'

interface RuleResult {
  rule_id: string
  measured: number
  excess: number
  shortfall: number
  vehicles: string[]
}

const lost = 48 * hourMs
const unitSeconds: Record<string, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }
const rightOfWay = ['available', 'non_operational', 'reserved', 'on_trip', 'stopped', 'non_contactable']

/**
 * Reference implementation of the rules of docs/metrics.md, without code of the engine. Areas are polygons
 * with holes, on a grid that doubles represent exactly.
 */
export function evaluatePlainly({ clock, policies, geographies, vehicles, events }: FleetCase) {
  const { now, timezone } = clock

  const isSuperseded = (policy: MdsPolicy): boolean =>
    policies.some(
      (candidate) =>
        candidate.policy_id !== policy.policy_id &&
        candidate.start_date <= now &&
        (candidate.prev_policies ?? []).includes(policy.policy_id),
    )
  const isInForce = (policy: MdsPolicy): boolean =>
    policy.start_date <= now && (policy.end_date == null || now < policy.end_date) && !isSuperseded(policy)
  const listReports = (vehicle: FleetVehicle): FleetEvent[] =>
    events
      .map((event, index) => ({ event, index }))
      .filter(({ event }) => event.device_id === vehicle.device_id && event.timestamp <= now)
      .sort((a, b) => a.event.timestamp - b.event.timestamp || a.index - b.index)
      .map(({ event }) => event)

  function isOpen(rule: MdsRule): boolean {
    const { weekday, yesterday, seconds } = readWallClock(timezone, now)
    const toSeconds = (text: string): number => {
      const [h = 0, m = 0, s = 0] = text.split(':').map(Number)
      return h * 3600 + m * 60 + s
    }
    const start = toSeconds(rule.start_time ?? '00:00:00')
    const end = rule.end_time == null || rule.end_time === '23:59:59' ? 24 * 3600 : toSeconds(rule.end_time)
    const isOnDay = (day: string): boolean =>
      rule.days == null || rule.days.length === 0 || rule.days.some((allowedDay) => allowedDay === day)
    if (start < end) return seconds >= start && seconds < end && isOnDay(weekday)
    if (seconds >= start && isOnDay(weekday)) return true
    return seconds < end && isOnDay(yesterday)
  }

  function isInArea(rule: MdsRule, event: FleetEvent): boolean {
    const { location } = event
    return (
      location !== null &&
      rule.geographies.some((id) => {
        const [outer = [], ...holes] =
          geographies.find((geography) => geography.geography_id === id)?.geography_json.coordinates ?? []
        const { lng, lat } = location
        return isInRing(outer, lng, lat) !== 'out' && holes.every((hole) => isInRing(hole, lng, lat) !== 'in')
      })
    )
  }

  /** Returns the event since which the vehicle has met the rule. */
  function findArrival(rule: MdsRule, vehicle: FleetVehicle): FleetEvent | undefined {
    const all = listReports(vehicle)
    let at = all.length - 1
    for (;;) {
      const [here, before] = [all[at], all[at - 1]]
      if (
        !here ||
        !before ||
        !isLookedFor(rule, before) ||
        isFar(before, here) ||
        here.timestamp - before.timestamp > getMaxSilence(rule)
      )
        return here
      at -= 1
    }
  }
  const getParkedSince = (rule: MdsRule, vehicle: FleetVehicle): number =>
    findArrival(rule, vehicle)?.timestamp ?? NaN
  /** Of two vehicles with the same time, the one that was reported first is earlier. */
  const getReportTime = (rule: MdsRule, vehicle: FleetVehicle): number =>
    events.findIndex((event) => event === findArrival(rule, vehicle))

  function isMatch(rule: MdsRule, vehicle: FleetVehicle): boolean {
    const last = listReports(vehicle).at(-1)
    if (!last || now - last.timestamp >= getMaxSilence(rule)) return false
    if (
      rule.vehicle_types != null &&
      rule.vehicle_types.length > 0 &&
      !rule.vehicle_types.includes(vehicle.vehicle_type)
    )
      return false
    if (
      rule.propulsion_types != null &&
      rule.propulsion_types.length > 0 &&
      !vehicle.propulsion_types.some((type) => rule.propulsion_types?.includes(type))
    )
      return false
    return isLookedFor(rule, last) && isInArea(rule, last)
  }

  /** Returns the time at the current place, or the speed, in the unit of the rule. */
  function measureVehicle(rule: MdsRule, vehicle: FleetVehicle): number {
    if (rule.rule_type === 'time')
      return (now - getParkedSince(rule, vehicle)) / 1000 / (unitSeconds[rule.rule_units ?? ''] ?? NaN)
    const speed = listReports(vehicle).at(-1)?.speed ?? NaN
    return rule.rule_units === 'mph' ? (speed * 3600) / 1609.344 : speed * 3.6
  }

  /** Adds the results of a policy for a provider. Later rules ignore vehicles that matched a rule. */
  function evaluateFleet(policy: MdsPolicy, provider: string, found: readonly RuleResult[]): void {
    let left = vehicles.filter(
      (vehicle) =>
        vehicle.provider_id === provider &&
        (vehicle.mode_id == null || vehicle.mode_id === (policy.mode_id ?? 'micromobility')),
    )
    const hasFleet = left.some((vehicle) => {
      const last = listReports(vehicle).at(-1)
      return last !== undefined && now - last.timestamp < lost && rightOfWay.includes(last.vehicle_state)
    })
    const refusedBy = new Map<string, number>()
    policy.rules.filter(canBreak).forEach((rule, index) => {
      const result = found[index]
      if (!result || !isOpen(rule)) return
      const matching = left
        .filter((vehicle) => isMatch(rule, vehicle))
        .sort(
          (a, b) =>
            getParkedSince(rule, a) - getParkedSince(rule, b) ||
            getReportTime(rule, a) - getReportTime(rule, b),
        )
      if (rule.rule_type === 'count' && rule.rate_applies_when === 'in_bounds') {
        result.measured += matching.length
        if (isBelowMinimum(rule, matching.length)) return
        matching
          .filter((_, place) => !isAboveMaximum(rule, place + 1))
          .forEach((vehicle) => {
            left = left.filter((other) => other !== vehicle)
            refusedBy.delete(vehicle.device_id)
          })
        return
      }
      if (rule.rule_type === 'count') {
        let matchCount = 0
        for (const vehicle of matching) {
          if (isAboveMaximum(rule, matchCount + 1)) refusedBy.set(vehicle.device_id, index)
          else {
            matchCount += 1
            left = left.filter((other) => other !== vehicle)
            refusedBy.delete(vehicle.device_id)
          }
        }
        result.measured += matching.length
        if (hasFleet)
          for (let count = matching.length; isBelowMinimum(rule, count); count++) result.shortfall += 1
        return
      }
      for (const vehicle of matching) {
        const value = measureVehicle(rule, vehicle)
        if (Number.isNaN(value)) continue
        const isOut = isAboveMaximum(rule, value) || isBelowMinimum(rule, value)
        if (isOut === (rule.rate_applies_when === 'in_bounds')) continue
        left = left.filter((other) => other !== vehicle)
        refusedBy.delete(vehicle.device_id)
        result.measured += 1
        if (!isOut) continue
        if (isAboveMaximum(rule, value)) result.excess += 1
        else result.shortfall += 1
        result.vehicles.push(vehicle.device_id)
      }
    })
    for (const [id, index] of refusedBy) {
      const result = found[index]
      if (result) {
        result.excess += 1
        result.vehicles.push(id)
      }
    }
  }

  const broken = policies.filter((policy) => isInForce(policy) && policy.rules.some(canBreak))
  if (broken.length === 0) return { result: 'not evaluated' as const }

  const rules = broken.flatMap((policy) => {
    const results = policy.rules.filter(canBreak).map((rule): RuleResult => ({
      rule_id: rule.rule_id,
      measured: 0,
      excess: 0,
      shortfall: 0,
      vehicles: [],
    }))
    const providers = [...new Set(vehicles.map((vehicle) => vehicle.provider_id))].filter(
      (id) =>
        policy.provider_ids == null || policy.provider_ids.length === 0 || policy.provider_ids.includes(id),
    )
    for (const provider of providers) evaluateFleet(policy, provider, results)
    return results
  })
  return { total_violations: rules.reduce((sum, rule) => sum + rule.excess + rule.shortfall, 0), rules }
}

const canBreak = (rule: MdsRule): boolean =>
  rule.rule_type === 'count' || rule.rule_type === 'time' || rule.rule_type === 'speed'

function readWallClock(
  timezone: string,
  at: number,
): { weekday: string; seconds: number; yesterday: string } {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
  const weekday = days.indexOf(parts['weekday'] ?? '')
  const name = (index: number): string => (days[(index + 7) % 7] ?? '').toLowerCase()
  return {
    weekday: name(weekday),
    yesterday: name(weekday - 1),
    seconds: Number(parts['hour']) * 3600 + Number(parts['minute']) * 60 + Number(parts['second']),
  }
}

/** Whether a point is in, on or out of a ring, by the winding number. */
function isInRing(ring: number[][], x: number, y: number): 'in' | 'on' | 'out' {
  let winding = 0
  for (let i = 0; i < ring.length - 1; i++) {
    const [ax = 0, ay = 0] = ring[i] ?? []
    const [bx = 0, by = 0] = ring[i + 1] ?? []
    const side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    if (
      side === 0 &&
      Math.min(ax, bx) <= x &&
      x <= Math.max(ax, bx) &&
      Math.min(ay, by) <= y &&
      y <= Math.max(ay, by)
    )
      return 'on'
    if (ay <= y && by > y && side > 0) winding += 1
    if (ay > y && by <= y && side < 0) winding -= 1
  }
  return winding === 0 ? 'out' : 'in'
}

function isLookedFor(rule: MdsRule, event: FleetEvent): boolean {
  if (rule.states == null || Object.keys(rule.states).length === 0)
    return rightOfWay.includes(event.vehicle_state)
  if (!(event.vehicle_state in rule.states)) return false
  const types = rule.states[event.vehicle_state] ?? []
  return types.length === 0 || types.some((type) => event.event_types.includes(type))
}

const getMaxSilence = (rule: MdsRule): number => {
  const longest =
    rule.rule_type === 'time' && rule.maximum != null
      ? rule.maximum * (unitSeconds[rule.rule_units ?? ''] ?? 0) * 1000
      : null
  return longest !== null && longest >= lost ? Infinity : lost
}

/** Whether two events are at different places. An unknown place is never different. */
const isFar = ({ location: a }: FleetEvent, { location: b }: FleetEvent): boolean =>
  a !== null && b !== null && Math.hypot((a.lat - b.lat) * 111_000, (a.lng - b.lng) * 111_000) > 100

const isAboveMaximum = (rule: MdsRule, value: number): boolean =>
  rule.maximum != null && (rule.inclusive_maximum === false ? value >= rule.maximum : value > rule.maximum)
const isBelowMinimum = (rule: MdsRule, value: number): boolean =>
  rule.minimum != null && (rule.inclusive_minimum === false ? value <= rule.minimum : value < rule.minimum)
