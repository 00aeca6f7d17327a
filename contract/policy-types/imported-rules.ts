import { type MdsRule, mdsSpeedUnits } from '#contract/mds-policy.ts'
import type { ImportedMds } from '#contract/policy.ts'
import type { RuleScope } from './policy-type.ts'

/** Returns the unit of speed of imported rules: the unit of the first speed rule; null if there is none. */
export function importedSpeedUnit({
  rules,
}: Pick<ImportedMds, 'rules'>): (typeof mdsSpeedUnits)[number] | null {
  const unit = rules.find(({ rule_type: type }) => type === 'speed')?.rule_units
  return mdsSpeedUnits.find((mdsSpeedUnit) => mdsSpeedUnit === unit) ?? null
}

/** Returns imported rules with the geographies that this server publishes. Deleted shapes are left out. */
export function importedRules({ rules, places }: ImportedMds, { geographies }: RuleScope): MdsRule[] {
  const publishedIds = new Map(geographies.map(({ shape_uuid: shape, geography_id: id }) => [shape, id]))
  const idsByGeography = new Map(
    places.map(({ geography_id: id, shape_uuids: shapes }) => [
      id,
      shapes.flatMap((shape) => publishedIds.get(shape) ?? []),
    ]),
  )
  return rules.map((rule) => ({
    ...rule,
    geographies: rule.geographies.flatMap((id) => idsByGeography.get(id) ?? []),
  }))
}
