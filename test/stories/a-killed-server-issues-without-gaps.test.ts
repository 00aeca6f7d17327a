import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentImport } from '#contract/invoice-payments.ts'
import type { InvoiceLine, InvoiceSummary } from '#contract/invoices.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openState } from '#server/stores/state.ts'
import { numbersFrom } from '../city/random.ts'
import { newDataDir } from '../new-data-dir.ts'
import {
  administratorOf,
  callerOf,
  freePort,
  type ServerProcess,
  startServer,
  untilServing,
} from '../server-process.ts'

const kills = Number(process.env['KILL_RUNS'] ?? 3)
const notes = 12 * kills
const dataDir = newDataDir()
const random = numbersFrom(Date.now() % 1_000_000)
const region_id = 'storm'
const number = 'storm-2026-1'
let server: ServerProcess
let token: string

const start = async (): Promise<ServerProcess> =>
  untilServing(
    startServer({ DATA_DIR: dataDir, DEMO: 'off', HOST: '127.0.0.1', PORT: String(await freePort()) }),
  )
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const line = (at: number, over: Partial<InvoiceLine> = {}): InvoiceLine => ({
  line: at,
  kind: 'fee',
  policy_uuid: null,
  constant_policy_uuid: null,
  policy_name: 'Permit',
  policy_type: null,
  description: `Permit ${at}`,
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  quantity: '1',
  unit: 'permit',
  unit_price: null,
  amount: '1.00',
  days_without_data: [],
  tax_code: null,
  is_estimate: false,
  original: null,
  charged_before: null,
  ...over,
})

/** An issued invoice, and an approved credit note of each of its lines. */
async function addInvoices(): Promise<void> {
  const state = await openState({ databaseUrl: null, dataDir })
  const at = new Date('2026-02-02T12:00:00Z')
  const invoiceId = randomUUID()
  const columns = {
    region_id,
    operator: 'lark',
    start_date: '2026-01-01',
    end_date: '2026-01-31',
    currency: 'USD',
    taxes: '[]',
    tax: '0',
    method_version: 1,
    created_time: at,
    prepared_by: 'clerk@storm.example',
    prepared_time: at,
  }
  const lines = Array.from({ length: notes }, (_, index) => line(index + 1))
  const store = state.as(systemScope)
  await store
    .insertInto('invoice')
    .values({
      ...columns,
      invoice_id: invoiceId,
      kind: 'invoice',
      status: 'issued',
      lines: JSON.stringify(lines),
      net: String(100 * notes),
      total: String(100 * notes),
      number,
      issue_date: '2026-02-02',
      due_date: '2026-03-04',
      retain_until: '2099-12-31',
    })
    .execute()
  for (const each of lines)
    await store
      .insertInto('invoice')
      .values({
        ...columns,
        invoice_id: randomUUID(),
        kind: 'credit_note',
        status: 'approved',
        original_id: invoiceId,
        lines: JSON.stringify([
          line(1, {
            kind: 'credit',
            amount: '-1.00',
            original: { invoice_id: invoiceId, number, line: each.line },
          }),
        ]),
        net: '-100',
        total: '-100',
      })
      .execute()
  await state.close()
}

beforeAll(async () => {
  server = await start()
  const admin = await administratorOf(server)
  token = admin.token
  await admin.ask('/v2/regions', 'POST', {
    regionId: region_id,
    text: region_id,
    lat: 41.5,
    lon: -72.5,
    timezone: 'America/New_York',
  })
  await server.kill('SIGTERM')
  await addInvoices()
  server = await start()
}, 300_000)
afterAll(async () => {
  await server.kill('SIGKILL')
  fs.rmSync(dataDir, { recursive: true, force: true })
})

type Admin = ReturnType<typeof callerOf>
const invoices = `/v2/regions/${region_id}/invoices`

const listNotes = async (admin: Admin): Promise<InvoiceSummary[]> =>
  (await admin.ask<{ items: InvoiceSummary[] }>(`${invoices}?kind=credit_note&size=300&order_by=number`))
    .items

/** Numbers at the end of issued ones, which must be those from 1 on. */
const seqsOf = (found: readonly InvoiceSummary[]): number[] =>
  found.flatMap((each) => (each.number === null ? [] : [Number(/(\d+)$/.exec(each.number)?.[1])]))

const payments = Buffer.from(
  [
    'date,amount,reference',
    ...Array.from({ length: 400 }, (_, at) => `2026-02-03,0.01,${number} part ${at}`),
  ].join('\n'),
)

const importPayments = (admin: Admin): Promise<PaymentImport> =>
  admin.ask(`/v2/regions/${region_id}/invoice_payments/import`, 'POST', payments)

test('a server that is killed while it issues and imports payments skips no number, uses none twice and loses no cent', async () => {
  let admin = callerOf(server, token)
  const issued: number[] = []
  for (let kill = 0; kill <= kills; kill++) {
    const open = (await listNotes(admin)).filter((each) => each.number === null)
    const work = Promise.allSettled([
      importPayments(admin),
      ...open.map((each) => admin.ask(`${invoices}/${each.invoice_id}/issue`, 'POST')),
    ])
    if (kill < kills) {
      await pause(300 + random() * 1200)
      await server.kill('SIGKILL')
      await work
      server = await start()
      admin = callerOf(server, token)
    } else {
      await work
      // Calls that were refused because others waited.
      for (const each of (await listNotes(admin)).filter((note) => note.number === null))
        await admin.ask(`${invoices}/${each.invoice_id}/issue`, 'POST')
      await importPayments(admin)
    }
    const seqs = seqsOf(await listNotes(admin))
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, at) => at + 1))
    issued.push(seqs.length)
  }
  expect(issued.at(-1)).toBe(notes)
  // A kill came before all were issued.
  expect(issued[0]).toBeLessThan(notes)
  const [invoice] = (await admin.ask<{ items: InvoiceSummary[] }>(`${invoices}?kind=invoice`)).items
  expect(invoice).toMatchObject({ credited: `${notes}.00`, paid: '4.00', status: 'credited' })
})
