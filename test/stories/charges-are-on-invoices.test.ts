import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  changeCharge,
  type Charge,
  createCharge,
  deleteCharge,
  importQuantities,
  listCharges,
  listReportedQuantities,
  reportQuantities,
} from '#contract/charges.ts'
import { saveBillingSettings } from '#contract/billing-settings.ts'
import { getFees, getFeeSummary } from '#contract/fees.ts'
import { downloadLedger } from '#contract/invoice-payments.ts'
import * as contract from '#contract/invoices.ts'
import { createOperator, deleteOperator } from '#contract/managed-operators.ts'
import { changeRegion } from '#contract/regions.ts'
import { forecastMonth } from '#server/billing/fee-summary.ts'
import { PolicyFees } from '#server/billing/fee-days/policy-fees.ts'
import { regionScope } from '#server/identity/scope.ts'
import { recomputeInvoice } from '#server/billing/recompute-invoice.ts'
import { call, openTestApp, readProblem, send, type SignedIn, type TestApp } from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'
import { addOperatorUser } from '../operators/two-operators.ts'
import { readPdfText } from '../pdf-text.ts'

let app: TestApp
let city: TestCity
let lark: SignedIn
let permit: Charge
const region_id = 'alder'
const params = { region_id }
const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
const april = { start_date: '2026-04-01', end_date: '2026-04-30' }
const toParams = ({ invoice_id }: { invoice_id: string }) => ({ params: { region_id, invoice_id } })

const addCharge = (overrides: object): Promise<Charge> =>
  call(app, city.admin, createCharge, { params, body: { start_date: '2026-03-01', ...overrides } as never })
const getProblem = async (overrides: object) => {
  const { code, issues } = readProblem(
    await send(app, city.admin, createCharge, {
      params,
      body: { start_date: '2026-03-01', ...overrides } as never,
    }),
  )
  return [code, issues?.[0]?.path]
}
const reportAs = (as: SignedIn, items: object[]) =>
  send(app, as, reportQuantities, { params, body: { items } as never })
const makeQuantity = (quantity: string, value: string, month = '2026-03-01', operator = 'lark') => ({
  operator,
  quantity,
  month,
  value,
})
const draftInvoice = (operator: string, period: typeof march) =>
  call(app, city.admin, contract.createInvoice, { params, body: { operator, ...period } })
const approveAndIssue = async (invoice: contract.Invoice) => {
  await call(app, city.admin, contract.approveInvoice, {
    ...toParams(invoice),
    body: { version: invoice.version },
  })
  return send(app, city.admin, contract.issueInvoice, toParams(invoice))
}
const getAmounts = (lines: readonly contract.InvoiceLine[]) =>
  lines.map(({ description, amount }) => [description, amount])

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  for (const slug of ['lark', 'heron', 'wren-cars'])
    await call(app, city.admin, createOperator, {
      body: { slug, name: `${slug} rides`, colorHex: '#123456' },
    })
  lark = (await addOperatorUser(app, city, 'lark', ['lark'])).as
})
afterAll(() => app.close())

test('charges are added; invalid ones are rejected by field', async () => {
  permit = await addCharge({
    name: 'Permit',
    operator: 'lark',
    kind: 'fixed',
    frequency: 'yearly',
    amount: 2500,
  })
  await addCharge({ name: 'Device fee', operator: 'lark', kind: 'device', amount: 1.25, quantity: 'devices' })
  await addCharge({
    name: 'Revenue share',
    operator: 'lark',
    kind: 'revenue',
    percent: 2.5,
    quantity: 'revenue',
  })
  await addCharge({ name: 'Equity program', kind: 'discount', percent: 10 })
  await addCharge({ name: 'Invoice', kind: 'minimum', amount: 100 })
  const { items } = await call(app, city.admin, listCharges, { params })
  expect(items.map(({ name, currency, invoiced_until }) => [name, currency, invoiced_until])).toEqual(
    expect.arrayContaining([['Permit', 'USD', null]]),
  )
  expect(items).toHaveLength(5)
  const fixed = { name: 'Fee', kind: 'fixed' }
  expect(await getProblem({ ...fixed })).toEqual(['validation_error', 'body.amount'])
  expect(await getProblem({ ...fixed, amount: 1.005 })).toEqual(['validation_error', 'body.amount'])
  expect(await getProblem({ ...fixed, amount: 1, operator: 'nobody' })).toEqual([
    'validation_error',
    'body.operator',
  ])
  expect(await getProblem({ ...fixed, amount: 1, end_date: '2026-02-01' })).toEqual([
    'validation_error',
    'body.end_date',
  ])
  expect(readProblem(await send(app, lark, listCharges, { params })).code).toBe('forbidden')
  expect(readProblem(await send(app, lark, createCharge, { params, body: { ...fixed } as never })).code).toBe(
    'forbidden',
  )
})

