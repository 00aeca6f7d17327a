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
  skippedIn,
  statusOf,
  type StoredProposal,
} from './proposals/proposal-store.ts'
import { type RateLine, rateLines } from './zone-rates.ts'

/** Past changes that the public page lists. */
const pastChanges = 5

const byName = new Intl.Collator('en', { numeric: true })
const timeText = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** Since which local day a zone has had these lines; null: since the first policy that is known. */
function linesSince(
  index: CurbIndex,
  zoneId: string,
  at: number,
  lines: string,
  linesOf: (policyIds: readonly string[], from: number) => string,
): string | null {
  const history = index.policyHistory(zoneId).filter(({ from }) => from <= at)
  let since = history.length - 1
  for (; since > 0; since--) {
    const earlier = history[since - 1]
    if (!earlier || linesOf(earlier.policyIds, earlier.from) !== lines) break
  }
  const start = since > 0 ? history[since]?.from : undefined
  return start === undefined ? null : localDay(new Date(start), index.timezone)
}

/** Rates in force, announced and past changes, for everybody. Throws 404 where the region does not publish them. */
export async function publicRates(
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
  const known = new Map<string, { lines: RateLine[]; text: string }>()
  const linesOf = (policyIds: readonly string[], from: number): { lines: RateLine[]; text: string } => {
    const week = localDay(new Date(from), index.timezone)
    const key = `${week} ${policyIds.toSorted().join(' ')}`
    const found = known.get(key)
    if (found) return found
    const lines = rateLines(
      policyIds.flatMap((id) => index.policies.get(id) ?? []),
      index.timezone,
      week,
    )
    const made = { lines, text: JSON.stringify(lines) }
    known.set(key, made)
    return made
  }
  const epoch = index.at(at)
  const wanted = text.trim().toLowerCase()
  const zones = epoch.zones
    .flatMap((zone) => {
      const policyIds = (epoch.ruleSetByZone.get(zone.id)?.policies ?? []).map((policy) => policy.curb_policy_id)
      const { lines, text: asText } = linesOf(policyIds, at)
      const name = zone.label
      const isFound = !wanted || `${name} ${zone.id}`.toLowerCase().includes(wanted)
      return lines.length && isFound ? { id: zone.id, name, lines, asText } : []
    })
    .sort((a, b) => byName.compare(a.name, b.name) || (a.id < b.id ? -1 : 1))
  const items = zones.slice((page - 1) * size, page * size).map(({ id, name, lines, asText }) => ({
    curb_zone_id: id,
    shape_name: name,
    lines,
    since: linesSince(index, id, at, asText, (ids, from) => linesOf(ids, from).text),
  }))
  const proposals = await readProposals(store, regionId)
  const announced = proposals.filter((proposal) => statusOf(proposal) === 'approved')
  const past = proposals.filter((proposal) => statusOf(proposal) === 'in_force').slice(0, pastChanges)
  const changes: PublicRates['changes'] = []
  for (const proposal of [...announced, ...past])
    changes.push({
      proposal_id: proposal.id,
      name: proposal.name,
      effective_date: effectiveDay(proposal, index.timezone),
      is_announced: announced.includes(proposal),
      rows: await publicRows(store, proposal),
    })
  changes.sort(
    (a, b) =>
      Number(b.is_announced) - Number(a.is_announced) || (a.effective_date < b.effective_date ? 1 : -1),
  )
  return { currency: index.currency, day, items, total: zones.length, page, size, changes }
}

/** Rates before and after, without what led to them. */
async function publicRows(
  store: Parameters<typeof readRows>[0],
  proposal: StoredProposal,
): Promise<PublicRates['changes'][number]['rows']> {
  const skipped = new Set(skippedIn(proposal).map((zone) => zone.curb_zone_id))
  const { bands, day_types: dayTypes } = proposal.parameters
  return changedRows(await readRows(store, proposal))
    .filter((row) => !skipped.has(row.curb_zone_id))
    .map((row) => {
      const band = bands.find(({ key }) => key === row.band)
      return {
        curb_zone_id: row.curb_zone_id,
        shape_name: row.shape_name,
        days: dayTypes.find(({ key }) => key === row.day_type)?.weekdays ?? [],
        from: timeText(band?.from ?? 0),
        until: timeText(band?.until ?? 1440),
        rate_before: row.current_rate,
        rate_after: row.final_rate,
      }
    })
    .sort((a, b) => byName.compare(a.shape_name, b.shape_name))
}
