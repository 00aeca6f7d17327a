import { writePricingSettings } from '#server/curb/pricing/proposals/proposal-store.ts'
import {
  approveProposal,
  createProposal,
  editProposal,
} from '#server/curb/pricing/proposals/manage-proposals.ts'
import { listProposals, type Pricing } from '#server/curb/pricing/proposals/proposal-detail.ts'
import { publishDueRates } from '#server/curb/pricing/proposals/publish-due.ts'
import {
  type PricingBand,
  type PricingDayType,
  PricingParameters,
} from '#contract/curb-pricing-parameters.ts'
import { PricingSettings } from '#contract/curb-price-proposals.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayMs } from '#contract/period.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Log } from '#server/jobs/log.ts'
import type { CurbPlace } from './curb-place.ts'
import {
  getChangeDay,
  findNextMonday,
  rateBands,
  rateSteps,
  windowDays,
  windowEndsBefore,
} from './price-response.ts'

export interface PriceChangeContext {
  pricing: Pricing
  viewer: Viewer
  regionId: string
  timezone: string
  places: readonly CurbPlace[]
  log: Log
}

const proposalNames = { past: 'Downtown rates, first adjustment', open: 'Downtown rates, next adjustment' }
export const pricingBands: PricingBand[] = rateBands.map((band) => ({ ...band, day_types: [] }))
export const pricingDayTypes: PricingDayType[] = [
  { key: 'weekday', weekdays: [1, 2, 3, 4, 5] },
  { key: 'saturday', weekdays: [6] },
]
const noticeDays = 14

/** Returns San Francisco's rule with the bands of the demo city. */
const makeParameters = (
  window: { start: number; end: number; effective: number },
  more: Partial<PricingParameters>,
) =>
  PricingParameters.parse({
    bands: pricingBands,
    day_types: pricingDayTypes,
    start_date: dayFromNumber(window.start),
    end_date: dayFromNumber(window.end),
    kinds: ['measured'],
    min_days: 8,
    min_coverage: 0.5,
    target: rateSteps.target,
    steps: [
      { from: 0, until: rateSteps.target.from, change: -rateSteps.change },
      { from: rateSteps.target.from, until: rateSteps.target.until, change: 0 },
      { from: rateSteps.target.until, until: null, change: rateSteps.change },
    ],
    floor: 50,
    ceiling: 600,
    max_change: { amount: 50, share: null },
    min_days_between: 28,
    rounding: 25,
    effective_date: dayFromNumber(window.effective),
    ...more,
  })

const hasProposal = async (
  { pricing, viewer, regionId }: PriceChangeContext,
  name: string,
): Promise<boolean> =>
  (await listProposals(pricing, viewer.scope, regionId)).some((proposal) => proposal.name === name)

/** Stores a rate change of nine months ago with its proposal. `today` is the first run's local day. */
export async function changePastRates(context: PriceChangeContext, today: number): Promise<void> {
  const { pricing, viewer, regionId, timezone, places, log } = context
  if (await hasProposal(context, proposalNames.past)) return
  await writePricingSettings(
    pricing.state.as(viewer.scope),
    regionId,
    PricingSettings.parse({
      floor: 50,
      ceiling: 600,
      max_step: 50,
      min_days_between: 28,
      notice_days: 7,
      is_public: true,
    }),
  )
  const effective = getChangeDay(today)
  const parameters = makeParameters(
    { start: effective - windowEndsBefore - windowDays, end: effective - windowEndsBefore, effective },
    {
      preset: 'san_francisco',
      curb_zone_ids: places
        .filter(({ use, hasSensor, until }) => use === 'meter' && hasSensor && until === null)
        .map(({ zoneId }) => zoneId),
    },
  )
  const created = new Date(startOfDay(dayFromNumber(effective - noticeDays - 5), timezone) + 0.6 * dayMs)
  const proposal = await createProposal(pricing, {
    viewer,
    params: { region_id: regionId },
    body: { name: proposalNames.past, parameters },
    at: created,
    signal: new AbortController().signal,
  })
  const id = proposal.proposal_id
  const [first, second] = places.filter(({ hasSensor, use }) => hasSensor && use === 'meter')
  const addDays = (days: number): Date => new Date(created.getTime() + days * dayMs)
  const params = { region_id: regionId, proposal_id: id }
  const edits = [first, second].flatMap((place, index) =>
    place
      ? [
          {
            curb_zone_id: place.zoneId,
            band: index ? 'afternoon' : 'morning',
            day_type: 'weekday',
            action: 'exclude' as const,
            reason: index ? 'Theater season: decide after the spring' : 'Water main works until May',
          },
        ]
      : [],
  )
  const edited = await editProposal(pricing, { viewer, params, body: { edits }, at: addDays(2) })
  const body = { version: edited.version, note: 'Council file 25-118' }
  await approveProposal(pricing, { viewer, params, body, at: addDays(4) })
  const proposals = await listProposals(pricing, viewer.scope, regionId)
  const due = proposals.find(({ proposal_id: proposalId }) => proposalId === id)
  if (due?.effective_time) await publishDueRates(pricing, log, new Date(due.effective_time))
}

/** Stores a proposal that awaits a decision, from measured and estimated occupancy of two months. */
export async function proposeNextRates(context: PriceChangeContext, today: number, at: Date): Promise<void> {
  const { pricing, viewer, regionId } = context
  if (await hasProposal(context, proposalNames.open)) return
  const effective = today + 28
  const parameters = makeParameters(
    { start: today - 62, end: today - 2, effective: findNextMonday(effective) },
    { preset: 'san_francisco', kinds: ['measured', 'estimated'], curb_zone_ids: null },
  )
  await createProposal(pricing, {
    viewer,
    params: { region_id: regionId },
    body: { name: proposalNames.open, parameters },
    at,
    signal: new AbortController().signal,
  })
}
