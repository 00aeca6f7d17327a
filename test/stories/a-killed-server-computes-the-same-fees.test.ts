import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { getFeeSummary } from '#contract/fees.ts'
import type { Invoice, InvoiceSummary } from '#contract/invoices.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { openFacts } from '#server/stores/open-facts.ts'
import { openState } from '#server/stores/state.ts'
import {
  addStormInvoices,
  type Admin,
  importPayments,
  isOpen,
  issueNote,
  issueRest,
  listNotes,
  pause,
  seqsOf,
  startOn,
  stormInvoice,
  stormRegion,
  upTo,
} from '../billing/storm-invoices.ts'
import { chargedMonth, chargedOperator, publishFees, storeChargedMonth } from '../city/charged-month.ts'
import { numbersFrom } from '../city/random.ts'
import { newDataDir } from '../new-data-dir.ts'
import { administratorOf, callerOf, type ServerProcess } from '../server-process.ts'

type FeeSummary = EndpointOutput<typeof getFeeSummary>

/** The first while fees are computed, the second while invoices are issued, and so on: 40 are twenty of each. */
const kills = Number(process.env['KILL_RUNS'] ?? 1)
const notes = 24 + 12 * kills
const operators = 2 * kills
const tripsOfOperator = 2000
const dataDir = newDataDir()
const random = numbersFrom(Date.now() % 1_000_000)
let server: ServerProcess
let token: string

/** The regions are the same, but only the fees of one are disturbed. */
const places = [stormRegion, 'calm'].map((regionId) => ({
  regionId,
  lat: 41.5,
  lon: -72.5,
  timezone: 'America/New_York',
}))

/** An issued invoice, and an approved credit note of each of its lines; operators, their facts, and fee policies. */
async function addInvoices(): Promise<void> {
  const state = await openState({ databaseUrl: null, dataDir })
  const facts = await openFacts({ clickhouseUrl: null, dataDir })
  const organization = await state
    .as(systemScope)
    .selectFrom('region')
    .select('organization_id')
    .executeTakeFirstOrThrow()
  const slugs = Array.from({ length: operators }, (_, at) => chargedOperator(at))
  await state
    .as(systemScope)
    .insertInto('operator')
    .values(slugs.map((slug) => ({ ...organization, slug, name: slug, color_hex: '#336699' })))
    .execute()
  for (const place of places) {
    const scope = regionScope(organization.organization_id, place.regionId)
    await storeChargedMonth(facts, scope, place, { operators, trips: tripsOfOperator })
    await publishFees({ state, facts }, scope, place)
  }
  await facts.close()
  await addStormInvoices(state, notes)
  await state.close()
}

beforeAll(async () => {
  server = await startOn(dataDir)
  const admin = await administratorOf(server)
  token = admin.token
  for (const place of places) await admin.ask('/v2/regions', 'POST', { ...place, text: place.regionId })
  await server.kill('SIGTERM')
  await addInvoices()
  server = await startOn(dataDir)
  const caller = callerOf(server, token)
  for (const { regionId } of places) {
    await untilComputed(caller, regionId)
    for (let at = 0; at < operators; at++) await addApproved(caller, regionId, chargedOperator(at))
  }
  // The first kill finds fees that are computed again.
  await changeHours(caller, 0)
  await server.kill('SIGTERM')
  server = await startOn(dataDir)
}, 600_000)
afterAll(async () => {
  await server.kill('SIGKILL')
  fs.rmSync(dataDir, { recursive: true, force: true })
})

const ofMonth = `start_date=${chargedMonth.start_date}&end_date=${chargedMonth.end_date}`
const summaryOf = (admin: Admin, region: string): Promise<FeeSummary> =>
  admin.ask(`/v2/regions/${region}/fees/summary?${ofMonth}`)

/** Without the rows of operators that have only invoices. */
const feesIn = ({ months }: FeeSummary) => months.filter(({ operator }) => operator.startsWith('rides-'))

async function untilComputed(admin: Admin, region: string): Promise<FeeSummary> {
  for (;;) {
    const summary = await summaryOf(admin, region)
    // Policies are marked one after another: only with fees of every operator is nothing left.
    const charged = new Set(feesIn(summary).map(({ operator }) => operator))
    if (charged.size >= operators && !summary.pending_days) return summary
    await pause(100)
  }
}

/** Drafts the invoice of an operator, and approves it. */
async function addApproved(admin: Admin, region: string, operator: string): Promise<void> {
  const path = `/v2/regions/${region}/invoices`
  const { invoice_id, version } = await admin.ask<Invoice>(path, 'POST', { operator, ...chargedMonth })
  await admin.ask(`${path}/${invoice_id}/approve`, 'POST', { version })
}

