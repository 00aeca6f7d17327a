import { getDefaultOperatorName } from '#contract/operators.ts'
import type { State } from '#server/stores/state.ts'
import type { HealthRegion } from './health-region.ts'

/** The color of an operator that has none. */
const defaultColor = '#44546A'

export interface NamedOperator {
  slug: string
  name: string
  colorHex: string
}

/** Adds names and colors to slugs, sorted by name. An operator that does not exist is named by its slug. */
export async function nameOperators(
  state: State,
  { scope, organizationId }: Pick<HealthRegion, 'scope' | 'organizationId'>,
  slugs: readonly string[],
): Promise<NamedOperator[]> {
  if (!slugs.length) return []
  const operators = await state
    .as(scope)
    .selectFrom('operator')
    .select(['slug', 'name', 'color_hex'])
    .where('organization_id', '=', organizationId)
    .where('slug', 'in', slugs)
    .execute()
  return slugs
    .map((slug) => {
      const operator = operators.find((row) => row.slug === slug)
      return {
        slug,
        name: operator?.name ?? getDefaultOperatorName(slug),
        colorHex: operator?.color_hex ?? defaultColor,
      }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
