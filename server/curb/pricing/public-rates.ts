import type { PublicRates } from '#contract/curb-price-proposals.ts'
import { localDay } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import { findOpenRegion } from '#server/regions/public-region.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { effectiveDay, type Pricing } from './proposals/manage-proposals.ts'
import {
  changedRows,
  readPricingSettings,
  readProposals,
  readRows,
  getSkippedZones,
  getStatus,
  type StoredProposal,
} from './proposals/proposal-store.ts'
import { clockText, createRateLines, type RateLine } from './zone-rates.ts'

/** Number of past changes on the public page. */
const maxPastChanges = 5

const nameOrder = new Intl.Collator('en', { numeric: true })

/** The local day since which a zone has had the given rate lines; null if since its first known policy. */
function findLinesStart(
  index: CurbIndex,
  zoneId: string,
  at: number,
  lines: string,
  getLinesText: (policyIds: readonly string[], from: number) => string,
): string | null {
  const history = index.policyHistory(zoneId).filter(({ from }) => from <= at)
  let since = history.length - 1
  for (; since > 0; since--) {
    const earlier = history[since - 1]
    if (!earlier || getLinesText(earlier.policyIds, earlier.from) !== lines) break
  }
  const start = since > 0 ? history[since]?.from : undefined
  return start === undefined ? null : localDay(new Date(start), index.timezone)
}

/**
 * Rates in force, announced changes and past changes, without authentication. Throws `not_found` if the
 * region does not publish them.
 */
export async function readPublicRates(
  { state, indexes }: Pick<Pricing, 'state' | 'indexes'>,
  regionId: string,
  { text, page, size }: { text: string; page: number; size: number },
  now: Date,
): Promise<PublicRates> {
  const open = await findOpenRegion(state, regionId)
  const store = open && state.as(open.scope)
  if (!open || !store || !(await readPricingSettings(store, regionId)).is_public)
    throw new Problem('not_found', 'There is no public table of curb rates here.')
  const index = await indexes.get(open.scope, regionId)
  const at = now.getTime()
  const day = localDay(now, index.timezone)
  const linesByKey = new Map<string, { lines: RateLine[]; text: string }>()
  const getLines = (policyIds: readonly string[], from: number): { lines: RateLine[]; text: string } => {
    const week = localDay(new Date(from), index.timezone)
    const key = `${week} ${policyIds.toSorted().join(' ')}`
    const cached = linesByKey.get(key)
    if (cached) return cached
    const lines = createRateLines(
      policyIds.flatMap((id) => index.policies.get(id) ?? []),
      index.timezone,
      week,
    )
    const result = { lines, text: JSON.stringify(lines) }
    linesByKey.set(key, result)
    return result
  }
  const epoch = index.at(at)
  const search = text.trim().toLowerCase()
  const zones = epoch.zones
    .flatMap((zone) => {
      const policyIds = (epoch.ruleSetByZone.get(zone.id)?.policies ?? []).map(
        (policy) => policy.curb_policy_id,
      )
      const { lines, text: linesText } = getLines(policyIds, at)
      const name = zone.label
      const isMatch = !search || `${name} ${zone.id}`.toLowerCase().includes(search)
      return lines.length && isMatch ? { id: zone.id, name, lines, linesText } : []
    })
    .sort((a, b) => nameOrder.compare(a.name, b.name) || (a.id < b.id ? -1 : 1))
  const items = zones.slice((page - 1) * size, page * size).map(({ id, name, lines, linesText }) => ({
    curb_zone_id: id,
    shape_name: name,
    lines,
    since: findLinesStart(index, id, at, linesText, (ids, from) => getLines(ids, from).text),
  }))
  const proposals = await readProposals(store, regionId)
  const announced = proposals.filter((proposal) => getStatus(proposal) === 'approved')
  const past = proposals.filter((proposal) => getStatus(proposal) === 'in_force').slice(0, maxPastChanges)
  const changes: PublicRates['changes'] = []
  for (const proposal of [...announced, ...past])
    changes.push({
      proposal_id: proposal.id,
      name: proposal.name,
      effective_date: effectiveDay(proposal, index.timezone),
      is_announced: announced.includes(proposal),
      rows: await readPublicRows(store, proposal),
    })
  changes.sort(
    (a, b) =>
      Number(b.is_announced) - Number(a.is_announced) || (a.effective_date < b.effective_date ? 1 : -1),
  )
  return { currency: index.currency, day, items, total: zones.length, page, size, changes }
}

/** Changed rates of a proposal, before and after, without the data behind them. */
async function readPublicRows(
  store: Parameters<typeof readRows>[0],
  proposal: StoredProposal,
): Promise<PublicRates['changes'][number]['rows']> {
  const skipped = new Set(getSkippedZones(proposal).map((zone) => zone.curb_zone_id))
  const { bands, day_types: dayTypes } = proposal.parameters
  return changedRows(await readRows(store, proposal))
    .filter((row) => !skipped.has(row.curb_zone_id))
    .map((row) => {
      const band = bands.find(({ key }) => key === row.band)
      return {
        curb_zone_id: row.curb_zone_id,
        shape_name: row.shape_name,
        days: dayTypes.find(({ key }) => key === row.day_type)?.weekdays ?? [],
        from: clockText(band?.from ?? 0),
        until: clockText(band?.until ?? 1440),
        rate_before: row.current_rate,
        rate_after: row.final_rate,
      }
    })
    .sort((a, b) => nameOrder.compare(a.shape_name, b.shape_name))
}
