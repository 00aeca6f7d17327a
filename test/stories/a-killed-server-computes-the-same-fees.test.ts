import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { getFeeSummary } from '#contract/fees.ts'
import { approveInvoice, createInvoice, type Invoice, type InvoiceSummary } from '#contract/invoices.ts'
import { createRegion } from '#contract/regions.ts'
import { feeDays } from '#server/fleet/fact-changes.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { call, openTestApp } from '../app.ts'
import {
  addStormInvoices,
  type Admin,
  importPayments,
  isOpen,
  issueNote,
  issueRest,
  listNotes,
  wait,
  getSequence,
  startOn,
  findStormInvoice,
  stormRegion,
  countUpTo,
} from '../billing/storm-invoices.ts'
import { makePeople } from '../city.ts'
import { chargedMonth, getOperatorSlug, publishFees, storeChargedMonth } from '../city/charged-month.ts'
import { createRandom } from '../city/random.ts'
import { createDataDir } from '../new-data-dir.ts'
import { createCaller, type ServerProcess } from '../server-process.ts'

type FeeSummary = EndpointOutput<typeof getFeeSummary>

/** The first kill hits the fees, the second one invoices, and so on in turns. */
const killCount = Number(process.env['KILL_RUNS'] ?? 1)
const draftCount = 4 + 12 * killCount
const operatorCount = 2 * killCount
const tripsPerOperator = 800
const dataDir = createDataDir()
const shiftFile = path.join(dataDir, 'clock-shift')
/** Soon after the month, so that all days since then are derived. */
const now = new Date('2026-02-05T15:00:00Z')
const random = createRandom(Date.now() % 1_000_000)
let server: ServerProcess
let token: string

/** The regions have the same data, but only the fees of the first one are disturbed. */
const testRegions = [stormRegion, 'calm'].map((regionId) => ({
  regionId,
  lat: 41.5,
  lon: -72.5,
  timezone: 'America/New_York',
}))

beforeAll(async () => {
  fs.writeFileSync(shiftFile, String(now.getTime() - Date.now()))
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now })
  const app = await openTestApp(dataDir)
  const { admin, organizations } = await makePeople(app)
  token = admin.token
  const store = app.state.as(systemScope)
  const slugs = Array.from({ length: operatorCount }, (_, index) => getOperatorSlug(index))
  const organization_id = organizations.alder
  await store
    .insertInto('operator')
    .values(slugs.map((slug) => ({ organization_id, slug, name: slug, color_hex: '#336699' })))
    .execute()
  for (const place of testRegions) {
    await call(app, admin, createRegion, { body: { ...place, text: place.regionId, isMetric: false } })
    const scope = regionScope(organization_id, place.regionId)
    await storeChargedMonth(app.facts, scope, place, { operators: operatorCount, trips: tripsPerOperator })
    await publishFees(app, scope, place)
  }
  await addStormInvoices(app.state, draftCount)
  await app.derivation.idle([feeDays])
  for (const { regionId: region_id } of testRegions)
    for (const operator of slugs) {
      const body = { operator, ...chargedMonth }
      const { invoice_id, version } = await call(app, admin, createInvoice, { params: { region_id }, body })
      const params = { region_id, invoice_id }
      await call(app, admin, approveInvoice, { params, body: { version } })
    }
  await app.stop()
  vi.useRealTimers()
  server = await startOn(dataDir, shiftFile)
  // The first kill hits a computation of these fees.
  await changeHours(createCaller(server, token), 0)
}, 600_000)
afterAll(async () => {
  await server.kill('SIGKILL')
  fs.rmSync(dataDir, { recursive: true, force: true })
})

const monthQuery = `start_date=${chargedMonth.start_date}&end_date=${chargedMonth.end_date}`
const getSummary = (admin: Admin, region: string): Promise<FeeSummary> =>
  admin.call(`/v2/regions/${region}/fees/summary?${monthQuery}`)

/** Returns the rows of operators with fees, without those that only have invoices. */
const listFees = ({ months }: FeeSummary) => months.filter(({ operator }) => operator.startsWith('rides-'))

async function waitForFees(admin: Admin, region: string): Promise<FeeSummary> {
  for (;;) {
    const summary = await getSummary(admin, region)
    // Policies are marked one after another, so every operator must have fees.
    const charged = new Set(listFees(summary).map(({ operator }) => operator))
    if (charged.size >= operatorCount && !summary.pending_days) return summary
    await wait(2000)
  }
}

/** Lists the invoices that contain fees. */
const listInvoices = async (admin: Admin, region: string): Promise<InvoiceSummary[]> =>
  (
    await admin.call<{ items: InvoiceSummary[] }>(
      `/v2/regions/${region}/invoices?kind=invoice&size=300&order_by=number`,
    )
  ).items.filter(({ operator }) => operator.startsWith('rides-'))

