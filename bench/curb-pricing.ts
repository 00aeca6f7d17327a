import { randomUUID } from 'node:crypto'
import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import type { BandOccupancy } from '#contract/curb-occupancy.ts'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { pricingPresets } from '#contract/curb-pricing-presets.ts'
import { createProposal } from '#server/curb/pricing/proposals/manage-proposals.ts'
import { findDetail } from '#server/curb/pricing/proposals/proposal-detail.ts'
import { proposeRates, readOccupancies, type ReadBandOccupancy } from '#server/curb/pricing/propose-rates.ts'
import { listCells } from '#server/curb/pricing/zone-rates.ts'
import { CurbIndexes } from '#server/curb/store/curb-index.ts'
import { derivePolicyId, computeSignature } from '#server/curb/store/policy-signature.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs, measureRuns } from './table.ts'

const blocks = 5000
const rowsPerInsert = 1000
const runs = 5

/** Makes a different policy for each block. This is the worst case, because equal policies are read once. */
const makePolicy = (block: number): CdsPolicyContent => ({
  name: `Paid parking ${block}`,
  priority: 80,
  rules: [
    {
      activity: 'parking',
      max_stay: 2,
      max_stay_unit: 'hour',
      rate: [{ rate: 100 + (block % 12) * 25, rate_unit: 'hour' }],
    },
  ],
  time_spans: [
    {
      days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
      time_of_day_start: '09:00',
      time_of_day_end: '18:00',
    },
  ],
})

async function storeBlocks({ app, scope, regionId, city }: Bench, start: Date): Promise<void> {
  const store = app.state.as(scope)
  const inventoryId = randomUUID()
  await store
    .insertInto('curb_inventory')
    .values({
      inventory_id: inventoryId,
      region_id: regionId,
      name: 'Blocks',
      kind: 'drawn',
      created_time: start,
    })
    .execute()
  const zones = Array.from({ length: blocks }, (_, block) => {
    const content = makePolicy(block)
    const signature = computeSignature(content)
    const zoneId = `block-${block}`
    const west = city.lon + (block % 70) * 0.001
    const south = city.lat + Math.floor(block / 70) * 0.001
    const policyId = derivePolicyId(regionId, signature)
    const policy: CdsPolicy = { ...content, curb_policy_id: policyId, published_date: start.getTime() }
    return { block, zoneId, west, south, signature, policyId, policy }
  })
  const times = { start_time: start, published_time: start, updated_time: start }
  for (let from = 0; from < zones.length; from += rowsPerInsert) {
    const batch = zones.slice(from, from + rowsPerInsert)
    await store
      .insertInto('curb_zone')
      .values(
        batch.map(({ block, zoneId, west, south }) => ({
          region_id: regionId,
          curb_zone_id: zoneId,
          shape_uuid: randomUUID(),
          inventory_id: inventoryId,
          source_id: zoneId,
          street_name: `Street ${Math.floor(block / 70)}`,
          street_side: 'N',
          geometry: JSON.stringify({
            type: 'LineString',
            coordinates: [
              [west, south],
              [west + 0.0008, south],
            ],
          }),
          west,
          south,
          east: west + 0.0008,
          north: south,
          length_cm: 6700,
          record: '{}',
          ...times,
        })),
      )
      .execute()
    await store
      .insertInto('curb_policy')
      .values(
        batch.map(({ signature, policyId, policy }) => ({
          region_id: regionId,
          curb_policy_id: policyId,
          signature,
          status: 'published',
          name: policy.name ?? '',
          policy: JSON.stringify(policy),
          created_by: 'bench',
          created_time: start,
          modified_time: start,
          published_time: start,
        })),
      )
      .execute()
    await store
      .insertInto('curb_zone_policy')
      .values(
        batch.map(({ zoneId, policyId }) => ({
          region_id: regionId,
          curb_zone_id: zoneId,
          curb_policy_id: policyId,
          start_time: start,
        })),
      )
      .execute()
  }
}

/** Measures rates for 5,000 blocks: computing them, storing a proposal and reading it. */
export async function benchCurbPricing(bench: Bench, report: Report): Promise<void> {
  const { app, scope, regionId } = bench
  const [preset] = pricingPresets
  if (!preset) throw new Error('There is no preset')
  const parameters: PricingParameters = {
    ...preset.fields,
    preset: preset.key,
    start_date: '2026-02-02',
    end_date: '2026-03-29',
    excluded_days: [],
    kinds: ['measured'],
    paid_reason: null,
    min_days: 10,
    min_coverage: 0.5,
    curb_zone_ids: null,
    effective_date: '2026-04-13',
  }
  const cells = listCells(parameters.bands, parameters.day_types)
  const occupancies = Array.from({ length: blocks }, (_, block) =>
    cells.map(({ band, dayType }, cell): BandOccupancy => ({
      zone_id: `block-${block}`,
      band: band.key,
      day_type: dayType.key,
      occupancy: ((block * 7 + cell * 31) % 110) / 100,
      days: 40,
      coverage: 0.9,
      capacity: 10,
      kind: 'measured',
      interval: null,
    })),
  ).flat()
  const readOccupancy: ReadBandOccupancy = () => Promise.resolve(occupancies)
  const now = new Date('2026-04-01T15:00:00Z')
  await storeBlocks(bench, new Date('2026-01-01T00:00:00Z'))
  const indexes = new CurbIndexes(app.state)
  report.add(
    `Read the curb of ${blocks.toLocaleString('en-US')} blocks, each with a policy of its own`,
    's',
    [(await measureMs(() => indexes.get(scope, regionId))) / 1000],
  )
  const index = await indexes.get(scope, regionId)
  const known = await readOccupancies(readOccupancy, { scope, regionId }, parameters)
  const engine = await measureRuns(runs, async () => proposeRates(index, now.getTime(), parameters, known))
  report.add(
    `Propose rates for ${blocks.toLocaleString('en-US')} blocks x 6 times`,
    's',
    engine.map((ms) => ms / 1000),
  )
  const pricing = { state: app.state, indexes, readOccupancy }
  const editor = { scope, email: 'bench@example.com' }
  const signal = new AbortController().signal
  let proposalId = ''
  const stored = await measureRuns(runs, async () => {
    const proposal = await createProposal(pricing, {
      viewer: editor,
      params: { region_id: regionId },
      body: { name: 'Bench', parameters },
      at: now,
      signal,
    })
    proposalId = proposal.proposal_id
  })
  report.add(
    'Create a proposal of them: propose, store and check',
    's',
    stored.map((ms) => ms / 1000),
  )
  const read = await measureRuns(runs, () =>
    findDetail(pricing, {
      viewer: editor,
      params: { region_id: regionId, proposal_id: proposalId },
      at: now,
    }),
  )
  report.add(
    'Open it, with the check against limits',
    's',
    read.map((ms) => ms / 1000),
  )
}