test('operators report their own quantities', async () => {
  const months = { start_month: '2026-03-01', end_month: '2026-03-01' }
  const { items } = await call(app, lark, listReportedQuantities, { params, query: months })
  expect(items.map(({ operator, quantity, value }) => [operator, quantity, value])).toEqual([
    ['lark', 'devices', null],
    ['lark', 'revenue', null],
  ])
  const expectRefused = async (as: SignedIn, item: object) =>
    readProblem(await reportAs(as, [makeQuantity('devices', '1'), item])).issues?.map(({ path: at }) => at)
  expect(await expectRefused(lark, makeQuantity('devices', '5', '2026-03-01', 'heron'))).toEqual([
    'body.items.1.operator',
  ])
  expect(await expectRefused(lark, makeQuantity('rides', '5'))).toEqual(['body.items.1.quantity'])
  expect(await expectRefused(lark, makeQuantity('devices', '5', '2026-02-01'))).toEqual([
    'body.items.1.quantity',
  ])
  expect(await expectRefused(lark, makeQuantity('devices', '-5'))).toEqual(['body.items.1.value'])
  expect(await expectRefused(lark, makeQuantity('devices', '5'))).toEqual(['body.items.1.month'])
  expect(await expectRefused(lark, { ...makeQuantity('revenue', '5'), is_estimate: true })).toEqual([
    'body.items.1.is_estimate',
  ])
  expect(readProblem(await reportAs(city.viewer, [makeQuantity('devices', '1')])).code).toBe('forbidden')
  // All quantities are stored, or none.
  expect(
    (await call(app, lark, listReportedQuantities, { params, query: months })).items[0]?.value,
  ).toBeNull()
  const csv = 'month,operator,quantity,value\n2026-03,lark,devices,310\n'
  const { items: imported } = await call(app, lark, importQuantities, { params, body: { csv } })
  expect(imported).toMatchObject([{ quantity: 'devices', value: '310', month: '2026-03-01' }])
  const bad = await send(app, lark, importQuantities, {
    params,
    body: { csv: `${csv}2026-3,lark,revenue,x\n` },
  })
  expect(readProblem(bad).detail).toMatch(/^Row 3, month/)
})

test('a missing quantity blocks issuing until somebody confirms it', async () => {
  const made = await draftInvoice('lark', march)
  expect(getAmounts(made.lines)).toEqual([
    ['Permit', '2500.00'],
    ['Device fee', '387.50'],
    ['Revenue share', '0.00'],
    ['Equity program', '-288.75'],
  ])
  expect(readProblem(await approveAndIssue(made)).issues).toMatchObject([
    { path: 'estimate', message: expect.stringContaining('Revenue share') },
  ])
  await reportAs(city.admin, [{ ...makeQuantity('revenue', '10000'), is_estimate: true }])
  const refreshed = await call(app, city.admin, contract.refreshInvoice, toParams(made))
  expect(getAmounts(refreshed.lines)[2]).toEqual(['Revenue share', '250.00'])
  const confirmed = await call(app, city.admin, contract.confirmEstimate, {
    ...toParams(made),
    body: { note: 'As in February' },
  })
  expect(confirmed.lines.map(({ is_estimate: isEstimate }) => isEstimate)).toEqual([
    false,
    false,
    true,
    false,
  ])
  const issued = await approveAndIssue(confirmed)
  expect(issued.statusCode).toBe(200)
})

test('an issued invoice shows its charges in PDF, export and recomputation', async () => {
  const [invoice] = (
    await call(app, city.admin, contract.listInvoices, { params, query: { status: 'issued' } })
  ).items
  const again = await call(app, city.admin, contract.recomputeInvoice, toParams(invoice!))
  expect(again).toMatchObject({ is_equal: true, issued: '2823.75', recomputed: '2823.75' })
  const pdf = await send(app, city.admin, contract.getInvoicePdf, toParams(invoice!))
  expect(await readPdfText(pdf.rawPayload)).toContain('Revenue share')
  const parquet = await send(app, city.admin, contract.getInvoiceFactsParquet, toParams(invoice!))
  expect(parquet.rawPayload.subarray(0, 4).toString()).toBe('PAR1')
  const zip = await send(app, city.admin, contract.exportInvoice, toParams(invoice!))
  const file = path.join(app.dataDir, 'charges.zip')
  fs.writeFileSync(file, zip.rawPayload)
  expect(await recomputeInvoice(file)).toMatchObject({
    total: '2823.75',
    is_equal: true,
    facts_are_unchanged: true,
  })
})

