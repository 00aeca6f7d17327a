import { type MdsRule, mdsSpeedUnits } from '../mds-policy.ts'
import type { ImportedMds } from '../policy.ts'
import type { RuleScope } from './policy-type.ts'

/** The unit in which speeds are told of imported rules: that of the first rule about them; null: there is none. */
export function importedSpeedUnit({
  rules,
}: Pick<ImportedMds, 'rules'>): (typeof mdsSpeedUnits)[number] | null {
  const unit = rules.find(({ rule_type: type }) => type === 'speed')?.rule_units
  return mdsSpeedUnits.find((each) => each === unit) ?? null
}

/** Rules as they were imported, on the geographies that their shapes are published as now. A shape that is gone is in none. */
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
