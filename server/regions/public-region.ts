import { basemapRoles } from '#contract/basemap.ts'
import { PublicRegion, type Region } from '#contract/regions.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { readRegion } from './read-region.ts'

const basemapLevels = basemapRoles.map((role) => `basemap:${role}`)

/** A region for its public pages and feeds. */
export interface OpenRegion {
  region: Region
  /** The Scope of this region. */
  scope: Scope
  createdTime: Date
  /** Whether the public routes map is enabled, the routes map is allowed, and there is MDS data. */
  hasPublicRoutes: boolean
  /** First and last month of the public routes map; null: not limited. */
  publicMonths: { from: string | null; until: string | null }
}

/** Finds a region for public use; null if it does not exist. */
export async function findOpenRegion(state: State, regionId: string): Promise<OpenRegion | null> {
  const row = await state
    .as(systemScope)
    .selectFrom('region')
    .selectAll()
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (!row) return null
  const region = readRegion(row)
  return {
    region,
    scope: regionScope(region.organizationId, region.regionId),
    createdTime: row.created_time,
    hasPublicRoutes:
      row.has_public_routes && region.hasMdsData && (region.allowedMaps?.includes('routes') ?? true),
    publicMonths: { from: row.public_routes_from, until: row.public_routes_until },
  }
}

/** Reads the public part of a region. Its basemap is public if a map of policies, routes or regulations is. */
export async function readPublicRegion(
  state: State,
  { region, scope, hasPublicRoutes }: OpenRegion,
): Promise<PublicRegion> {
  const store = state.as(scope)
  const publishedPolicy = await store
    .selectFrom('policy')
    .select('policy_id')
    .where('region_id', '=', region.regionId)
    .where('published_time', 'is not', null)
    .where('unpublished_time', 'is', null)
    .where('mds', 'is not', null)
    .where('is_deleted', '=', false)
    .limit(1)
    .executeTakeFirst()
  const curbSettings = await store
    .selectFrom('curb_settings')
    .select('settings')
    .where('region_id', '=', region.regionId)
    .executeTakeFirst()
  const hasPublicRegulations =
    (curbSettings?.settings as { isPublic?: boolean } | undefined)?.isPublic === true
  const pricingSettings = await store
    .selectFrom('curb_pricing_settings')
    .select('settings')
    .where('region_id', '=', region.regionId)
    .executeTakeFirst()
  const layers =
    publishedPolicy === undefined && !hasPublicRoutes && !hasPublicRegulations
      ? []
      : await store
          .selectFrom('layer')
          .select(['layer_id', 'level', 'content_hash', 'attribution'])
          .where('region_id', '=', region.regionId)
          .where('level', 'in', basemapLevels)
          .where('shape_count', '>', 0)
          .orderBy('name')
          .execute()
  // Parsing removes all fields of the region that are not public.
  return PublicRegion.parse({
    ...region,
    has_published_policies: publishedPolicy !== undefined,
    has_public_routes: hasPublicRoutes,
    has_public_regulations: hasPublicRegulations,
    has_public_rates: (pricingSettings?.settings as { is_public?: boolean } | undefined)?.is_public === true,
    basemap: layers.map(({ layer_id, level, content_hash, attribution }) => ({
      shape_layer_uuid: layer_id,
      role: level?.replace('basemap:', ''),
      version: content_hash,
      attribution,
    })),
  })
}