test('terms of invoiced charges do not change; a charge is ended, and later reports are adjustments', async () => {
  const { charge_id: _, currency: _currency, invoiced_until: _until, ...fields } = permit
  const change = (body: object) =>
    send(app, city.admin, changeCharge, {
      params: { region_id, charge_id: permit.charge_id },
      body: { ...fields, ...body } as never,
    })
  expect(readProblem(await change({ amount: 3000 })).issues?.[0]?.path).toBe('body.amount')
  expect(readProblem(await change({ end_date: '2026-03-15' })).issues?.[0]?.path).toBe('body.end_date')
  expect((await change({ end_date: '2026-04-15' })).statusCode).toBe(200)
  const gone = await send(app, city.admin, deleteCharge, {
    params: { region_id, charge_id: permit.charge_id },
  })
  expect(readProblem(gone).code).toBe('conflict')
  const fixed = { name: 'Late', operator: 'lark', kind: 'fixed', amount: 1 }
  expect(await getProblem({ ...fixed, start_date: '2026-03-31' })).toEqual(['conflict', 'body.start_date'])
  const late = await addCharge({ ...fixed, start_date: '2026-04-01' })
  expect(
    await call(app, city.admin, deleteCharge, { params: { region_id, charge_id: late.charge_id } }),
  ).toEqual({ deleted: true })

  expect(readProblem(await reportAs(lark, [makeQuantity('revenue', '12000')])).issues?.[0]?.path).toBe(
    'body.items.0.month',
  )
  await reportAs(city.admin, [
    makeQuantity('revenue', '12000'),
    makeQuantity('devices', '0', '2026-04-01'),
    makeQuantity('revenue', '20000', '2026-04-01'),
  ])
  const next = await draftInvoice('lark', april)
  expect(getAmounts(next.lines)).toEqual([
    ['Device fee', '0.00'],
    ['Revenue share', '500.00'],
    ['Equity program', '-50.00'],
    // 2.5% of 2,000 more, and its discount.
    [expect.stringContaining('settles an estimate'), '50.00'],
    [expect.stringContaining('Adjustment of invoice'), '-5.00'],
  ])
  expect((await approveAndIssue(next)).statusCode).toBe(200)
})

test('a charge has its own tax rate and account', async () => {
  expect(await getProblem({ name: 'Study', kind: 'fixed', amount: 1, tax_code: 'none' })).toEqual([
    'validation_error',
    'body.tax_code',
  ])
  await call(app, city.admin, saveBillingSettings, {
    params,
    body: {
      tax_rates: [{ code: 'V8', name: 'Sales tax', rate: '8' }],
      account_codes: { revenue: { default: '4000' }, receivable: '1200', tax: '2200', payment: '1000' },
    } as never,
  })
  const may = { start_date: '2026-05-01', end_date: '2026-05-31' }
  const terms = { kind: 'fixed', frequency: 'once', start_date: may.start_date }
  await addCharge({
    ...terms,
    name: 'Study',
    operator: 'wren-cars',
    amount: 200,
    tax_code: 'V8',
    account_code: '4711',
  })
  const made = await draftInvoice('wren-cars', may)
  expect(made.lines.map(({ description, amount, tax_code }) => [description, amount, tax_code])).toEqual([
    ['Study', '200.00', 'V8'],
    ['Equity program', '-20.00', null],
  ])
  expect(made).toMatchObject({ net: '180.00', tax: '16.00', total: '196.00', not_charged: [] })
  expect((await approveAndIssue(made)).statusCode).toBe(200)
  const query = { start_date: '2020-01-01', end_date: '2099-12-31' }
  const ledger = await send(app, city.admin, downloadLedger, { params, query })
  const ownRows = ledger.payload.split('\r\n').filter((row) => row.includes('wren-cars'))
  expect(ownRows.map((row) => row.split(',').slice(5).join())).toEqual([
    '1200,196.00,,total',
    '4711,,200.00,net',
    '4000,20.00,,net',
    '2200,,16.00,tax',
  ])
})

