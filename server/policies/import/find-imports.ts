import type { ImportSource } from '#contract/policy-import.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { findRegion } from '#server/regions/find-region.ts'
import type { Region } from '#contract/regions.ts'
import type { Kysely } from 'kysely'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { knownOperators } from '../known-operators.ts'
import type { PolicyStores } from '../save-policy.ts'
import { readFields } from '../stored-fields.ts'
import { todayOf } from '../today-of.ts'
import { type Place, readGeographies } from './read-geographies.ts'
import { type ReadPolicy, readPolicy } from './read-policy.ts'
import { readSource, type SourceContent } from './read-source.ts'

export interface Importing extends PolicyStores {
  fetch: GuardedFetch
}

/** What a source holds, read for a region. */
export interface FoundImports {
  region: Region
  content: SourceContent
  places: ReadonlyMap<string, Place>
  policies: ReadPolicy[]
}

/** Ids at the source of policies that were imported from there and are not deleted. */
export async function importedBefore(store: Kysely<StateTables>, regionId: string, source: string): Promise<Set<string>> {
  const rows = await store.selectFrom('policy').select(['fields', 'currency']).where('region_id', '=', regionId).where('is_deleted', '=', false).execute()
  return new Set(rows.map(({ fields, currency }) => readFields(fields, currency)).flatMap(({ imported_source: from, imported_policy_id: id }) => (from === source && id !== null ? [id] : [])))
}

/** Fetches and reads a source. Of several policies with one id the first is taken. */
export async function findImports({ state, facts, fetch }: Importing, scope: Scope, regionId: string, source: ImportSource, agency: string | null, at: Date): Promise<FoundImports> {
  const region = await findRegion(state, scope, regionId)
  const content = await readSource(fetch, source)
  const places = readGeographies(content.geographies)
  const [operators, known] = await Promise.all([knownOperators(state, facts, scope, regionId), importedBefore(state.as(scope), regionId, content.source)])
  const bySlug = new Map([...operators].flatMap(([slug, provider]): [string, string][] => (provider === null ? [] : [[provider, slug]])))
  const about = { source: content.source, agency: agency ?? content.agency, places, operators: bySlug, known, region, today: todayOf(region, at) }
  const byId = new Map<string, ReadPolicy>()
  content.policies.forEach((raw, index) => {
    const read = readPolicy(raw, index, about)
    if (!byId.has(read.found.policy_id)) byId.set(read.found.policy_id, read)
  })
  return { region, content, places, policies: [...byId.values()] }
}
