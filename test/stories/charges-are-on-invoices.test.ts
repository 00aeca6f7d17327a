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
import { getFees } from '#contract/fees.ts'
import * as contract from '#contract/invoices.ts'
import { createOperator, deleteOperator } from '#contract/managed-operators.ts'
import { changeRegion } from '#contract/regions.ts'
import { chargeInvoice } from '#server/billing/charge-invoice.ts'
import { ask, openTestApp, problemIn, send, type SignedIn, type TestApp } from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'
import { operatorUser } from '../operators/two-operators.ts'
import { pdfText } from '../pdf-text.ts'

let app: TestApp
let city: TestCity
let lark: SignedIn
let permit: Charge
const region_id = 'alder'
const params = { region_id }
const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
const april = { start_date: '2026-04-01', end_date: '2026-04-30' }
const one = ({ invoice_id }: { invoice_id: string }) => ({ params: { region_id, invoice_id } })

const create = (fields: object): Promise<Charge> =>
  ask(app, city.admin, createCharge, { params, body: { start_date: '2026-03-01', ...fields } as never })
const refusalOf = async (fields: object) => {
  const { code, issues } = problemIn(
    await send(app, city.admin, createCharge, {
      params,
      body: { start_date: '2026-03-01', ...fields } as never,
    }),
  )
  return [code, issues?.[0]?.path]
}
const report = (as: SignedIn, items: object[]) =>
  send(app, as, reportQuantities, { params, body: { items } as never })
const entry = (quantity: string, value: string, month = '2026-03-01', operator = 'lark') => ({
  operator,
  quantity,
  month,
  value,
})
const draft = (operator: string, period: typeof march) =>
  ask(app, city.admin, contract.createInvoice, { params, body: { operator, ...period } })
const issue = async (invoice: contract.Invoice) => {
  await ask(app, city.admin, contract.approveInvoice, { ...one(invoice), body: { version: invoice.version } })
  return send(app, city.admin, contract.issueInvoice, one(invoice))
}
const priced = (lines: readonly contract.InvoiceLine[]) =>
  lines.map(({ description, amount }) => [description, amount])

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  for (const slug of ['lark', 'heron'])
    await ask(app, city.admin, createOperator, { body: { slug, name: `${slug} rides`, colorHex: '#123456' } })
  lark = (await operatorUser(app, city, 'lark', ['lark'])).as
})
afterAll(() => app.close())

test('charges are entered, and refused with the field', async () => {
  permit = await create({
    name: 'Permit',
    operator: 'lark',
    kind: 'fixed',
    frequency: 'yearly',
    amount: 2500,
  })
  await create({ name: 'Device fee', operator: 'lark', kind: 'device', amount: 1.25, quantity: 'devices' })
  await create({
    name: 'Revenue share',
    operator: 'lark',
    kind: 'revenue',
    percent: 2.5,
    quantity: 'revenue',
  })
  await create({ name: 'Equity program', kind: 'discount', percent: 10 })
  await create({ name: 'Invoice', kind: 'minimum', amount: 100 })
  const { items } = await ask(app, city.admin, listCharges, { params })
  expect(items.map(({ name, currency, invoiced_until }) => [name, currency, invoiced_until])).toEqual(
    expect.arrayContaining([['Permit', 'USD', null]]),
  )
  expect(items).toHaveLength(5)
  const fixed = { name: 'Fee', kind: 'fixed' }
  expect(await refusalOf({ ...fixed })).toEqual(['validation_error', 'body.amount'])
  expect(await refusalOf({ ...fixed, amount: 1.005 })).toEqual(['validation_error', 'body.amount'])
  expect(await refusalOf({ ...fixed, amount: 1, operator: 'nobody' })).toEqual([
    'validation_error',
    'body.operator',
  ])
  expect(await refusalOf({ ...fixed, amount: 1, end_date: '2026-02-01' })).toEqual([
    'validation_error',
    'body.end_date',
  ])
  expect(problemIn(await send(app, lark, listCharges, { params })).code).toBe('forbidden')
  expect(problemIn(await send(app, lark, createCharge, { params, body: { ...fixed } as never })).code).toBe(
    'forbidden',
  )
})

