import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as settings from '#contract/billing-settings.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getFeeSummary } from '#contract/fees.ts'
import * as counts from '#contract/invoice-counts.ts'
import * as disputes from '#contract/invoice-disputes.ts'
import * as payments from '#contract/invoice-payments.ts'
import * as contract from '#contract/invoices.ts'
import { changeOperator, createOperator, deleteOperator } from '#contract/managed-operators.ts'
import { changeRegion } from '#contract/regions.ts'
import { changePermissionsOn, listUsers } from '#contract/users.ts'
import { removeOldInvoices } from '#server/billing/invoices/remove-old-invoices.ts'
import { invoiceRoutes } from '#server/billing/invoices/routes.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { createAuditor } from '#server/identity/write-audit.ts'
import type { Message } from '#server/mail/message.ts'
import { openNotifications } from '#server/notifications/open-notifications.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { listIssuedPeriods } from '#server/billing/charges/charge-store.ts'
import {
  call,
  type CallInput,
  openTestApp,
  readProblem,
  send,
  serveRoutes,
  type SignedIn,
  type TestApp,
} from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'
import { MemoryFees } from '../city/memory-fees.ts'
import { addOperatorUser } from '../operators/two-operators.ts'
import { readPdfText } from '../pdf-text.ts'
import { subscribeToEvents, listReceivedEvents } from '../webhook-events.ts'

const region_id = 'alder'
const params = { region_id }
let app: TestApp
let city: TestCity
let lark: SignedIn
let heron: SignedIn
let http: TestApp['http']
let deliverMails: () => Promise<void>
const fees = new MemoryFees()
const mails: Message[] = []
let sendMail = async (message: Message): Promise<void> => void mails.push(message)

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  for (const slug of ['lark', 'heron'])
    await call(app, city.admin, createOperator, {
      body: { slug, name: `${slug} rides`, colorHex: '#123456' },
    })
  await subscribeToEvents(app, region_id, city.admin.email)
  lark = (await addOperatorUser(app, city, 'lark', ['lark'])).as
  heron = (await addOperatorUser(app, city, 'heron', ['heron'])).as
  const { state, facts } = app
  const log = (): void => undefined
  const now = (): Date => new Date()
  const secretBox = createSecretBox('ab'.repeat(32))
  const notifications = openNotifications({
    state,
    secretBox,
    publicUrl: 'http://city.example',
    log,
    now,
    fetch: () => Promise.reject(new Error('No webhooks')),
    mail: { send: (message) => sendMail(message) },
  })
  deliverMails = () => notifications.deliver()
  const { dataDir } = app
  const publicUrl = 'http://city.example'
  const routes = invoiceRoutes({ state, facts, fees, secretBox, notifications, publicUrl, dataDir, log })
  http = await serveRoutes(app, routes, { onDone: createAuditor(state, log) })
  await callAdmin(settings.saveBillingSettings, {
    params,
    body: {
      seller: {
        name: 'City of Alder',
        address: '1 Main Street',
        tax_id: 'A-1',
        email: 'finance@alder.example',
      },
      tax_rates: [{ code: 'VAT', name: 'Sales tax', rate: '7.5' }],
      tax_codes: { trip_fees: 'VAT' },
      remittance_text: 'Pay to account 123.',
      account_codes: { revenue: { default: '4100' }, tax: '2200', receivable: '1200', payment: '1000' },
    },
  })
  await callAdmin(settings.savePayerSettings, {
    params: { region_id, operator: 'lark' },
    body: {
      legal_name: 'Lark Rides Inc.',
      recipients: ['billing@lark.example'],
      cc: ['copy@lark.example'],
      purchase_order: 'PO-7',
    },
  })
})
afterAll(async () => {
  await http.close()
  await app.close()
})
beforeEach(() => {
  mails.length = 0
  sendMail = async (message) => void mails.push(message)
})

const sendAs = <E extends Endpoint>(as: SignedIn | null, endpoint: E, input: CallInput<E> = {}) =>
  send({ http }, as, endpoint, input)
const callAs = <E extends Endpoint>(as: SignedIn | null, endpoint: E, input: CallInput<E> = {}) =>
  call({ http }, as, endpoint, input)
const callAdmin = <E extends Endpoint>(endpoint: E, input: CallInput<E> = {}) =>
  callAs(city.admin, endpoint, input)
async function getProblem<E extends Endpoint>(as: SignedIn | null, endpoint: E, input: CallInput<E> = {}) {
  const { status, detail, issues } = readProblem(await sendAs(as, endpoint, input))
  return [status, issues?.[0]?.path ?? detail]
}

