import { createHash } from 'node:crypto'
import { type Area, type Geometry, isArea } from '#contract/place.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { citywide, type PolicyFields } from '#contract/policy.ts'
import { growShape } from '#server/geography/geometry/grow-shape.ts'
import type { DayShape, DayMeasure, DayRule } from './day-rule.ts'
import { findMeasureType } from './measures/list.ts'
import { toDayMdsRules } from './rules/day-mds-rules.ts'

/** Distances by which lines and points are buffered to areas (docs/metrics.md). */
const lineBufferMeters = 10
const pointBufferMeters = 20

function bufferToAreas(geometry: Geometry): Area[] {
  if (isArea(geometry)) return [geometry]
  const isPoint = geometry.type === 'Point' || geometry.type === 'MultiPoint'
  const area = growShape(geometry, isPoint ? pointBufferMeters : lineBufferMeters) as Area | null
  return area ? [area] : []
}

/** A shape with its name. `shapeId` is null for the region's boundary. */
type NamedShape = { shapeId: string | null; name: string; geometries: readonly Geometry[] }

/** Converts shapes to areas; lines and points are buffered. */
export const toDayShapes = (namedShapes: readonly NamedShape[]): DayShape[] =>
  namedShapes.map(({ shapeId, name, geometries }) => ({
    shapeId,
    name,
    areas: geometries.flatMap(bufferToAreas),
  }))

/** Returns a hash of the geometry of shapes. */
export const hashShapes = (shapes: readonly DayShape[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(shapes.map(({ areas }) => areas.map(({ type, coordinates }) => [type, coordinates]))),
    )
    .digest('hex')

/** Prepares a policy for measuring by day. Null for fees and for types that cannot be violated. */
export function makeDayRule(
  policy: PolicyFields,
  namedShapes: readonly NamedShape[],
  revision: { policyId: string | null; from: number; until: number | null },
): DayRule | null {
  const type = findPolicyType(policy.policy_type)
  const rules = !type && policy.imported_mds ? toDayMdsRules(policy.imported_mds, namedShapes) : []
  const importedMeasure = rules.length ? { kind: 'rules' as const } : undefined
  const measure: DayMeasure | undefined = type ? type.measure(policy) : importedMeasure
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
  const shapes = toDayShapes(namedShapes)
  const isCitywide = policy.shape_layer_uuid === null || policy.shape_layer_uuid === citywide
  const places = findMeasureType(measure).places ?? (isCitywide ? 'union' : 'each')
  const content = hashShapes(shapes)
  return {
    policyId: revision.policyId,
    policy: measuredPolicy,
    measure,
    places,
    shapes,
    rules,
    content,
    from: revision.from,
    until: revision.until ?? Infinity,
  }
}