const issueInvoice = (admin: Admin, region: string, { invoice_id: id }: InvoiceSummary): Promise<Invoice> =>
  admin.call(`/v2/regions/${region}/invoices/${id}/issue`, 'POST')

/** Issues an invoice when its days are prepared. Days are marked only some time after a start. */
async function issueWhenPrepared(admin: Admin, region: string, invoice: InvoiceSummary): Promise<Invoice> {
  for (;;)
    try {
      return await issueInvoice(admin, region, invoice)
    } catch (error) {
      if (!String(error).includes('being_prepared')) throw error
      await wait(200)
    }
}

/** Makes all fees of the region out of date after the next start, because they depend on the operating hours. */
const changeHours = (admin: Admin, run: number): Promise<unknown> =>
  admin.call(`/v2/regions/${stormRegion}`, 'PATCH', {
    operatingHours: { from: '06:00', until: run % 2 ? '22:00' : '21:00' },
  })

/** Reads what invoices charge, without what depends on region and policies. */
async function readCharges(admin: Admin, region: string) {
  const found = []
  for (const { invoice_id: id } of await listInvoices(admin, region)) {
    const path = `/v2/regions/${region}/invoices/${id}`
    const invoice = await admin.call<Invoice>(path)
    const csv = await admin.text(`${path}/facts.csv`)
    const rows = csv.trimEnd().split('\r\n').slice(1)
    expect(createHash('sha256').update(csv).digest('hex')).toBe(invoice.facts?.sha256)
    expect(await admin.call(`${path}/recompute`)).toMatchObject({ is_equal: true })
    found.push({
      operator: invoice.operator,
      total: invoice.total,
      lines: invoice.lines.map(({ description, quantity, unit_price, amount }) => ({
        description,
        quantity,
        unit_price,
        amount,
      })),
      facts: invoice.facts?.rows,
      different: new Set(rows).size,
    })
  }
  return found.toSorted((a, b) => (a.operator < b.operator ? -1 : 1))
}

test(
  'a server that is killed while it computes fees, issues and imports payments skips no number, uses none twice and loses no cent',
  async () => {
    let admin = createCaller(server, token)
    const issued: number[] = []
    let computing = 0
    for (let kill = 0; kill <= killCount; kill++) {
      const isComputing = kill < killCount && kill % 2 === 0
      if (isComputing) {
        let pending = 0
        for (let at = 0; at < 200 && !pending; at++) {
          await wait(20)
          pending = (await getSummary(admin, stormRegion)).pending_days
        }
        if (pending) computing++
      } else await waitForFees(admin, stormRegion)
      const open = (await listNotes(admin)).filter(isOpen)
      const waiting = (await listInvoices(admin, stormRegion)).filter(isOpen)
      const work = Promise.allSettled([
        importPayments(admin),
        ...open.map((invoice) => issueNote(admin, invoice)),
        ...(isComputing
          ? []
          : waiting.slice(0, 2).map((invoice) => issueInvoice(admin, stormRegion, invoice))),
      ])
      if (kill < killCount) {
        await wait(200 + random() * (isComputing ? 500 : 1000))
        if (!isComputing) await changeHours(admin, (kill + 1) / 2)
        await server.kill('SIGKILL')
        await work
        server = await startOn(dataDir, shiftFile)
        admin = createCaller(server, token)
      } else {
        await work
        for (const { regionId } of testRegions)
          for (const invoice of (await listInvoices(admin, regionId)).filter(isOpen))
            await issueWhenPrepared(admin, regionId, invoice)
        await issueRest(admin)
      }
      const seqs = getSequence(await listNotes(admin))
      expect(seqs).toEqual(countUpTo(seqs.length))
      const numbers = getSequence(await listInvoices(admin, stormRegion))
      expect(numbers).toEqual(countUpTo(numbers.length))
      issued.push(seqs.length)
    }
    expect(issued.at(-1)).toBe(draftCount)
    // At least one kill came before all were issued, and one while fees were computed.
    expect(issued[0]).toBeLessThan(draftCount)
    expect(computing).toBeGreaterThan(0)
    expect(await findStormInvoice(admin)).toMatchObject({
      credited: `${draftCount}.00`,
      paid: '4.00',
      status: 'credited',
    })
    const readAmounts = async (region: string) =>
      listFees(await waitForFees(admin, region)).map(({ operator, policy_name, accrued }) => ({
        operator,
        policy_name,
        accrued,
      }))
    expect(await readAmounts('storm')).toEqual(await readAmounts('calm'))
    const [storm, calm] = [await readCharges(admin, 'storm'), await readCharges(admin, 'calm')]
    expect(storm).toEqual(calm)
    expect(storm).toHaveLength(operatorCount)
    expect(storm.every(({ facts, different }) => facts === different && different > tripsPerOperator)).toBe(
      true,
    )
  },
  300_000 + killCount * 120_000,
)
