// Reference implementation of imported rules by day (decision 023), at each full minute of the day.
import { civilClock } from '#contract/civil-clock.ts'
import type { MdsRule } from '#contract/mds-policy.ts'
import { dayMs, hourMs, minuteMs } from '#contract/period.ts'
import { eventTypes } from '#contract/vehicle-states.ts'
import { evaluatePolicy } from '#server/compliance/evaluate-policy.ts'
import { readMdsPolicy } from '#server/compliance/mds/evaluate-case.ts'
import type { RulePolicy } from '#server/compliance/rule.ts'
import { findDwellStart, type VehicleAtMoment, findVehiclesAt } from '#server/compliance/vehicles-at.ts'
import type { VehicleTrack } from '#server/compliance/vehicle-track.ts'
import { holdsPlace, getMetersToBorder } from './plain-areas.ts'
import type { PlainCity, PlainVehicle } from './plain-city.ts'
import { areas } from './random-days.ts'

const movedMeters = 100
const unitMs: Record<string, number> = { minutes: minuteMs, hours: hourMs, days: dayMs }

export interface PlainBreach {
  rule: string
  device: string
  at: number
  until: number
  isNear: boolean
}
export interface PlainFound {
  breaches: PlainBreach[]
  short: number
}

const getArea = (ids: readonly string[]) => ({
  contains: ({ lon, lat }: { lon: number; lat: number }) =>
    ids.some((id) => holdsPlace(areas[id] as (typeof areas)[string], lon, lat)),
})
const makeTrack = (
  { operator, device, type, propulsion, accessibility }: PlainVehicle,
  steps: VehicleTrack['steps'],
): VehicleTrack => ({
  deviceId: device,
  providerId: operator,
  vehicleType: type,
  propulsionTypes: propulsion,
  accessibility: accessibility ?? [],
  steps,
})

/** How far back events matter: the longest time limit plus the time after which a vehicle is lost. */
const getReachMs = (rules: readonly MdsRule[], lostMs: number): number =>
  lostMs +
  Math.max(
    0,
    ...rules
      .filter(({ rule_type: type }) => type === 'time')
      .flatMap(({ minimum, maximum, rule_units: unit }) =>
        [minimum ?? 0, maximum ?? 0].map((limit) => limit * (unitMs[unit ?? ''] ?? NaN)),
      ),
  )

function isNear(rule: MdsRule | undefined, { step: { lon, lat, accuracy } }: VehicleAtMoment): boolean {
  return getMetersToBorder(areas[rule?.geographies[0] ?? ''] as (typeof areas)[string], lon, lat) < accuracy
}

/** Rounds the limits of speeds to 32-bit floats, like stored telemetry. */
const roundSpeedLimits = (policy: RulePolicy): RulePolicy => {
  const roundBound = (bound: number): number => Math.round(Math.fround(bound) * 1e9) / 1e9
  return {
    ...policy,
    rules: policy.rules
      .filter(({ kind }) => kind === 'speed')
      .map((rule) => ({
        ...rule,
        bounds: {
          ...rule.bounds,
          minimum: roundBound(rule.bounds.minimum),
          maximum: roundBound(rule.bounds.maximum),
        },
      })),
  }
}

/** Evaluates rules for one operator in a time range. */
export function plainRules(
  { vehicles, intervals, points, region }: PlainCity,
  rules: readonly MdsRule[],
  { operator, from, until }: { operator: string; from: number; until: number },
): PlainFound {
  const policy = readMdsPolicy({ policy_id: 'p', name: 'p', start_date: 0, rules: [...rules] }, getArea)
  const clock = civilClock(region.timezone)
  const lostMs = region.lostAfterHours * hourMs
  const known = from - getReachMs(rules, lostMs)
  const operatorVehicles = vehicles.filter((vehicle) => vehicle.operator === operator)
  const tracks = operatorVehicles.map((vehicle) =>
    makeTrack(
      vehicle,
      intervals
        .filter((stay) => stay.device === vehicle.device && stay.from >= known)
        .map((stay) => ({
          at: stay.from,
          state: stay.state,
          types: stay.types ?? [],
          lon: stay.lon,
          lat: stay.lat,
          accuracy: stay.accuracy ?? NaN,
          speed: NaN,
        })),
    ),
  )
  const breaches = new Map<string, PlainBreach & { isOver: boolean }>()
  const short = new Set<string>()
  for (let at = Math.ceil(from / minuteMs) * minuteMs; at < until; at += minuteMs) {
    const fleet = findVehiclesAt(tracks, at)
    const broken = new Map<string, number>()
    evaluatePolicy(policy, fleet, { at, clock, lostMs, movedMeters }).forEach(
      ({ ruleId, shortfall, vehicles: found }, index) => {
        const rule = policy.rules[index] as RulePolicy['rules'][number]
        if (rule.kind === 'count' && shortfall > 0) short.add(ruleId)
        const silence =
          rule.kind === 'time' && rule.bounds.maximum >= lostMs && rule.bounds.maximum < Infinity
            ? Infinity
            : lostMs
        for (const device of found) {
          const standing = fleet.find(({ track }) => track.deviceId === device) as VehicleAtMoment
          const since = findDwellStart(rule, standing, { movedMeters, lostMs: silence })
          const key = `${ruleId} ${device}`
          broken.set(key, since)
          if (!breaches.has(key))
            breaches.set(key, {
              rule: ruleId,
              device,
              at: since,
              until,
              isNear: isNear(
                rules.find(({ rule_id: id }) => id === ruleId),
                standing,
              ),
              isOver: false,
            })
        }
      },
    )
    for (const [key, breach] of breaches)
      if (!breach.isOver && broken.get(key) !== breach.at) Object.assign(breach, { until: at, isOver: true })
  }
  const ridden = roundSpeedLimits(policy)
  for (const point of points
    .filter(
      ({ operator: owner, time, tripId }) =>
        owner === operator && tripId !== null && time >= from && time < until,
    )
    .toSorted((a, b) => a.time - b.time)) {
    const vehicle = operatorVehicles.find(({ device }) => device === point.device) as PlainVehicle
    // A point of a trip has the state on_trip, whichever event led to it.
    const fleet = findVehiclesAt(
      [
        makeTrack(vehicle, [
          {
            at: point.time,
            state: 'on_trip',
            types: eventTypes,
            lon: point.lon,
            lat: point.lat,
            accuracy: point.accuracy,
            speed: Math.fround(point.speed),
          },
        ]),
      ],
      point.time,
    )
    for (const { ruleId, vehicles: found } of evaluatePolicy(ridden, fleet, {
      at: point.time,
      clock,
      lostMs,
      movedMeters,
    }))
      for (const device of found)
        if (!breaches.has(`${ruleId} ${device}`))
          breaches.set(`${ruleId} ${device}`, {
            rule: ruleId,
            device,
            at: point.time,
            until: point.time,
            isNear: isNear(
              rules.find(({ rule_id: id }) => id === ruleId),
              fleet[0] as VehicleAtMoment,
            ),
            isOver: true,
          })
  }
  return {
    breaches: [...breaches.values()].map(({ rule, device, at, until: last, isNear: near }) => ({
      rule,
      device,
      at,
      until: last,
      isNear: near,
    })),
    short: short.size,
  }
}
