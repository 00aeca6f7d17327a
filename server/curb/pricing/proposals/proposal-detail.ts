import type {
  LimitFinding,
  PriceProposal,
  PriceProposalDetail,
  ProposalRow,
} from '#contract/curb-price-proposals.ts'
import { defaultElasticity, type PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import type { CurbIndex, CurbIndexes } from '../../store/curb-index.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { ReadBandOccupancy } from '../propose-rates.ts'
import { summarize } from '../rate-rows.ts'
import { toCellKey, listCells, ZoneRates } from '../zone-rates.ts'
import { type ApprovedProposal, checkLimits } from './check-limits.ts'
import { planPublication } from './plan-publication.ts'
import {
  getAuthors,
  findChangedRows,
  countEdits,
  getEffectiveTime,
  findProposal,
  readPricingSettings,
  readProposals,
  readRows,
  getSkippedZones,
  getStatus,
  type StoredProposal,
} from './proposal-store.ts'

/** What the routes of the pricing engine read and write. */
export interface Pricing {
  state: State
  indexes: CurbIndexes
  readOccupancy: ReadBandOccupancy
}

export interface ProposalCall {
  viewer: Pick<Viewer, 'scope' | 'email'>
  params: { region_id: string; proposal_id: string }
  at: Date
}

/** Lists the proposals of a region, newest first. */
export async function listProposals(
  { state, indexes }: Pricing,
  scope: Scope,
  regionId: string,
): Promise<PriceProposal[]> {
  const index = await indexes.get(scope, regionId)
  const store = state.as(scope)
  const proposals: PriceProposal[] = []
  for (const proposal of await readProposals(store, regionId))
    proposals.push(describeProposal(proposal, index.timezone, await readRows(store, proposal)))
  return proposals
}

/** Finds a proposal with its findings and summary. @throws Problem `not_found`. */
export async function findDetail(
  { state, indexes }: Pricing,
  { viewer: { scope, email }, params, at }: ProposalCall,
): Promise<PriceProposalDetail> {
  const index = await indexes.get(scope, params.region_id)
  const store = state.as(scope)
  const proposal = await findProposal(store, params.region_id, params.proposal_id)
  return readDetail(store, index, proposal, { email, at })
}

const formatTime = (time: Date | null): string | null => time?.toISOString() ?? null

function describeProposal(
  proposal: StoredProposal,
  timezone: string,
  rows: readonly ProposalRow[],
): PriceProposal {
  return {
    proposal_id: proposal.id,
    name: proposal.name,
    status: getStatus(proposal),
    effective_date: findEffectiveDay(proposal, timezone),
    effective_time: formatTime(getEffectiveTime(proposal)),
    created_time: proposal.createdTime.toISOString(),
    created_by_email: proposal.createdBy,
    rows: proposal.rowCount,
    changes: findChangedRows(rows).length,
    edits: countEdits(proposal),
  }
}

async function readDetail(
  store: Store,
  index: CurbIndex,
  proposal: StoredProposal,
  { email, at }: { email: string; at: Date },
): Promise<PriceProposalDetail> {
  const rows = await readRows(store, proposal)
  const isOpen = getStatus(proposal) === 'open'
  const effective = findEffectiveDay(proposal, index.timezone)
  const created = {
    act: 'created' as const,
    time: proposal.createdTime.toISOString(),
    by_email: proposal.createdBy,
    note: null,
  }
  return {
    ...describeProposal(proposal, index.timezone, rows),
    parameters: proposal.parameters,
    steps: [
      created,
      ...proposal.acts.map((act) => ({
        act: act.act as 'edited' | 'approved' | 'withdrawn' | 'published',
        time: act.act_time.toISOString(),
        by_email: act.act_by,
        note: act.note,
      })),
    ],
    findings: isOpen ? await listFindings(store, index, { proposal, rows, email, at, effective }) : [],
    summary: summarize(
      rows.map((row) => ({ ...row, proposed_rate: row.edit ? row.final_rate : row.proposed_rate })),
      proposal.parameters,
      index.currency,
      defaultElasticity,
    ),
    skipped: getSkippedZones(proposal),
    version: proposal.acts.at(-1)?.number ?? 0,
  }
}

/** Returns the local day on which rates take effect, as approved, or as planned until then. */
export function findEffectiveDay(proposal: StoredProposal, timezone: string): LocalDay {
  const time = getEffectiveTime(proposal)
  return time ? localDay(time, timezone) : proposal.parameters.effective_date
}

/** A proposal to check, and the user who wants to approve it. */
interface ProposalCheck {
  proposal: StoredProposal
  rows: readonly ProposalRow[]
  email: string
  at: Date
  effective: LocalDay
}

/** Checks the limits of a proposal with its edits, as if it took effect on a local day. */
export async function listFindings(
  store: Store,
  index: CurbIndex,
  { proposal, rows, email, at, effective }: ProposalCheck,
): Promise<LimitFinding[]> {
  const plan = planPublication(index, { at: at.getTime(), parameters: proposal.parameters, rows })
  const problems = new Map(plan.skipped.map(({ curb_zone_id: id, reason }) => [id, reason]))
  return checkLimits({
    rows,
    settings: await readPricingSettings(store, index.regionId),
    today: localDay(at, index.timezone),
    effective,
    currency: index.currency,
    getCurrentRate: createRateLookup(index, at.getTime(), proposal.parameters),
    getSplitProblem: (zoneId) => problems.get(zoneId) ?? null,
    approvedProposals: await readOtherApproved(store, proposal, index.timezone),
    isAuthor: getAuthors(proposal).has(email),
  })
}

/** Reads other approved proposals that are not in force yet. */
async function readOtherApproved(
  store: Store,
  { id, regionId }: StoredProposal,
  timezone: string,
): Promise<ApprovedProposal[]> {
  const proposals: ApprovedProposal[] = []
  for (const otherProposal of await readProposals(store, regionId))
    if (otherProposal.id !== id && getStatus(otherProposal) === 'approved')
      proposals.push({
        proposal_id: otherProposal.id,
        name: otherProposal.name,
        effective_date: findEffectiveDay(otherProposal, timezone),
        zoneIds: new Set(
          findChangedRows(await readRows(store, otherProposal)).map((row) => row.curb_zone_id),
        ),
      })
  return proposals
}

/** Returns a function that finds the rate in force at an instant for a row. */
export function createRateLookup(
  index: CurbIndex,
  at: number,
  parameters: Pick<PricingParameters, 'bands' | 'day_types'>,
): (row: Pick<ProposalRow, 'curb_zone_id' | 'band' | 'day_type'>) => number | null {
  const rates = ZoneRates.forIndex(index, listCells(parameters.bands, parameters.day_types))
  const epoch = index.at(at)
  return (row) => {
    const set = epoch.ruleSetByZone.get(row.curb_zone_id)
    return set
      ? (rates.getRates(set.policies, at, set.rules).get(toCellKey(row.band, row.day_type))?.rate ?? null)
      : null
  }
}