test('the summary of months and the forecast include charges', async () => {
  const months = { start_date: '2026-03-01', end_date: '2026-04-30' }
  const { months: rows } = await call(app, city.admin, getFeeSummary, { params, query: months })
  const filterOperator = (operator: string) =>
    rows
      .filter((row) => row.operator === operator)
      .map(({ month, policy_name: name, accrued, invoiced }) => [month, name, accrued, invoiced])
  expect(filterOperator('lark')).toEqual([
    ['2026-03-01', 'Device fee', '387.50', '387.50'],
    ['2026-03-01', 'Equity program', '-318.75', '-318.75'],
    ['2026-03-01', 'Permit', '2500.00', '2500.00'],
    ['2026-03-01', 'Revenue share', '300.00', '300.00'],
    ['2026-04-01', 'Device fee', '0.00', '0.00'],
    ['2026-04-01', 'Equity program', '-50.00', '-50.00'],
    ['2026-04-01', 'Revenue share', '500.00', '500.00'],
  ])
  const source = new PolicyFees({ ...app, health: app.health.dayCounts })
  const scope = regionScope(city.organizations.alder, region_id)
  const at = new Date('2026-04-10T16:00Z')
  const { operators } = await forecastMonth(source, app.state, { viewer: { scope }, params, query: {}, at })
  const { accrued, expected } = operators.find(({ operator }) => operator === 'lark')!
  // The revenue share of 500, less 10 percent, is due on the last day of the month; until then the minimum applies.
  expect([accrued, expected]).toEqual(['100.00', '450.00'])
})

test('a credit note credits the amount after later adjustments', async () => {
  const { items } = await call(app, city.admin, contract.listInvoices, {
    params,
    query: { operator: 'lark' },
  })
  const first = items.find(({ start_date: start }) => start === march.start_date)!
  const second = items.find(({ start_date: start }) => start === april.start_date)!
  // The revenue share of April is corrected by -100, which an adjustment in May returns.
  await reportAs(city.admin, [
    makeQuantity('revenue', '16000', '2026-04-01'),
    makeQuantity('devices', '0', '2026-05-01'),
    makeQuantity('revenue', '20000', '2026-05-01'),
  ])
  const next = await draftInvoice('lark', { start_date: '2026-05-01', end_date: '2026-05-31' })
  expect(getAmounts(next.lines).slice(-2)).toEqual([
    [expect.stringContaining('Adjustment of invoice'), '-100.00'],
    [expect.stringContaining('Adjustment of invoice'), '10.00'],
  ])
  expect((await approveAndIssue(next)).statusCode).toBe(200)
  const credit = (invoice: contract.InvoiceSummary, lines: { line: number; amount: string | null }[]) =>
    send(app, city.admin, contract.createCreditNote, {
      ...toParams(invoice),
      body: { notes: 'Too much', lines },
    })
  const refused = readProblem(await credit(second, [{ line: 2, amount: '500.00' }]))
  expect([refused.code, refused.issues?.[0]?.path]).toEqual(['conflict', 'body.lines.0.amount'])
  // 400 of the 500 in the line are left, plus the other lines.
  const all = await credit(second, [])
  expect(getAmounts((all.json() as contract.Invoice).lines)).toEqual([
    ['Revenue share', '-400.00'],
    ['Equity program', '40.00'],
    [expect.stringContaining('settles an estimate'), '-50.00'],
    [expect.stringContaining('Adjustment of invoice'), '5.00'],
  ])
  expect((await approveAndIssue(all.json() as contract.Invoice)).statusCode).toBe(200)
  expect(readProblem(await credit(second, [])).code).toBe('conflict')
  // Its own fees are fully credited, so April can be invoiced again.
  expect(getAmounts((await draftInvoice('lark', april)).lines)).toEqual(
    expect.arrayContaining([['Revenue share', '400.00']]),
  )
  expect(first.status).not.toBe('credited')
})

test('charges of all operators are on the invoice of each, also without fees of policies', async () => {
  const found = await call(app, city.admin, getFees, { params, query: { operator: 'heron', ...march } })
  expect(found.lines.map(({ description, amount }) => [description, amount])).toEqual([
    ['Invoice: minimum', '100.00'],
  ])
  const made = await draftInvoice('heron', march)
  expect((await approveAndIssue(made)).statusCode).toBe(200)
})

test('the currency and the operators of a region cannot change while charges need them', async () => {
  const currency = await send(app, city.admin, changeRegion, { params, body: { currencyCode: 'EUR' } })
  expect(readProblem(currency).issues?.[0]?.path).toBe('body.currencyCode')
  await call(app, city.admin, createOperator, { body: { slug: 'wren', name: 'Wren', colorHex: '#123456' } })
  const ownCharge = await addCharge({ name: 'Permit', operator: 'wren', kind: 'fixed', amount: 1 })
  const remove = () => send(app, city.admin, deleteOperator, { params: { slug: 'wren' } })
  expect(readProblem(await remove()).detail).toMatch(/has charges/)
  await call(app, city.admin, deleteCharge, { params: { region_id, charge_id: ownCharge.charge_id } })
  expect((await remove()).statusCode).toBe(200)
})
