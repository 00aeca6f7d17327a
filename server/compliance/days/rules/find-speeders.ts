import { appendTo } from '#contract/group-by.ts'
import { createQueryOptions, type MeasureInput } from '../measure-input.ts'
import type { Span } from '../queries/fact-rows.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { speedBreachRows, type SpeedBreachRow } from '../queries/speed-breaches.ts'
import { buildPlacesWithSpeedSql } from '../speeds/known-speeds.ts'
import type { DayMdsRule } from './day-mds-rules.ts'
import type { Stretch } from './open-times.ts'
import type { RuleBreach } from './rule-breach.ts'

/** Whether a rule limits the speed of trips. Speeds are known from the telemetry of trips only. */
const limitsTripSpeed = ({ kind, states }: DayMdsRule): boolean =>
  kind === 'speed' && (states === null || states.has('on_trip'))

/** Finds vehicles that violated speed rules in a span, once per rule, by operator. */
export async function findSpeeders(
  { facts, scope, filter, indexes, signal }: MeasureInput,
  {
    rules,
    ruleAreas,
    openTimes,
    span,
  }: {
    rules: readonly DayMdsRule[]
    ruleAreas: readonly ReadonlySet<number>[]
    openTimes: readonly (readonly Stretch[])[]
    span: Span
  },
): Promise<Map<string, RuleBreach[]>> {
  const ruleIndices = rules.flatMap((rule, index) => (limitsTripSpeed(rule) ? [index] : []))
  const breachesByOperator = new Map<string, RuleBreach[]>()
  if (!ruleIndices.length) return breachesByOperator
  const places = inAreas(
    await buildPlacesWithSpeedSql(
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
  const speedRules = ruleIndices.map((index) => ({
    rule: rules[index] as DayMdsRule,
    areas: [...(ruleAreas[index] ?? [])],
    open: openTimes[index] ?? [],
  }))
  const rows = await facts.rows<SpeedBreachRow>(
    scope,
    speedBreachRows(places, speedRules, filter.regionId),
    createQueryOptions(signal),
  )
  for (const row of rows) {
    const atMs = Number(row.begins)
    const breach: RuleBreach = {
      rule: ruleIndices[row.rule - 1] as number,
      deviceId: row.device_id,
      vehicleType: row.vehicle_type,
      factId: row.fact_id,
      tripId: row.trip_id,
      at: atMs,
      until: atMs,
      lon: row.lon,
      lat: row.lat,
      accuracy: row.accuracy ?? NaN,
      areas: row.areas,
      speed: Number(row.speed),
    }
    appendTo(breachesByOperator, row.operator, breach)
  }
  return breachesByOperator
}
