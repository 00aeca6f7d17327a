import { minuteMs } from '#contract/period.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import { systemScope } from '#server/identity/scope.ts'
import { lockCurb } from '../../store/curb-settings.ts'
import type { CurbIndex } from '../../store/curb-index.ts'
import type { Log } from '#server/jobs/log.ts'
import { lockProposal } from './manage-proposals.ts'
import { createRateLookup, type Pricing } from './proposal-detail.ts'
import { findNextBandStart, planPublication } from './plan-publication.ts'
import {
  addAct,
  findChangedRows,
  getEffectiveTime,
  findProposal,
  readRows,
  getStatus,
  type StoredProposal,
} from './proposal-store.ts'
import { publishSplits } from './publish-rates.ts'

/** A publication that is later than this takes effect at the start of the next time band instead. */
const toleranceMs = 10 * minuteMs

/** Thrown if a region's curb changed while its rates were being published; the next run retries. */
class CurbChanged extends Error {
  override name = 'CurbChanged'
}

/** Publishes the rates of approved proposals that are due. Failures are logged and retried next time. */
export async function publishDueRates(pricing: Pricing, log: Log, now: Date): Promise<void> {
  const rows = await pricing.state
    .as(systemScope)
    .selectFrom('curb_price_act')
    .select(['proposal_id', 'region_id', 'effective_time'])
    .where('act', '=', 'approved')
    .where('effective_time', '<=', now)
    .orderBy('effective_time')
    .execute()
  for (const { proposal_id: id, region_id: regionId } of rows)
    try {
      await publishProposal(pricing, regionId, id, now)
    } catch (error) {
      log('curb rates could not be published', {
        region: regionId,
        proposal: id,
        error: getErrorMessage(error),
      })
    }
}

/** Publishes an approved proposal, unless its state has changed in the meantime. */
async function publishProposal(pricing: Pricing, regionId: string, id: string, now: Date): Promise<void> {
  const { state, indexes } = pricing
  const store = state.as(systemScope)
  if (getStatus(await findProposal(store, regionId, id)) !== 'approved') return
  const index = await indexes.get(systemScope, regionId)
  await store.transaction().execute(async (transaction) => {
    await lockProposal(transaction, regionId, id)
    const proposal = await findProposal(transaction, regionId, id)
    // Another server may have published the proposal, or a user may have withdrawn it.
    if (getStatus(proposal) !== 'approved') return
    await lockCurb(transaction, regionId)
    const curbSettings = await transaction
      .selectFrom('curb_settings')
      .select('version')
      .where('region_id', '=', regionId)
      .executeTakeFirstOrThrow()
    // `lockCurb` incremented the version.
    if (Number(curbSettings.version) !== index.version + 1)
      throw new CurbChanged('The curb of the region changed meanwhile')
    const effective = computeEffectiveTime(proposal, index, now)
    const rows = await readRows(transaction, proposal)
    const findRate = createRateLookup(index, effective.getTime(), proposal.parameters)
    const plan = planPublication(index, {
      at: effective.getTime(),
      parameters: proposal.parameters,
      rows,
      getSkipReason: (zoneRows) =>
        zoneRows.every((row) => findRate(row) === row.current_rate)
          ? null
          : 'The rate changed after the approval, so that the zone was left as it is.',
    })
    const email = getApprover(proposal)
    await publishSplits({ store: transaction, regionId, email, at: now, effective }, plan.splits)
    await addAct(transaction, proposal, {
      act: 'published',
      email: null,
      at: now,
      skipped: plan.skipped,
      note: `${findChangedRows(rows).length} rates, ${plan.skipped.length} zones left as they are`,
      effective,
    })
  })
}

/** Computes the planned time, or the start of the next time band if the publication is too late. */
function computeEffectiveTime(proposal: StoredProposal, index: CurbIndex, now: Date): Date {
  const planned = getEffectiveTime(proposal) ?? now
  return now.getTime() - planned.getTime() <= toleranceMs
    ? planned
    : findNextBandStart(proposal.parameters, now, index.timezone)
}

const getApprover = ({ acts }: StoredProposal): string =>
  acts.findLast(({ act }) => act === 'approved')?.act_by ?? ''
