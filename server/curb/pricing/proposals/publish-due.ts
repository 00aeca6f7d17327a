import { systemScope } from '#server/identity/scope.ts'
import { lockCurb } from '../../store/curb-settings.ts'
import type { CurbIndex } from '../../store/curb-index.ts'
import type { Log } from '#server/jobs/log.ts'
import { currentRates, lockProposal, type Pricing } from './manage-proposals.ts'
import { nextBandStart, planPublication } from './plan-publication.ts'
import {
  addAct,
  changedRows,
  effectiveTimeOf,
  findProposal,
  readRows,
  statusOf,
  type StoredProposal,
} from './proposal-store.ts'
import { publishSplits } from './publish-rates.ts'

/** A publication that is later than this takes effect at the start of the next band instead. */
const toleranceMs = 10 * 60_000

/** The region's curb changed while its rates were being published; the next run tries again. */
class CurbChanged extends Error {
  override name = 'CurbChanged'
}

/** Publishes the rates of approved proposals that are due. One that fails is logged and tried again. */
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
      log('publish curb rates', { region: regionId, proposal: id, error: String(error) })
    }
}

async function publishProposal(pricing: Pricing, regionId: string, id: string, now: Date): Promise<void> {
  const { state, indexes } = pricing
  const store = state.as(systemScope)
  if (statusOf(await findProposal(store, regionId, id)) !== 'approved') return
  const index = await indexes.get(systemScope, regionId)
  await store.transaction().execute(async (inside) => {
    await lockProposal(inside, regionId, id)
    const proposal = await findProposal(inside, regionId, id)
    // Another server may have been faster, or a person withdrew it.
    if (statusOf(proposal) !== 'approved') return
    await lockCurb(inside, regionId)
    const head = await inside
      .selectFrom('curb_settings')
      .select('version')
      .where('region_id', '=', regionId)
      .executeTakeFirstOrThrow()
    if (Number(head.version) !== index.version + 1)
      throw new CurbChanged('The curb of the region changed meanwhile')
    const effective = effectiveOf(proposal, index, now)
    const rowsOf = await readRows(inside, proposal)
    const rateNow = currentRates(index, effective.getTime(), proposal.parameters)
    const plan = planPublication(index, effective.getTime(), proposal.parameters, rowsOf, (own) =>
      own.every((row) => rateNow(row) === row.current_rate)
        ? null
        : 'The rate changed after the approval, so that the zone was left as it is.',
    )
    const email = approverOf(proposal)
    await publishSplits({ store: inside, regionId, email, at: now, effective }, plan.splits)
    await addAct(inside, proposal, {
      act: 'published',
      by: null,
      at: now,
      skipped: plan.skipped,
      note: `${changedRows(rowsOf).length} rates, ${plan.skipped.length} zones left as they are`,
      effective,
    })
  })
}

function effectiveOf(proposal: StoredProposal, index: CurbIndex, now: Date): Date {
  const planned = effectiveTimeOf(proposal) ?? now
  return now.getTime() - planned.getTime() <= toleranceMs
    ? planned
    : nextBandStart(proposal.parameters, now, index.timezone)
}

const approverOf = ({ acts }: StoredProposal): string =>
  acts.findLast(({ act }) => act === 'approved')?.act_by ?? ''