/** Invoices of fees. */
const listInvoices = async (admin: Admin, region: string): Promise<InvoiceSummary[]> =>
  (
    await admin.ask<{ items: InvoiceSummary[] }>(
      `/v2/regions/${region}/invoices?kind=invoice&size=300&order_by=number`,
    )
  ).items.filter(({ operator }) => operator.startsWith('rides-'))

const issue = (admin: Admin, region: string, { invoice_id: id }: InvoiceSummary): Promise<Invoice> =>
  admin.ask(`/v2/regions/${region}/invoices/${id}/issue`, 'POST')

/** The days of a region are marked some time after a start: until then they look computed. */
async function issueWhenPrepared(admin: Admin, region: string, each: InvoiceSummary): Promise<Invoice> {
  for (;;)
    try {
      return await issue(admin, region, each)
    } catch (error) {
      if (!String(error).includes('being_prepared')) throw error
      await pause(200)
    }
}

/** Makes all fees of the region out of date after the next start: they depend on the operating hours. */
const changeHours = (admin: Admin, run: number): Promise<unknown> =>
  admin.ask(`/v2/regions/${stormRegion}`, 'PATCH', {
    operatingHours: { from: '06:00', until: run % 2 ? '22:00' : '21:00' },
  })

/** What an invoice charges, whichever region and policies it is of. */
async function chargedBy(admin: Admin, region: string) {
  const found = []
  for (const { invoice_id: id } of await listInvoices(admin, region)) {
    const path = `/v2/regions/${region}/invoices/${id}`
    const invoice = await admin.ask<Invoice>(path)
    const csv = await admin.text(`${path}/facts.csv`)
    const rows = csv.trimEnd().split('\r\n').slice(1)
    expect(createHash('sha256').update(csv).digest('hex')).toBe(invoice.facts?.sha256)
    expect(await admin.ask(`${path}/recompute`)).toMatchObject({ is_equal: true })
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
    let admin = callerOf(server, token)
    const issued: number[] = []
    let computing = 0
    for (let kill = 0; kill <= kills; kill++) {
      const isComputing = kill < kills && kill % 2 === 0
      if (isComputing) {
        let pending = 0
        for (let at = 0; at < 200 && !pending; at++) {
          await pause(20)
          pending = (await summaryOf(admin, stormRegion)).pending_days
        }
        if (pending) computing++
      } else await untilComputed(admin, stormRegion)
      const open = (await listNotes(admin)).filter(isOpen)
      const waiting = (await listInvoices(admin, stormRegion)).filter(isOpen)
      const work = Promise.allSettled([
        importPayments(admin),
        ...open.map((each) => issueNote(admin, each)),
        ...(isComputing ? [] : waiting.slice(0, 2).map((each) => issue(admin, stormRegion, each))),
      ])
      if (kill < kills) {
        await pause(200 + random() * (isComputing ? 500 : 1000))
        if (!isComputing) await changeHours(admin, (kill + 1) / 2)
        await server.kill('SIGKILL')
        await work
        server = await startOn(dataDir)
        admin = callerOf(server, token)
      } else {
        await work
        for (const { regionId } of places)
          for (const each of (await listInvoices(admin, regionId)).filter(isOpen))
            await issueWhenPrepared(admin, regionId, each)
        await issueRest(admin)
      }
      const seqs = seqsOf(await listNotes(admin))
      expect(seqs).toEqual(upTo(seqs.length))
      const numbers = seqsOf(await listInvoices(admin, stormRegion))
      expect(numbers).toEqual(upTo(numbers.length))
      issued.push(seqs.length)
    }
    expect(issued.at(-1)).toBe(notes)
    // A kill came before all were issued, and one while fees were computed.
    expect(issued[0]).toBeLessThan(notes)
    expect(computing).toBeGreaterThan(0)
    expect(await stormInvoice(admin)).toMatchObject({
      credited: `${notes}.00`,
      paid: '4.00',
      status: 'credited',
    })
    const amountsOf = async (region: string) =>
      feesIn(await untilComputed(admin, region)).map(({ operator, policy_name, accrued }) => ({
        operator,
        policy_name,
        accrued,
      }))
    expect(await amountsOf('storm')).toEqual(await amountsOf('calm'))
    const [storm, calm] = [await chargedBy(admin, 'storm'), await chargedBy(admin, 'calm')]
    expect(storm).toEqual(calm)
    expect(storm).toHaveLength(operators)
    expect(storm.every(({ facts, different }) => facts === different && different > tripsOfOperator)).toBe(
      true,
    )
  },
  300_000 + kills * 120_000,
)
