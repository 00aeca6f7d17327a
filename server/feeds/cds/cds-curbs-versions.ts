import type { CdsPolicy, CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import type { CdsVersion } from '#contract/cds-events.ts'
import type { Geometry, Position } from '#contract/place.ts'

/** The width of a zone that is a line of unknown width, because CDS 1.0 requires a polygon. */
const assumedWidthCm = 240

/** Fields that were added in CDS 1.1. */
export const fieldsAddedIn11: Readonly<
  Record<'zone' | 'space' | 'area' | 'policy' | 'rule', readonly string[]>
> = {
  zone: [
    'description',
    'jurisdiction_type',
    'owner_name',
    'address_number',
    'curb_object_ids',
    'custom_attributes',
    'external_references',
  ],
  space: ['curb_object_ids', 'custom_attributes', 'external_references'],
  area: ['custom_attributes', 'external_references'],
  policy: ['name', 'description', 'policy_color', 'external_references'],
  rule: ['name', 'description'],
}

/** Returns a copy of a record without some fields. */
export const omit = (record: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !names.includes(key)))

/** Converts a time span to CDS 1.0, which has no weeks of the month, by replacing them with their days. */
function toTimeSpan10({ weeks_of_month: weeks, ...span }: CdsTimeSpan): CdsTimeSpan {
  if (!weeks?.length) return span
  const daysOfWeeks = weeks.flatMap((week) =>
    Array.from({ length: 7 }, (_, index) => (week - 1) * 7 + index + 1),
  )
  const daysOfMonth = span.days_of_month
  return {
    ...span,
    days_of_month: daysOfWeeks.filter((day) => day <= 31 && (!daysOfMonth || daysOfMonth.includes(day))),
  }
}

/**
 * Converts a rule to CDS 1.0. Purposes become user classes, with a rule for each. 1.0 has no exceptions: a
 * prohibition with exceptions is published without them and a permission not at all, so that readers never
 * permit what is forbidden.
 */
function toRules10({ user_classes_except: except, purposes, ...rule }: CdsRule): object[] {
  if (except?.length && !rule.activity.startsWith('no ')) return []
  const rule10 = omit(rule, fieldsAddedIn11.rule)
  if (!purposes?.length) return [rule10]
  return purposes.map((purpose) => ({ ...rule10, user_classes: [...(rule.user_classes ?? []), purpose] }))
}

/** Converts a policy to a version; null if none of its rules can be expressed. */
export function convertPolicy(policy: CdsPolicy, version: CdsVersion): object | null {
  if (version !== '1.0') return policy
  const rules = policy.rules.flatMap(toRules10)
  if (!rules.length) return null
  return {
    ...omit(policy, fieldsAddedIn11.policy),
    rules,
    ...(policy.time_spans ? { time_spans: policy.time_spans.map(toTimeSpan10) } : {}),
  }
}

/** Returns the polygon around a line with a width. Corners move at right angles to their neighbors. */
function bufferLine(line: readonly Position[], widthCm: number): Geometry {
  const halfWidthMeters = widthCm / 100 / 2
  const offsetLine = (side: 1 | -1): Position[] =>
    line.map(([lon, lat], index): Position => {
      const [fromLon, fromLat] = line[index - 1] ?? [lon, lat]
      const [toLon, toLat] = line[index + 1] ?? [lon, lat]
      const metersPerLat = 111_320
      const metersPerLon = Math.cos((lat * Math.PI) / 180) * metersPerLat
      const dx = (toLon - fromLon) * metersPerLon
      const dy = (toLat - fromLat) * metersPerLat
      const length = Math.hypot(dx, dy) || 1
      return [
        lon + (side * halfWidthMeters * dy) / length / metersPerLon,
        lat - (side * halfWidthMeters * dx) / length / metersPerLat,
      ]
    })
  const right = offsetLine(1)
  return { type: 'Polygon', coordinates: [[...right, ...offsetLine(-1).toReversed(), right[0] ?? [0, 0]]] }
}

/** Converts a geometry to a version: in 1.0 zones are polygons. `record`: the zone, with its width in cm. */
export function convertGeometry(
  geometry: Geometry,
  record: Record<string, unknown>,
  version: CdsVersion,
): Geometry {
  if (version !== '1.0' || geometry.type !== 'LineString') return geometry
  const width = record['width']
  return bufferLine(geometry.coordinates, typeof width === 'number' ? width : assumedWidthCm)
}