test('operators report what is charged, of themselves', async () => {
  const months = { start_month: '2026-03-01', end_month: '2026-03-01' }
  const { items } = await ask(app, lark, listReportedQuantities, { params, query: months })
  expect(items.map(({ operator, quantity, value }) => [operator, quantity, value])).toEqual([
    ['lark', 'devices', null],
    ['lark', 'revenue', null],
  ])
  const refused = async (as: SignedIn, item: object) =>
    problemIn(await report(as, [entry('devices', '1'), item])).issues?.map(({ path: at }) => at)
  expect(await refused(lark, entry('devices', '5', '2026-03-01', 'heron'))).toEqual(['body.items.1.operator'])
  expect(await refused(lark, entry('rides', '5'))).toEqual(['body.items.1.quantity'])
  expect(await refused(lark, entry('devices', '5', '2026-02-01'))).toEqual(['body.items.1.quantity'])
  expect(await refused(lark, entry('devices', '-5'))).toEqual(['body.items.1.value'])
  expect(await refused(lark, entry('devices', '5'))).toEqual(['body.items.1.month'])
  expect(await refused(lark, { ...entry('revenue', '5'), is_estimate: true })).toEqual([
    'body.items.1.is_estimate',
  ])
  expect(problemIn(await report(city.viewer, [entry('devices', '1')])).code).toBe('forbidden')
  // All or none.
  expect((await ask(app, lark, listReportedQuantities, { params, query: months })).items[0]?.value).toBeNull()
  const csv = 'month,operator,quantity,value\n2026-03,lark,devices,310\n'
  const { items: imported } = await ask(app, lark, importQuantities, { params, body: { csv } })
  expect(imported).toMatchObject([{ quantity: 'devices', value: '310', month: '2026-03-01' }])
  const bad = await send(app, lark, importQuantities, {
    params,
    body: { csv: `${csv}2026-3,lark,revenue,x\n` },
  })
  expect(problemIn(bad).detail).toMatch(/^Row 3, month/)
})

test('a quantity that is missing blocks issuing until somebody confirms it', async () => {
  const made = await draft('lark', march)
  expect(priced(made.lines)).toEqual([
    ['Permit', '2500.00'],
    ['Device fee', '387.50'],
    ['Revenue share', '0.00'],
    ['Equity program', '-288.75'],
  ])
  expect(problemIn(await issue(made)).issues).toMatchObject([
    { path: 'estimate', message: expect.stringContaining('Revenue share') },
  ])
  await report(city.admin, [{ ...entry('revenue', '10000'), is_estimate: true }])
  const refreshed = await ask(app, city.admin, contract.refreshInvoice, one(made))
  expect(priced(refreshed.lines)[2]).toEqual(['Revenue share', '250.00'])
  const confirmed = await ask(app, city.admin, contract.confirmEstimate, {
    ...one(made),
    body: { note: 'As in February' },
  })
  expect(confirmed.lines.map(({ is_estimate: isEstimate }) => isEstimate)).toEqual([
    false,
    false,
    true,
    false,
  ])
  const issued = await issue(confirmed)
  expect(issued.statusCode).toBe(200)
})

