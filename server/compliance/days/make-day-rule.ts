import { createHash } from 'node:crypto'
import { type Area, type Geometry, isArea } from '#contract/place.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { citywide, type PolicyFields } from '#contract/policy.ts'
import { growShape } from '#server/geography/geometry/grow-shape.ts'
import type { DayGround, DayMeasure, DayRule } from './day-rule.ts'
import { measureTypeOf } from './measures/list.ts'
import { dayMdsRules } from './rules/day-mds-rules.ts'

/** Meters by which lines and points are buffered to areas (docs/metrics.md). */
const [lineBufferMeters, pointBufferMeters] = [10, 20]

function areaOf(geometry: Geometry): Area[] {
  if (isArea(geometry)) return [geometry]
  const grown = growShape(
    geometry,
    geometry.type === 'Point' || geometry.type === 'MultiPoint' ? pointBufferMeters : lineBufferMeters,
  ) as Area | null
  return grown ? [grown] : []
}

type NamedGround = { shapeId: string | null; name: string; geometries: readonly Geometry[] }

/** Grounds with their areas; lines and points are buffered. */
export const groundsOf = (named: readonly NamedGround[]): DayGround[] =>
  named.map(({ shapeId, name, geometries }) => ({ shapeId, name, areas: geometries.flatMap(areaOf) }))

/** A hash of the geometry of grounds. */
export const contentOf = (grounds: readonly DayGround[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(grounds.map(({ areas }) => areas.map(({ type, coordinates }) => [type, coordinates]))),
    )
    .digest('hex')

/** A rule from the fields of a policy; null for fees and unknown types, which are not measured unless imported with rules that can be broken. */
export function dayRule(
  policy: PolicyFields,
  named: readonly NamedGround[],
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
  // The form fields of an unknown type do not describe its rules.
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
  const grounds = groundsOf(named)
  const isCitywide = policy.shape_layer_uuid === null || policy.shape_layer_uuid === citywide
  const places = measureTypeOf(measure).places ?? (isCitywide ? 'union' : 'each')
  const content = contentOf(grounds)
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
