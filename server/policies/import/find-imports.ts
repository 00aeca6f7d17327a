import type { ImportSource } from '#contract/policy-import.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Region } from '#contract/regions.ts'
import type { Scope } from '#server/stores/scope.ts'
import { knownOperators } from '../known-operators.ts'
import type { PolicyStores } from '../save-policy.ts'
import { todayOf } from '../today-of.ts'
import { type FeedDigests, feedDigests } from './feed-digests.ts'
import { type Place, readGeographies } from './read-geographies.ts'
import { type ReadPolicy, readPolicy } from './read-policy.ts'
import { readSource, type SourceContent } from './read-source.ts'

export interface Importing extends PolicyStores {
  fetch: GuardedFetch
}

/** A policy of a source, with the digests by which changes are found. */
export interface FoundImport extends ReadPolicy {
  digests: FeedDigests
}

/** The content of a source, read for a region. */
export interface FoundImports {
  region: Region
  content: SourceContent
  places: ReadonlyMap<string, Place>
  policies: FoundImport[]
}

/** Fetches and reads a source. If several policies have one id, the first is used. */
export async function findImports(
  { state, facts, fetch }: Importing,
  scope: Scope,
  regionId: string,
  source: ImportSource,
  agency: string | null,
  at: Date,
): Promise<FoundImports> {
  const region = await findRegion(state, scope, regionId)
  const content = await readSource(fetch, source)
  const places = readGeographies(content.geographies)
  const operators = await knownOperators(state, facts, scope, regionId)
  const bySlug = new Map(
    [...operators].flatMap(([slug, provider]): [string, string][] =>
      provider === null ? [] : [[provider, slug]],
    ),
  )
  const about = {
    source: content.source,
    agency: agency ?? content.agency,
    places,
    operators: bySlug,
    region,
    today: todayOf(region, at),
  }
  const byId = new Map<string, FoundImport>()
  content.policies.forEach((raw, index) => {
    const read = readPolicy(raw, index, about)
    if (!byId.has(read.found.policy_id))
      byId.set(read.found.policy_id, {
        ...read,
        digests: feedDigests(
          raw,
          content.geographies,
          read.found.places.map(({ geography_id: id }) => id),
        ),
      })
  })
  return { region, content, places, policies: [...byId.values()] }
}