test('an issued invoice has its charges in PDF, export and recomputation', async () => {
  const [invoice] = (
    await ask(app, city.admin, contract.listInvoices, { params, query: { status: 'issued' } })
  ).items
  const again = await ask(app, city.admin, contract.recomputeInvoice, one(invoice!))
  expect(again).toMatchObject({ is_equal: true, issued: '2823.75', recomputed: '2823.75' })
  const pdf = await send(app, city.admin, contract.getInvoicePdf, one(invoice!))
  expect(await pdfText(pdf.rawPayload)).toContain('Revenue share')
  const parquet = await send(app, city.admin, contract.getInvoiceFactsParquet, one(invoice!))
  expect(parquet.rawPayload.subarray(0, 4).toString()).toBe('PAR1')
  const zip = await send(app, city.admin, contract.exportInvoice, one(invoice!))
  const file = path.join(app.dataDir, 'charges.zip')
  fs.writeFileSync(file, zip.rawPayload)
  expect(await chargeInvoice(file)).toMatchObject({
    total: '2823.75',
    is_equal: true,
    facts_are_unchanged: true,
  })
})

test('what is invoiced keeps its terms: a charge is ended, and later reports are adjustments', async () => {
  const { charge_id: _, currency: _currency, invoiced_until: _until, ...fields } = permit
  const change = (body: object) =>
    send(app, city.admin, changeCharge, {
      params: { region_id, charge_id: permit.charge_id },
      body: { ...fields, ...body } as never,
    })
  expect(problemIn(await change({ amount: 3000 })).issues?.[0]?.path).toBe('body.amount')
  expect(problemIn(await change({ end_date: '2026-03-15' })).issues?.[0]?.path).toBe('body.end_date')
  expect((await change({ end_date: '2026-04-15' })).statusCode).toBe(200)
  const gone = await send(app, city.admin, deleteCharge, {
    params: { region_id, charge_id: permit.charge_id },
  })
  expect(problemIn(gone).code).toBe('conflict')
  const fixed = { name: 'Late', operator: 'lark', kind: 'fixed', amount: 1 }
  expect(await refusalOf({ ...fixed, start_date: '2026-03-31' })).toEqual(['conflict', 'body.start_date'])
  const late = await create({ ...fixed, start_date: '2026-04-01' })
  expect(
    await ask(app, city.admin, deleteCharge, { params: { region_id, charge_id: late.charge_id } }),
  ).toEqual({ deleted: true })

  expect(problemIn(await report(lark, [entry('revenue', '12000')])).issues?.[0]?.path).toBe(
    'body.items.0.month',
  )
  await report(city.admin, [
    entry('revenue', '12000'),
    entry('devices', '0', '2026-04-01'),
    entry('revenue', '20000', '2026-04-01'),
  ])
  const next = await draft('lark', april)
  expect(priced(next.lines)).toEqual([
    ['Device fee', '0.00'],
    ['Revenue share', '500.00'],
    ['Equity program', '-50.00'],
    // 2.5 % of 2,000 more, and its discount.
    [expect.stringContaining('settles an estimate'), '50.00'],
    [expect.stringContaining('Adjustment of invoice'), '-5.00'],
  ])
  expect((await issue(next)).statusCode).toBe(200)
})

test('charges of all operators are on the invoice of each, also without fees of policies', async () => {
  const found = await ask(app, city.admin, getFees, { params, query: { operator: 'heron', ...march } })
  expect(found.lines.map(({ description, amount }) => [description, amount])).toEqual([
    ['Invoice: minimum', '100.00'],
  ])
  const made = await draft('heron', march)
  expect((await issue(made)).statusCode).toBe(200)
})

test('the currency of the region, and operators, stay while charges need them', async () => {
  const currency = await send(app, city.admin, changeRegion, { params, body: { currencyCode: 'EUR' } })
  expect(problemIn(currency).issues?.[0]?.path).toBe('body.currencyCode')
  await ask(app, city.admin, createOperator, { body: { slug: 'wren', name: 'Wren', colorHex: '#123456' } })
  const own = await create({ name: 'Permit', operator: 'wren', kind: 'fixed', amount: 1 })
  const remove = () => send(app, city.admin, deleteOperator, { params: { slug: 'wren' } })
  expect(problemIn(await remove()).detail).toMatch(/has charges/)
  await ask(app, city.admin, deleteCharge, { params: { region_id, charge_id: own.charge_id } })
  expect((await remove()).statusCode).toBe(200)
})
