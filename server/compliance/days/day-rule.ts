import { createHash } from 'node:crypto'
import { type Area, type Geometry, isArea } from '#contract/place.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import type { Measure } from '#contract/policy-types/policy-type.ts'
import { citywide, type PolicyFields } from '#contract/policy.ts'
import { growShape } from '#server/geography/grow-shape.ts'
import { type DayMdsRule, dayMdsRules } from './rules/day-mds-rules.ts'

/** A place that a policy is measured in: a shape, or the region's boundary of several. */
export interface DayGround {
  shapeId: string | null
  name: string
  areas: readonly Area[]
}

/**
 * In which places is counted: nowhere in particular (`whole`: all of the region), in all grounds together (`union`), or in each of them.
 * All but `each` have one record a day and operator.
 */
type Places = 'whole' | 'union' | 'each'

/** What is measured: what a type says, or `rules`, the own ones of an imported policy, at every full minute. */
export type DayMeasure = Measure | { kind: 'rules' }

/** A policy as its days are measured. */
export interface DayRule {
  /** The revision; null: not saved. */
  policyId: string | null
  policy: PolicyFields
  measure: DayMeasure
  places: Places
  grounds: readonly DayGround[]
  /** Of an imported policy its own rules; of others none: `measure` says it all. */
  rules: readonly DayMdsRule[]
  /** Names the grounds' geometry: the same areas in the same order have the same. */
  content: string
  /** When it held, ms; a draft always did. */
  from: number
  until: number
}

/** Metres by which lines and points are grown to areas (metrics.md, decision 3; STANDARDS.md, section 1). */
const [lineReach, pointReach] = [10, 20]

function areaOf(geometry: Geometry): Area[] {
  if (isArea(geometry)) return [geometry]
  const grown = growShape(
    geometry,
    geometry.type === 'Point' || geometry.type === 'MultiPoint' ? pointReach : lineReach,
  ) as Area | null
  return grown ? [grown] : []
}

/** Kinds that are measured in all shapes together, and in the region whatever the place. */
const inUnion: readonly DayMeasure['kind'][] = ['parked_share', 'rules']
const inWhole: readonly DayMeasure['kind'][] = ['fleet', 'trips_per_vehicle']

/** A rule of a policy's fields; null: a fee or an unknown type, of which nothing is measured, unless it was imported with rules that can be broken. */
export function dayRule(
  policy: PolicyFields,
  named: readonly { shapeId: string | null; name: string; geometries: readonly Geometry[] }[],
  held: { policyId: string | null; from: number; until: number | null },
): DayRule | null {
  const type = policyTypeOf(policy.policy_type)
  const rules = !type && policy.imported_mds ? dayMdsRules(policy.imported_mds, named) : []
  const measure: DayMeasure | undefined = type
    ? type.measure(policy)
    : rules.length
      ? { kind: 'rules' }
      : undefined
  if (!measure || measure.kind === 'fee') return null
  // What the form's fields of an unknown type say is not what its rules say.
  const own =
    measure.kind === 'rules'
      ? {
          ...policy,
          vehicle_types: [],
          propulsion_types: [],
          minimum: null,
          maximum: null,
          unit: null,
          start_time: null,
          end_time: null,
          days: [],
        }
      : policy
  const grounds = named.map(({ shapeId, name, geometries }): DayGround => ({
    shapeId,
    name,
    areas: geometries.flatMap(areaOf),
  }))
  const isCitywide = policy.shape_layer_uuid === null || policy.shape_layer_uuid === citywide
  const places = inWhole.includes(measure.kind)
    ? 'whole'
    : isCitywide || inUnion.includes(measure.kind)
      ? 'union'
      : 'each'
  const content = createHash('sha256')
    .update(
      JSON.stringify(grounds.map(({ areas }) => areas.map(({ type, coordinates }) => [type, coordinates]))),
    )
    .digest('hex')
  return {
    policyId: held.policyId,
    policy: own,
    measure,
    places,
    grounds,
    rules,
    content,
    from: held.from,
    until: held.until ?? Infinity,
  }
}

/** Whether an operator's trips alone tell what is measured: also those of files. */
export const byTrips = ({ measure }: Pick<DayRule, 'measure'>): boolean => measure.kind === 'ridden'
