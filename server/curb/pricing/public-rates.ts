import type { getPublicRates, PublicRates } from '#contract/curb-price-proposals.ts'
import { localDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { findOpenRegion } from '#server/regions/public-region.ts'
import type { Store } from '#server/stores/state.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { findEffectiveDay, type Pricing } from './proposals/proposal-detail.ts'
import {
  findChangedRows,
  readPricingSettings,
  readProposals,
  readRows,
  getSkippedZones,
  getStatus,
  type StoredProposal,
} from './proposals/proposal-store.ts'
import { createRateLines, dayMinutes, formatClock, type RateLine } from './zone-rates.ts'

/** Number of past changes on the public page. */
const maxPastChanges = 5

const nameOrder = new Intl.Collator('en', { numeric: true })

/** Reads current rates and changes, without authentication. @throws Problem `not_found` if not public. */
export async function readPublicRates(
  { state, indexes }: Pick<Pricing, 'state' | 'indexes'>,
  { params: { region_id: regionId }, query, at: now }: Call<typeof getPublicRates>,
): Promise<PublicRates> {
  const { text, page, size } = query
  const region = await findOpenRegion(state, regionId)
  const store = region && state.as(region.scope)
  if (!region || !store || !(await readPricingSettings(store, regionId)).is_public)
    throw new Problem('not_found', 'There is no public table of curb rates here.')
  const index = await indexes.get(region.scope, regionId)
  const at = now.getTime()
  const tables = new RateTables(index)
  const zones = findZonesWithRates(index, tables, text, at)
  const items = zones.slice((page - 1) * size, page * size).map((zone) => ({
    curb_zone_id: zone.id,
    shape_name: zone.name,
    lines: zone.table.lines,
    since: findTableStart(index, tables, zone, at),
  }))
  return {
    currency: index.currency,
    day: localDay(now, index.timezone),
    items,
    total: zones.length,
    page,
    size,
    changes: await readChanges(store, regionId, index.timezone),
  }
}

interface RateTable {
  lines: RateLine[]
  /** The lines as text, to compare tables. */
  text: string
}

/** Rate tables by policies and week, each created once. */
class RateTables {
  readonly #index: CurbIndex
  readonly #tables = new Map<string, RateTable>()
  constructor(index: CurbIndex) {
    this.#index = index
  }

  /** Returns the rate table of policies in the week that begins on the local day of an instant. */
  get(policyIds: readonly string[], at: number): RateTable {
    const { policies, timezone } = this.#index
    const week = localDay(new Date(at), timezone)
    const key = `${week} ${policyIds.toSorted().join(' ')}`
    const cached = this.#tables.get(key)
    if (cached) return cached
    const lines = createRateLines(
      policyIds.flatMap((id) => policies.get(id) ?? []),
      timezone,
      week,
    )
    const table = { lines, text: JSON.stringify(lines) }
    this.#tables.set(key, table)
    return table
  }
}

/** Finds the zones with rates at an instant that have a text in their name or id, sorted by name. */
function findZonesWithRates(
  index: CurbIndex,
  tables: RateTables,
  text: string,
  at: number,
): { id: string; name: string; table: RateTable }[] {
  const epoch = index.at(at)
  const searchText = text.trim().toLowerCase()
  return epoch.zones
    .flatMap(({ id, label: name }) => {
      const policies = epoch.ruleSetByZone.get(id)?.policies ?? []
      const table = tables.get(
        policies.map((policy) => policy.curb_policy_id),
        at,
      )
      const isMatch = !searchText || `${name} ${id}`.toLowerCase().includes(searchText)
      return table.lines.length && isMatch ? { id, name, table } : []
    })
    .sort((a, b) => nameOrder.compare(a.name, b.name) || (a.id < b.id ? -1 : 1))
}

/** Finds the local day on which a zone got its table; null if it has had it since its first known policy. */
function findTableStart(
  index: CurbIndex,
  tables: RateTables,
  { id, table }: { id: string; table: RateTable },
  at: number,
): string | null {
  const history = index.getPolicyHistory(id).filter(({ from }) => from <= at)
  let firstIndex = history.length - 1
  for (; firstIndex > 0; firstIndex--) {
    const earlier = history[firstIndex - 1]
    if (!earlier || tables.get(earlier.policyIds, earlier.from).text !== table.text) break
  }
  const start = firstIndex > 0 ? history[firstIndex]?.from : undefined
  return start === undefined ? null : localDay(new Date(start), index.timezone)
}

/** Reads announced changes, then the latest past ones, each newest first. */
async function readChanges(
  store: Store,
  regionId: string,
  timezone: string,
): Promise<PublicRates['changes']> {
  const proposals = await readProposals(store, regionId)
  const announced = proposals.filter((proposal) => getStatus(proposal) === 'approved')
  const past = proposals.filter((proposal) => getStatus(proposal) === 'in_force').slice(0, maxPastChanges)
  const changes: PublicRates['changes'] = []
  for (const proposal of [...announced, ...past])
    changes.push({
      proposal_id: proposal.id,
      name: proposal.name,
      effective_date: findEffectiveDay(proposal, timezone),
      is_announced: announced.includes(proposal),
      rows: await readPublicRows(store, proposal),
    })
  return changes.sort(
    (a, b) =>
      Number(b.is_announced) - Number(a.is_announced) || (a.effective_date < b.effective_date ? 1 : -1),
  )
}

/** Reads the changed rates of a proposal, before and after, without occupancies. */
async function readPublicRows(
  store: Store,
  proposal: StoredProposal,
): Promise<PublicRates['changes'][number]['rows']> {
  const skippedIds = new Set(getSkippedZones(proposal).map((zone) => zone.curb_zone_id))
  const { bands, day_types: dayTypes } = proposal.parameters
  return findChangedRows(await readRows(store, proposal))
    .filter((row) => !skippedIds.has(row.curb_zone_id))
    .map((row) => {
      const band = bands.find(({ key }) => key === row.band)
      return {
        curb_zone_id: row.curb_zone_id,
        shape_name: row.shape_name,
        days: dayTypes.find(({ key }) => key === row.day_type)?.weekdays ?? [],
        from: formatClock(band?.from ?? 0),
        until: formatClock(band?.until ?? dayMinutes),
        rate_before: row.current_rate,
        rate_after: row.final_rate,
      }
    })
    .sort((a, b) => nameOrder.compare(a.shape_name, b.shape_name))
}
