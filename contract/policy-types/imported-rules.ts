import { type MdsRule, mdsSpeedUnits } from '#contract/mds-policy.ts'
import type { ImportedMds } from '#contract/policy.ts'
import type { RuleScope } from './policy-type.ts'

/** Unit of speed of imported rules: that of the first speed rule; null if there is none. */
export function importedSpeedUnit({
  rules,
}: Pick<ImportedMds, 'rules'>): (typeof mdsSpeedUnits)[number] | null {
  const unit = rules.find(({ rule_type: type }) => type === 'speed')?.rule_units
  return mdsSpeedUnits.find((each) => each === unit) ?? null
}

/** Imported rules on the geographies as published here. A deleted shape is in none of them. */
export function importedRules({ rules, places }: ImportedMds, { geographies }: RuleScope): MdsRule[] {
  const published = new Map(geographies.map(({ shape_uuid: shape, geography_id: id }) => [shape, id]))
  const idsOf = new Map(
    places.map(({ geography_id: id, shape_uuids: shapes }) => [
      id,
      shapes.flatMap((shape) => published.get(shape) ?? []),
    ]),
  )
  return rules.map((rule) => ({
    ...rule,
    geographies: rule.geographies.flatMap((id) => idsOf.get(id) ?? []),
  }))
}
