import { findRegion } from '#server/regions/read-region.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

interface MdsOperator {
  slug: string
  name: string
  colorHex: string
  providerId: string | null
  /** MDS versions of its feeds. */
  versions: string[]
}

/** Lists the operators with enabled MDS feeds in a region, and the versions of these feeds. */
export async function listMdsOperators(
  state: State,
  scope: Scope,
  regionId: string,
): Promise<{ items: MdsOperator[] }> {
  const { organizationId } = await findRegion(state, scope, regionId)
  const feeds = await state
    .as(scope)
    .selectFrom('feed')
    .select(['operator', 'version'])
    .distinct()
    .where('region_id', '=', regionId)
    .where('kind', 'in', ['mds_provider', 'mds_agency'])
    .where('enabled', '=', true)
    .execute()
  const operators = await state
    .as(scope)
    .selectFrom('operator')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .execute()
  const items = operators
    .filter(({ slug }) => canReadOperator(scope, slug))
    .flatMap(({ slug, name, color_hex: colorHex, provider_id: providerId }) => {
      const versions = feeds
        .filter((feed) => feed.operator === slug)
        .map((feed) => feed.version)
        .toSorted()
      return versions.length ? [{ slug, name, colorHex, providerId, versions }] : []
    })
  return { items }
}
