import { getDefaultOperatorName } from '#contract/operators.ts'
import type { State } from '#server/stores/state.ts'
import type { HealthRegion } from './health-region.ts'

/** Color of an operator without one. */
const plainColor = '#44546A'

/** Operators with name and color, by name. */
export async function nameOperators(
  state: State,
  { scope, organizationId }: Pick<HealthRegion, 'scope' | 'organizationId'>,
  slugs: readonly string[],
): Promise<{ slug: string; name: string; colorHex: string }[]> {
  if (!slugs.length) return []
  const known = await state
    .as(scope)
    .selectFrom('operator')
    .select(['slug', 'name', 'color_hex'])
    .where('organization_id', '=', organizationId)
    .where('slug', 'in', slugs)
    .execute()
  return slugs
    .map((slug) => {
      const of = known.find((each) => each.slug === slug)
      return { slug, name: of?.name ?? getDefaultOperatorName(slug), colorHex: of?.color_hex ?? plainColor }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