const toParams = (invoice: { invoice_id: string }) => ({
  params: { region_id, invoice_id: invoice.invoice_id },
})
const draftInvoice = (operator: string, start_date: string, end_date: string) =>
  callAdmin(contract.createInvoice, { params, body: { operator, start_date, end_date } })
const approve = async (invoice: contract.Invoice) =>
  callAdmin(contract.approveInvoice, { ...toParams(invoice), body: { version: invoice.version } })
const issue = async (invoice: contract.Invoice) => {
  await approve(invoice)
  return callAdmin(contract.issueInvoice, toParams(invoice))
}
const readInvoice = (invoice: { invoice_id: string }, as = city.admin) =>
  callAs(as, contract.getInvoice, toParams(invoice))

let january: contract.Invoice

test('a draft has the fees of its period, and is issued with number, document and PDF', async () => {
  fees.set('lark', '2026-01-01', '2026-01-31', 101)
  const made = await draftInvoice('lark', '2026-01-01', '2026-01-31')
  // 31 x 101 trips x 0.25 = 782.75, and 7.5% of it is 58.70625.
  expect(made).toMatchObject({
    status: 'draft',
    number: null,
    net: '782.75',
    tax: '58.71',
    total: '841.46',
    purchase_order: 'PO-7',
    lines: [{ line: 1, kind: 'fee', tax_code: 'VAT', amount: '782.75' }],
    buyer: { name: 'Lark Rides Inc.' },
  })
  expect(await getProblem(city.admin, contract.issueInvoice, toParams(made))).toEqual([
    409,
    'This draft must be approved before it is issued.',
  ])
  const changed = await callAdmin(contract.changeInvoice, {
    ...toParams(made),
    body: { notes: 'First one.' },
  })
  expect(
    await getProblem(city.admin, contract.approveInvoice, {
      ...toParams(made),
      body: { version: made.version },
    }),
  ).toEqual([409, 'body.version'])
  january = await issue(changed)
  const year = new Date().getFullYear()
  expect(january).toMatchObject({
    status: 'issued',
    number: `alder-${year}-1`,
    total: '841.46',
    open: '841.46',
  })
  const pdf = await sendAs(city.admin, contract.getInvoicePdf, toParams(january))
  expect(createHash('sha256').update(pdf.rawPayload).digest('hex')).toBe(january.pdf_sha256)
  const text = readPdfText(pdf.rawPayload)
  for (const part of [
    'Invoice',
    `alder-${year}-1`,
    'Lark Rides Inc.',
    'PO-7',
    '841.46',
    'Page 1 of 1',
    'First one.',
  ])
    expect(text).toContain(part)
  const overlapping = { operator: 'lark', start_date: '2026-01-31', end_date: '2026-02-28' }
  expect(await getProblem(city.admin, contract.createInvoice, { params, body: overlapping })).toEqual([
    409,
    'body.start_date',
  ])
})

test('an issued invoice never changes, by calls or in the store', async () => {
  for (const attempt of [
    getProblem(city.admin, contract.changeInvoice, { ...toParams(january), body: { notes: 'x' } }),
    getProblem(city.admin, contract.deleteInvoice, toParams(january)),
    getProblem(city.admin, contract.refreshInvoice, toParams(january)),
  ])
    expect((await attempt)[0]).toBe(409)
  const id = january.invoice_id
  for (const statement of [
    `update invoice set total = 1 where invoice_id = '${id}'`,
    `delete from invoice where invoice_id = '${id}'`,
    `update invoice_document set pdf = '' where invoice_id = '${id}'`,
    `delete from invoice_document where invoice_id = '${id}'`,
    `delete from invoice_number where invoice_id = '${id}'`,
    `update invoice_number set number = 'x' where invoice_id = '${id}'`,
    `update invoice_series set last = 0`,
    `delete from invoice_series`,
    `truncate invoice_document`,
  ])
    await expect(app.state.execute(statement)).rejects.toThrow(
      /cannot be (changed or )?deleted|only counts up/,
    )
  expect((await readInvoice(january)).total).toBe('841.46')
})

test('ten invoices issued at once get ten numbers without a gap, and one that fails takes none', async () => {
  fees.set('heron', '2025-01-01', '2025-12-31', 10)
  const months = Array.from({ length: 11 }, (_, index) => String(index + 1).padStart(2, '0'))
  const drafts: contract.Invoice[] = []
  for (const month of months) drafts.push(await draftInvoice('heron', `2025-${month}-01`, `2025-${month}-28`))
  for (const draft of drafts) await approve(draft)
  // The facts of one draft change after its approval.
  fees.set('heron', '2025-05-05', '2025-05-05', 11)
  const replies = await Promise.all(
    drafts.map((draft) => sendAs(city.admin, contract.issueInvoice, toParams(draft))),
  )
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array(10).fill(200), 409])
  const { items } = await callAdmin(contract.listInvoices, { params, query: { size: 100 } })
  const year = new Date().getFullYear()
  expect(
    items
      .flatMap(({ number }) => number ?? [])
      .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })),
  ).toEqual(Array.from({ length: 11 }, (_, index) => `alder-${year}-${index + 1}`))
  expect(items.find(({ start_date }) => start_date === '2025-05-01')).toMatchObject({
    status: 'approved',
    number: null,
  })
})

