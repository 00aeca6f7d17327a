import { createHash } from 'node:crypto'
import { type Area, type Geometry, isArea } from '#contract/place.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { citywide, type PolicyFields } from '#contract/policy.ts'
import { growShape } from '#server/geography/geometry/grow-shape.ts'
import type { DayShape, DayMeasure, DayRule } from './day-rule.ts'
import { findMeasureType } from './measures/list.ts'
import { toDayMdsRules } from './rules/day-mds-rules.ts'

/** Meters by which lines and points are buffered to areas (docs/metrics.md). */
const [lineBufferMeters, pointBufferMeters] = [10, 20]

function bufferToAreas(geometry: Geometry): Area[] {
  if (isArea(geometry)) return [geometry]
  const buffered = growShape(
    geometry,
    geometry.type === 'Point' || geometry.type === 'MultiPoint' ? pointBufferMeters : lineBufferMeters,
  ) as Area | null
  return buffered ? [buffered] : []
}

type NamedShape = { shapeId: string | null; name: string; geometries: readonly Geometry[] }

/** Converts shapes to areas; lines and points are buffered. */
export const toDayShapes = (named: readonly NamedShape[]): DayShape[] =>
  named.map(({ shapeId, name, geometries }) => ({ shapeId, name, areas: geometries.flatMap(bufferToAreas) }))

/** Returns a hash of the geometry of shapes. */
export const hashShapes = (shapes: readonly DayShape[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(shapes.map(({ areas }) => areas.map(({ type, coordinates }) => [type, coordinates]))),
    )
    .digest('hex')

/**
 * Prepares a policy for measuring by day. Null for fees, and for unknown types unless they were imported with
 * rules that can be violated.
 */
export function makeDayRule(
  policy: PolicyFields,
  named: readonly NamedShape[],
  inForce: { policyId: string | null; from: number; until: number | null },
): DayRule | null {
  const type = findPolicyType(policy.policy_type)
  const rules = !type && policy.imported_mds ? toDayMdsRules(policy.imported_mds, named) : []
  const measure: DayMeasure | undefined = type
    ? type.measure(policy)
    : rules.length
      ? { kind: 'rules' }
      : undefined
  if (!measure || measure.kind === 'fee') return null
  // The form fields of an unknown type do not describe its rules.
  const measuredPolicy =
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
  const shapes = toDayShapes(named)
  const isCitywide = policy.shape_layer_uuid === null || policy.shape_layer_uuid === citywide
  const places = findMeasureType(measure).places ?? (isCitywide ? 'union' : 'each')
  const content = hashShapes(shapes)
  return {
    policyId: inForce.policyId,
    policy: measuredPolicy,
    measure,
    places,
    shapes,
    rules,
    content,
    from: inForce.from,
    until: inForce.until ?? Infinity,
  }
}
