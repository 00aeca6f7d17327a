import type { ImportSource } from '#contract/policy-import.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Region } from '#contract/regions.ts'
import type { Scope } from '#server/stores/scope.ts'
import { findKnownOperators } from '../known-operators.ts'
import type { PolicyStores } from '../save-policy.ts'
import { getToday } from '../today-in.ts'
import { type FeedDigests, computeFeedDigests } from './feed-digests.ts'
import { type Place, readGeographies } from './read-geographies.ts'
import { type ReadPolicy, readImportedPolicy } from './read-policy.ts'
import { readSource, type SourceContent } from './read-source.ts'

export interface ImportContext extends PolicyStores {
  fetch: GuardedFetch
}

export interface SourcePolicy extends ReadPolicy {
  digests: FeedDigests
}

/** The source of an import, and who imports it. */
interface ImportRequest {
  scope: Scope
  regionId: string
  source: ImportSource
  /** Name of the agency; null for the name in the source. */
  agency: string | null
  at: Date
}

export interface ParsedSource {
  region: Region
  content: SourceContent
  places: ReadonlyMap<string, Place>
  policies: SourcePolicy[]
}

/** Fetches and parses a source. If several policies have the same id, the first is used. */
export async function findImports(
  { state, facts, fetch }: ImportContext,
  { scope, regionId, source, agency, at }: ImportRequest,
): Promise<ParsedSource> {
  const region = await findRegion(state, scope, regionId)
  const content = await readSource(fetch, source)
  const places = readGeographies(content.geographies)
  const operators = await findKnownOperators(state, facts, scope, regionId)
  const slugByProvider = new Map(
    [...operators].flatMap(([slug, provider]): [string, string][] =>
      provider === null ? [] : [[provider, slug]],
    ),
  )
  const context = {
    source: content.source,
    agency: agency ?? content.agency,
    places,
    operators: slugByProvider,
    region,
    today: getToday(region, at),
  }
  const policiesById = new Map<string, SourcePolicy>()
  content.policies.forEach((raw, index) => {
    const policy = readImportedPolicy(raw, index, context)
    if (!policiesById.has(policy.found.policy_id))
      policiesById.set(policy.found.policy_id, {
        ...policy,
        digests: computeFeedDigests(
          raw,
          content.geographies,
          policy.found.places.map(({ geography_id: id }) => id),
        ),
      })
  })
  return { region, content, places, policies: [...policiesById.values()] }
}