test('stored facts give the same amounts, and altered facts do not', async () => {
  expect(await callAs(city.viewer, contract.recomputeInvoice, toParams(january))).toMatchObject({
    is_equal: true,
    facts_match: true,
    issued: '782.75',
    recomputed: '782.75',
  })
  // Facts are single trips, which viewers may not see.
  for (const endpoint of [contract.getInvoiceFacts, contract.exportInvoice])
    expect((await sendAs(city.viewer, endpoint, toParams(january))).statusCode).toBe(403)
  const csv = (await sendAs(city.admin, contract.getInvoiceFacts, toParams(january))).body
  expect(createHash('sha256').update(csv).digest('hex')).toBe(january.facts?.sha256)
  fees.alter(january.invoice_id, csv.replace('2026-01-03,101', '2026-01-03,102'))
  expect(await callAs(city.viewer, contract.recomputeInvoice, toParams(january))).toMatchObject({
    is_equal: false,
    facts_match: false,
    lines: [{ issued: '782.75', recomputed: '783.00', is_equal: false }],
  })
  fees.alter(january.invoice_id, csv)
  const zip = await sendAs(city.admin, contract.exportInvoice, toParams(january))
  expect([zip.statusCode, zip.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  for (const name of ['invoice.json', 'facts.csv', 'policies.json'])
    expect(zip.rawPayload.includes(name)).toBe(true)
  const sheet = await sendAs(city.viewer, contract.getInvoiceLines, toParams(january))
  expect([sheet.statusCode, sheet.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK'])
})

test('days without data block issuing until somebody confirms an estimate, which an adjustment settles', async () => {
  fees.set('lark', '2026-02-01', '2026-02-28', 100)
  fees.remove('lark', '2026-02-10')
  const made = await draftInvoice('lark', '2026-02-01', '2026-02-28')
  await approve(made)
  expect(await getProblem(city.admin, contract.issueInvoice, toParams(made))).toEqual([409, 'estimate'])
  const confirmed = await callAdmin(contract.confirmEstimate, {
    ...toParams(made),
    body: { note: 'The feed was down.' },
  })
  expect(confirmed).toMatchObject({ status: 'draft', has_estimate: true, lines: [{ is_estimate: true }] })
  const february = await issue(confirmed)
  expect(february.net).toBe('675.00')
  // The missing day arrives, and one of January changes.
  fees.set('lark', '2026-02-10', '2026-02-10', 100)
  fees.set('lark', '2026-01-05', '2026-01-05', 97)
  fees.set('lark', '2026-03-01', '2026-03-31', 10)
  const march = await draftInvoice('lark', '2026-03-01', '2026-03-31')
  expect(march.lines.map(({ kind, amount, original }) => [kind, amount, original?.number ?? null])).toEqual([
    ['fee', '77.50', null],
    ['adjustment', '-1.00', january.number],
    ['adjustment', '25.00', february.number],
  ])
  expect(march.lines[2]?.description).toContain('settles an estimate')
  await issue(march)
  fees.set('lark', '2026-04-01', '2026-04-30', 1)
  const april = await draftInvoice('lark', '2026-04-01', '2026-04-30')
  expect(april.lines.map(({ kind }) => kind)).toEqual(['fee'])
  await callAdmin(contract.deleteInvoice, toParams(april))
})

test('an email with PDF and link is sent once per key, and its state is stored', async () => {
  const body = { region_id, invoice_id: january.invoice_id, idempotency_key: 'first' }
  const requested = await Promise.all([1, 2].map(() => callAdmin(contract.sendInvoiceEmail, { body })))
  expect(new Set(requested.map(({ mail_id }) => mail_id)).size).toBe(1)
  await deliverMails()
  await deliverMails()
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatchObject({
    to: ['billing@lark.example'],
    cc: ['copy@lark.example'],
    replyTo: 'finance@alder.example',
    fromName: 'City of Alder',
  })
  const pdf = Buffer.from(mails[0]?.attachments?.[0]?.content ?? '')
  expect(createHash('sha256').update(pdf).digest('hex')).toBe(january.pdf_sha256)
  const [link = ''] = /http:\/\/city\.example\S+/.exec(mails[0]?.text ?? '') ?? []
  const path = link.replace('http://city.example', '')
  expect((await http.inject({ method: 'GET', url: path })).body).toContain('Trips that start in the period')
  expect((await http.inject({ method: 'GET', url: path.replace('expires=1', 'expires=2') })).statusCode).toBe(
    403,
  )
  expect(await readInvoice(january)).toMatchObject({ status: 'sent', mails: [{ state: 'sent' }] })
  sendMail = () => Promise.reject(new Error('down'))
  await callAdmin(contract.sendInvoiceEmail, { body: { ...body, idempotency_key: 'second' } })
  await deliverMails()
  const mail = requested[0] ?? { mail_id: '' }
  await callAdmin(contract.markMailBounced, {
    params: { ...toParams(january).params, mail_id: mail.mail_id },
    body: { reason: 'No such mailbox' },
  })
  expect((await readInvoice(january)).mails.map(({ state }) => state)).toEqual(['bounced', 'waiting'])
})

const makePaymentFile = (...rows: string[]): Uint8Array =>
  Buffer.from(['date,amount,reference', ...rows].join('\n'))
const importPayments = (bytes: Uint8Array) => callAdmin(payments.importPayments, { params, body: bytes })

test('payments are imported by number, invalid rows are rejected, and the same file adds nothing', async () => {
  const number = january.number ?? ''
  const bytes = makePaymentFile(
    `2026-03-01,300.00,Invoice ${number} thank you`,
    '2026-03-02,10.00,alder-1999-77',
    `2026-03-02,1.005,${number}`,
    `02.03.2026,1.00,${number}`,
    `2026-03-02,-5,${number}`,
    `2026-03-03,41.46,${number}`,
    `2026-03-03,41.46,${number}`,
    `2026-03-03,5,${number}000`,
  )
  const first = await importPayments(bytes)
  expect(first.added.map(({ row, payment }) => [row, payment.amount])).toEqual([
    [2, '300.00'],
    [7, '41.46'],
    [8, '41.46'],
  ])
  expect(first.refused.map(({ row, field }) => [row, field])).toEqual([
    [3, 'reference'],
    [4, 'amount'],
    [5, 'date'],
    [6, 'amount'],
    [9, 'reference'],
  ])
  const again = await importPayments(bytes)
  expect([again.added, again.duplicates, again.refused.length]).toEqual([[], [2, 7, 8], 5])
  expect(await readInvoice(january)).toMatchObject({ status: 'partly_paid', paid: '382.92', open: '458.54' })
  expect(
    await getProblem(city.admin, payments.recordPayment, {
      params,
      body: { number: 'alder-1999-77', date: '2026-03-04', amount: '1' },
    }),
  ).toEqual([422, 'body.number'])
  const overpayment = await callAdmin(payments.recordPayment, {
    params,
    body: { number, date: '2026-03-04', amount: '500.00', reference: 'wire' },
  })
  expect(await readInvoice(january)).toMatchObject({ status: 'paid', open: '-41.46' })
  await callAdmin(payments.voidPayment, { params: { region_id, payment_id: overpayment.payment_id } })
  expect(await readInvoice(january)).toMatchObject({ status: 'partly_paid', open: '458.54' })
  expect(
    await getProblem(city.admin, payments.importPayments, { params, body: Buffer.from('a,b\n1,2') }),
  ).toEqual([422, 'body'])
})

test('the summary shows invoiced, paid and open amounts by month as counted by hand', async () => {
  const { months } = await call(app, city.admin, getFeeSummary, {
    params,
    query: { start_date: '2026-01-01', end_date: '2026-12-31' },
  })
  expect(
    months
      .filter(({ operator }) => operator === 'lark')
      .map(({ month, accrued, invoiced, paid, open }) => [month, accrued, invoiced, paid, open]),
  ).toEqual([
    // 841.46, less 1.00 on the invoice of March and 0.07 of its tax (100 of 10,150 parts of 7.61).
    ['2026-01-01', '0.00', '840.39', '382.92', '457.47'],
    // 675.00 and its tax of 50.63, and 25.00 and 1.87 on the invoice of March.
    ['2026-02-01', '0.00', '752.50', '0.00', '752.50'],
    ['2026-03-01', '0.00', '83.31', '0.00', '83.31'],
  ])
  const own = await call(app, heron, getFeeSummary, {
    params,
    query: { start_date: '2025-01-01', end_date: '2026-12-31' },
  })
  expect(new Set(own.months.map(({ operator }) => operator))).toEqual(new Set(['heron']))
})

test('an operator’s own count is stored beside its invoice, with author and time', async () => {
  const makeCsv = (...rows: string[]): Uint8Array => Buffer.from(['fee,quantity,amount', ...rows].join('\n'))
  const typed = await callAs(lark, counts.addOperatorCount, {
    ...toParams(january),
    body: { rows: [{ fee: 'Trip fee', quantity: '3120', amount: '780.00' }] },
  })
  // 3,131 trips were invoiced, 782.75.
  expect(typed).toMatchObject({
    by: 'lark@lark.example',
    is_operator: true,
    file_name: null,
    difference: '-2.75',
    is_equal: false,
    comparison: [{ lines: [1], difference: { quantity: '-11', amount: '-2.75' } }],
  })
  const refused = await sendAs(lark, counts.importOperatorCount, {
    ...toParams(january),
    query: { file_name: 'own.csv' },
    body: makeCsv('Trip fee,3131,782.75', 'Wheel fee,1,1.00'),
  })
  expect(readProblem(refused as never)).toMatchObject({
    status: 422,
    issues: [
      {
        path: 'body.rows.1.fee',
        message: "Row 3: There is no fee, line or policy 'Wheel fee' on this invoice.",
      },
    ],
  })
  await callAdmin(counts.importOperatorCount, {
    ...toParams(january),
    query: { file_name: 'own.csv' },
    body: makeCsv('1,3131,782.75'),
  })
  const { items } = await callAs(lark, counts.listOperatorCounts, toParams(january))
  expect(
    items.map(({ by, is_operator, file_name, is_equal }) => [by, is_operator, file_name, is_equal]),
  ).toEqual([
    // Names of city employees are not shown to operators.
    ['', false, 'own.csv', true],
    ['lark@lark.example', true, null, false],
  ])
  const body = { rows: [{ fee: '1', amount: '1.00' }] }
  expect((await getProblem(heron, counts.addOperatorCount, { ...toParams(january), body }))[0]).toBe(404)
  expect((await getProblem(heron, counts.listOperatorCounts, toParams(january)))[0]).toBe(404)
  expect((await getProblem(city.viewer, counts.addOperatorCount, { ...toParams(january), body }))[0]).toBe(
    403,
  )
})

test('an operator disputes a line; an accepted dispute becomes a credit note, never above the invoice', async () => {
  const opened = await callAs(lark, disputes.openDispute, {
    ...toParams(january),
    body: { line: 1, reason: 'Test rides were counted.', amount: '100.00' },
  })
  expect(await readInvoice(january, lark)).toMatchObject({
    status: 'disputed',
    disputed: '100.00',
    mails: [],
  })
  expect(
    await getProblem(lark, disputes.openDispute, {
      ...toParams(january),
      body: { line: 1, reason: 'Again' },
    }),
  ).toEqual([409, 'This line is in dispute already.'])
  const disputeInput = { params: { ...toParams(january).params, dispute_id: opened.dispute_id } }
  const evidence = Buffer.from('%PDF-1.4 rides')
  const filed = await callAs(lark, disputes.addDisputeFile, {
    ...disputeInput,
    query: { file_name: 'rides é.pdf' },
    body: evidence,
  })
  const message_id = filed.messages.at(-1)?.message_id ?? ''
  const sent = await sendAs(city.admin, disputes.getDisputeFile, {
    params: { ...disputeInput.params, message_id },
  })
  expect(sent.rawPayload.equals(evidence)).toBe(true)
  expect(
    (
      await sendAs(lark, disputes.addDisputeFile, {
        ...disputeInput,
        query: { file_name: 'x' },
        body: new Uint8Array(5_300_000),
      })
    ).statusCode,
  ).toBe(413)
  expect(
    (
      await sendAs(lark, disputes.decideDispute, {
        ...disputeInput,
        body: { decision: 'accepted', text: 'ok' },
      })
    ).statusCode,
  ).toBe(403)
  const accepted = await callAdmin(disputes.decideDispute, {
    ...disputeInput,
    body: { decision: 'accepted', text: 'You are right.' },
  })
  expect(accepted).toMatchObject({ state: 'accepted', messages: [{}, {}, { step: 'accepted' }] })
  const note = await readInvoice({ invoice_id: accepted.credit_note_id ?? '' })
  // 7.5% of 100.00.
  expect(note).toMatchObject({
    kind: 'credit_note',
    status: 'draft',
    net: '-100.00',
    tax: '-7.50',
    total: '-107.50',
  })
  expect((await readInvoice(january)).status).toBe('partly_paid')
  const issued = await issue(note)
  expect(issued.number).toBe(`alder-${new Date().getFullYear()}-CN1`)
  expect(readPdfText((await sendAs(lark, contract.getInvoicePdf, toParams(issued))).rawPayload)).toContain(
    january.number,
  )
  expect(await readInvoice(january)).toMatchObject({ credited: '107.50', open: '351.04' })
  const credit = (lines: { line: number; amount: string | null }[]) =>
    getProblem(city.admin, contract.createCreditNote, {
      ...toParams(january),
      body: { notes: 'More', lines },
    })
  expect(await credit([{ line: 1, amount: '682.76' }])).toEqual([409, 'body.lines.0.amount'])
  expect(await credit([{ line: 1, amount: '682.00' }])).toEqual([409, 'body.lines.0.amount'])
  expect(await credit([{ line: 9, amount: null }])).toEqual([422, 'body.lines.0.line'])
  // Two drafts for the remaining amount, after an adjustment of 1.00. Only one of them can be issued.
  const both = [1, 2].map(() =>
    callAdmin(contract.createCreditNote, { ...toParams(january), body: { notes: 'All of it' } }),
  )
  const [rest, twin] = (await Promise.all(both)) as [contract.Invoice, contract.Invoice]
  expect([rest.net, rest.tax, rest.total]).toEqual(['-681.75', '-51.13', '-732.88'])
  await issue(rest)
  await approve(twin)
  expect(await getProblem(city.admin, contract.issueInvoice, toParams(twin))).toEqual([409, 'lines'])
  // It was rejected after taking a number, which the next one gets.
  const { items } = await callAdmin(contract.listInvoices, { params, query: { operator: 'heron' } })
  const other = items.find(({ number }) => number !== null)
  const next = await callAdmin(contract.createCreditNote, {
    ...toParams(other ?? january),
    body: { notes: 'Part', lines: [{ line: 1, amount: '1.00' }] },
  })
  expect((await issue(next)).number).toBe(`alder-${new Date().getFullYear()}-CN3`)
  expect(await readInvoice(january)).toMatchObject({
    status: 'credited',
    credited: '840.38',
    open: '-381.84',
  })
  // It is fully credited, so the period can be invoiced again.
  const replacement = await draftInvoice('lark', '2026-01-01', '2026-01-31')
  await callAdmin(contract.deleteInvoice, toParams(replacement))
  // Its days can be charged again too.
  const periods = await listIssuedPeriods(
    app.state.as(regionScope(city.organizations.alder, 'alder')),
    'alder',
  )
  expect(periods.some(({ number }) => number === january.number)).toBe(false)
  expect(periods.some(({ operator }) => operator === 'lark')).toBe(true)
})

test('users of an operator see their own issued invoices and nothing else', async () => {
  const unissued = await draftInvoice('lark', '2026-05-01', '2026-05-31')
  const own = await callAs(lark, contract.listInvoices, { params })
  expect(new Set(own.items.map(({ operator }) => operator))).toEqual(new Set(['lark']))
  expect(own.items.every(({ status }) => status !== 'draft' && status !== 'approved')).toBe(true)
  for (const [as, invoice] of [
    [heron, january],
    [lark, unissued],
    [city.stranger, january],
  ] as const)
    for (const endpoint of [
      contract.getInvoice,
      contract.getInvoicePdf,
      contract.exportInvoice,
      contract.recomputeInvoice,
    ])
      expect((await sendAs(as, endpoint, toParams(invoice))).statusCode).toBe(404)
  expect(
    (
      await getProblem(heron, disputes.openDispute, { ...toParams(january), body: { line: 1, reason: 'x' } })
    )[0],
  ).toBe(404)
  expect((await callAs(heron, disputes.listDisputes, { params })).items).toEqual([])
  expect((await getProblem(lark, settings.getBillingSettings, { params }))[0]).toBe(403)
  expect((await getProblem(lark, contract.issueInvoice, toParams(january)))[0]).toBe(403)
  expect(
    (
      await getProblem(city.planner, contract.createInvoice, {
        params,
        body: { operator: 'lark', start_date: '2026-06-01', end_date: '2026-06-30' },
      })
    )[0],
  ).toBe(403)
  expect(
    (await callAs(city.stranger, contract.listInvoices, { params: { region_id: 'cedar' } })).items,
  ).toEqual([])
  expect((await getProblem(city.stranger, contract.listInvoices, { params }))[0]).toBe(404)
  const statement = await callAs(lark, payments.getStatement, {
    params: { region_id, operator: 'lark' },
    query: { start_date: '2026-01-01', end_date: '2099-12-31' },
  })
  expect(statement.entries.map(({ kind }) => kind)).toContain('payment')
  expect(
    (
      await getProblem(heron, payments.getStatement, {
        params: { region_id, operator: 'lark' },
        query: { start_date: '2026-01-01', end_date: '2099-12-31' },
      })
    )[0],
  ).toBe(404)
  const aging = await callAs(city.viewer, payments.getAging, { params })
  expect(aging.items.find(({ operator }) => operator === 'lark')?.total).toBe(statement.balances[0]?.closing)
  expect((await callAs(heron, payments.getAging, { params })).items.map(({ operator }) => operator)).toEqual([
    'heron',
  ])
  await callAdmin(contract.deleteInvoice, toParams(unissued))
})

test('credited amounts are neither reduced nor charged again when facts change', async () => {
  await call(app, city.admin, createOperator, { body: { slug: 'finch', name: 'Finch', colorHex: '#123456' } })
  const listAdjustments = ({ lines }: contract.Invoice) =>
    lines.flatMap(({ kind, amount, charged_before: before }) => (kind === 'fee' ? [] : [[amount, before]]))
  fees.set('finch', '2026-01-01', '2026-01-31', 40)
  fees.set('finch', '2026-02-01', '2026-03-31', 1)
  const first = await issue(await draftInvoice('finch', '2026-01-01', '2026-01-31'))
  const credit = async (amount: string) =>
    issue(
      await callAdmin(contract.createCreditNote, {
        ...toParams(first),
        body: { notes: 'Dispute', lines: [{ line: 1, amount }] },
      }),
    )
  await credit('20.00')
  const february = await draftInvoice('finch', '2026-02-01', '2026-02-28')
  expect([first.net, listAdjustments(february)]).toEqual(['310.00', []])
  const refreshDraft = async () => callAdmin(contract.refreshInvoice, toParams(february))
  // With 10.00 less, the credit covers it. With 30.00 less, 20.00 of it are credited.
  fees.set('finch', '2026-01-05', '2026-01-05', 0)
  expect(listAdjustments(await refreshDraft())).toEqual([])
  fees.set('finch', '2026-01-06', '2026-01-07', 0)
  const reduced = await refreshDraft()
  expect(listAdjustments(reduced)).toEqual([['-10.00', '290.00']])
  await approve(reduced)
  await credit('5.00')
  expect((await getProblem(city.admin, contract.issueInvoice, toParams(february)))[0]).toBe(409)
  const again = await refreshDraft()
  expect(listAdjustments(again)).toEqual([['-5.00', '285.00']])
  await issue(again)
  // The facts are restored: the adjustment is taken back, the credits are not.
  fees.set('finch', '2026-01-05', '2026-01-07', 40)
  const march = await draftInvoice('finch', '2026-03-01', '2026-03-31')
  expect(listAdjustments(march)).toEqual([['5.00', '305.00']])
  await callAdmin(contract.deleteInvoice, toParams(march))
})

test('a renamed operator has its new name on drafts, and its old one on issued documents', async () => {
  const { items } = await callAdmin(contract.listInvoices, { params, query: { operator: 'heron' } })
  const issued = items.find(({ number, kind }) => number !== null && kind === 'invoice') ?? january
  await call(app, city.admin, changeOperator, { params: { slug: 'heron' }, body: { name: 'Heron Next' } })
  fees.set('heron', '2026-01-01', '2026-01-31', 1)
  const made = await draftInvoice('heron', '2026-01-01', '2026-01-31')
  expect([made.buyer.name, (await readInvoice(issued)).buyer.name]).toEqual(['Heron Next', 'heron rides'])
  expect(
    readPdfText((await sendAs(city.admin, contract.getInvoicePdf, toParams(issued))).rawPayload),
  ).toContain('heron rides')
  await callAdmin(contract.deleteInvoice, toParams(made))
})

test('the ledger balances, and the audit log has every step', async () => {
  const csv = (
    await sendAs(city.admin, payments.downloadLedger, {
      params,
      query: { start_date: '2020-01-01', end_date: '2099-12-31' },
    })
  ).body
  const rows = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(','))
  const sum = (column: number): number =>
    rows.reduce((total, row) => total + Math.round(Number(row[column]) * 100), 0)
  expect(rows.length).toBeGreaterThan(10)
  expect(sum(6)).toBe(sum(7))
  const actions = await app.state
    .as(systemScope)
    .selectFrom('audit')
    .select('action')
    .distinct()
    .where('status', '=', 200)
    .execute()
  expect(actions.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'createInvoice',
      'approveInvoice',
      'issueInvoice',
      'sendInvoiceEmail',
      'importPayments',
      'openDispute',
      'decideDispute',
      'createCreditNote',
    ]),
  )
})

test('webhooks receive issued, disputed and paid invoices', async () => {
  const received = await listReceivedEvents(app)
  for (const type of ['invoice.issued', 'invoice.disputed', 'invoice.paid'])
    expect(received.find((event) => event.type === type)?.data).toMatchObject({
      invoice_id: expect.any(String),
      number: expect.any(String),
      operator: 'lark',
    })
  const paid = received.filter(({ type }) => type === 'invoice.paid').map(({ data }) => data['invoice_id'])
  expect(new Set(paid).size).toBe(paid.length)
})

test('a second person approves if the setting is on, and changes that would break invoices are rejected', async () => {
  const current = await callAdmin(settings.getBillingSettings, { params })
  await callAdmin(settings.saveBillingSettings, { params, body: { ...current, needs_second_person: true } })
  const { items } = await call(app, city.admin, listUsers, { query: { search: 'planner@' } })
  await call(app, city.admin, changePermissionsOn, {
    params: { obj_type: 'user', obj_id: items[0]?.id ?? '' },
    body: { permissions: [{ key: 'approve_invoices', enabled: true }] },
  })
  fees.set('lark', '2026-07-01', '2026-07-31', 4)
  const made = await draftInvoice('lark', '2026-07-01', '2026-07-31')
  const approval = { ...toParams(made), body: { version: made.version } }
  expect(await getProblem(city.admin, contract.approveInvoice, approval)).toEqual([
    403,
    'You prepared this draft; somebody else must approve it.',
  ])
  expect(await callAs(city.planner, contract.approveInvoice, approval)).toMatchObject({ status: 'approved' })
  const currency = readProblem(
    await send(app, city.admin, changeRegion, { params, body: { currencyCode: 'EUR' } }),
  )
  expect([currency.status, currency.issues?.[0]?.path]).toEqual([409, 'body.currencyCode'])
  expect((await send(app, city.admin, deleteOperator, { params: { slug: 'lark' } })).statusCode).toBe(409)
  expect(
    await getProblem(city.admin, contract.createInvoice, {
      params,
      body: { operator: 'gone', start_date: '2026-07-01', end_date: '2026-07-31' },
    }),
  ).toEqual([422, 'body.operator'])
  fees.isPrepared = false
  expect((await getProblem(city.admin, contract.issueInvoice, toParams(made)))[0]).toBe(503)
  fees.isPrepared = true
  await callAdmin(contract.issueInvoice, toParams(made))
  expect(
    (await sendAs(city.admin, settings.saveBillingLogo, { params, body: Buffer.from('GIF89a') })).statusCode,
  ).toBe(422)
  expect(
    (await sendAs(city.admin, settings.saveBillingLogo, { params, body: new Uint8Array(300_000) }))
      .statusCode,
  ).toBe(413)
})

test('a period that has not ended cannot be issued', async () => {
  const made = await draftInvoice('lark', '2098-01-01', '2098-01-31')
  await callAs(city.planner, contract.approveInvoice, { ...toParams(made), body: { version: made.version } })
  expect(await getProblem(city.admin, contract.issueInvoice, toParams(made))).toEqual([409, 'end_date'])
  await callAdmin(contract.deleteInvoice, toParams(made))
})

test('a document is removed after its retention; its number remains', async () => {
  const { items } = await callAdmin(contract.listInvoices, {
    params,
    query: { operator: 'heron', size: 100 },
  })
  const issued = items.filter(({ number }) => number !== null).length
  const at = (years: number): Date => new Date(Date.UTC(new Date().getUTCFullYear() + years, 5, 1))
  await removeOldInvoices(app.state, app.facts, at(9))
  const count = async (): Promise<number> =>
    (
      await callAdmin(contract.listInvoices, { params, query: { operator: 'heron', size: 100 } })
    ).items.filter(({ number }) => number !== null).length
  expect(await count()).toBe(issued)
  // A wrong clock removes nothing, because the store uses its own.
  await expect(removeOldInvoices(app.state, app.facts, at(12))).rejects.toThrow(
    'cannot be changed or deleted',
  )
  const [region, id] = ['alder', items.find(({ number }) => number !== null)?.invoice_id ?? '']
  await app.state.execute(`alter table invoice disable trigger invoice_is_final;
    alter table invoice_document disable trigger invoice_document_is_final;
    update invoice set retain_until = '2020-12-31' where invoice_id = '${id}';
    update invoice_document set retain_until = '2020-12-31' where invoice_id = '${id}';
    delete from invoice where original_id = '${id}';
    alter table invoice enable trigger invoice_is_final;
    alter table invoice_document enable trigger invoice_document_is_final`)
  await removeOldInvoices(app.state, app.facts, at(0))
  expect(await count()).toBeLessThan(issued)
  const number = await app.state
    .as(systemScope)
    .selectFrom('invoice_number')
    .select('number')
    .where('region_id', '=', region)
    .where('invoice_id', '=', id)
    .executeTakeFirst()
  expect(number?.number).toMatch(/^alder-/)
})
