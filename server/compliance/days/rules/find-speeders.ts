import { limits, type Measuring } from '../measuring.ts'
import type { Span } from '../queries/fact-rows.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { speedBreaches, type SpeedBreachRow } from '../queries/speed-breaches.ts'
import { ridesWithSpeed } from '../speeds/known-speeds.ts'
import type { DayMdsRule } from './day-mds-rules.ts'
import type { Stretch } from './open-stretches.ts'
import type { RuleBreach } from './rule-breach.ts'

/** Whether a rule is about trips: speeds come from the telemetry of trips. */
const isOfRides = ({ kind, states }: DayMdsRule): boolean =>
  kind === 'speed' && (states === null || states.has('on_trip'))

/** Vehicles of each operator that exceeded the bounds of speed rules in a span, once per rule. */
export async function findSpeeders(
  { facts, scope, filter, indexes, signal }: Measuring,
  rules: readonly DayMdsRule[],
  areasOf: readonly ReadonlySet<number>[],
  openOf: readonly (readonly Stretch[])[],
  span: Span,
): Promise<Map<string, RuleBreach[]>> {
  const numbers = rules.flatMap((rule, number) => (isOfRides(rule) ? [number] : []))
  const found = new Map<string, RuleBreach[]>()
  if (!numbers.length) return found
  const places = inAreas(
    await ridesWithSpeed(
      {
        facts,
        scope,
        filter: { ...filter, policy: { vehicle_types: [], propulsion_types: [] } },
        ...(signal ? { signal } : {}),
      },
      span,
    ),
    indexes,
  )
  const speedRules = numbers.map((number) => ({
    rule: rules[number] as DayMdsRule,
    areas: [...(areasOf[number] ?? [])],
    open: openOf[number] ?? [],
  }))
  const rows = await facts.rows<SpeedBreachRow>(scope, speedBreaches(places, speedRules, filter.regionId), {
    ...limits,
    ...(signal ? { signal } : {}),
  })
  for (const row of rows) {
    const at = Number(row.begins)
    const breach: RuleBreach = {
      rule: numbers[row.rule - 1] as number,
      deviceId: row.device_id,
      vehicleType: row.vehicle_type,
      factId: row.fact_id,
      tripId: row.trip_id,
      at,
      until: at,
      lon: row.lon,
      lat: row.lat,
      accuracy: row.accuracy ?? NaN,
      areas: row.areas,
      speed: Number(row.speed),
    }
    const own = found.get(row.operator)
    if (own) own.push(breach)
    else found.set(row.operator, [breach])
  }
  return found
}
