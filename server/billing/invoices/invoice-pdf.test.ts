import { deflateSync, crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { InvoiceLine } from '#contract/invoices.ts'
import { type InvoiceContent, renderInvoice } from './invoice-pdf.ts'
import { countTextLines, readPdfText } from '../../../test/pdf-text.ts'

const makeLine = (number: number, overrides: Partial<InvoiceLine> = {}): InvoiceLine => ({
  line: number,
  kind: 'fee',
  policy_uuid: null,
  constant_policy_uuid: null,
  policy_name: 'Trip fee',
  policy_type: 'trip_fees',
  description: `Zone ${number}`,
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  quantity: '1234.5',
  unit: 'trip',
  unit_price: '0.2',
  amount: '246.90',
  days_without_data: [],
  tax_code: 'VAT',
  is_estimate: false,
  original: null,
  charged_before: null,
  ...overrides,
})

const party = { name: 'City of Alder', address: '1 Main Street\nAlder', tax_id: 'A-1', contact: '' }

function makeContent(
  lines: InvoiceLine[],
  overrides: Partial<InvoiceContent['document']> = {},
): InvoiceContent {
  return {
    document: {
      invoice_id: 'b0000000-0000-4000-8000-000000000001',
      region_id: 'alder',
      kind: 'invoice',
      number: 'alder-2026-7',
      operator: 'lark',
      issue_date: '2026-02-02',
      due_date: '2026-03-04',
      issued_time: '2026-02-02T12:00:00.000Z',
      start_date: '2026-01-01',
      end_date: '2026-01-31',
      currency: 'USD',
      seller: party,
      buyer: { ...party, name: 'Lark Rides Inc.' },
      remittance_text: 'Pay to account 123.',
      payment_terms_days: 30,
      language: 'en-US',
      purchase_order: 'PO-7',
      notes: 'Thank you.',
      lines,
      taxes: [
        {
          code: 'VAT',
          name: 'Sales tax',
          rate: '0',
          is_inclusive: false,
          exemption_text: 'Exempt under 7-2.',
          net: '246.90',
          tax: '0.00',
        },
      ],
      net: '246.90',
      tax: '0.00',
      total: '12345.67',
      original: null,
      method_version: 1,
      facts: { rows: 3, sha256: 'ab'.repeat(32) },
      ...overrides,
    },
    logo: null,
    isMetric: true,
    link: 'https://city.example/alder',
    snapshotSha256: 'cd'.repeat(32),
  }
}

/** Returns a PNG image of one red point. */
function makePngUrl(): string {
  const makeChunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    makeChunk('IHDR', header),
    makeChunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0]))),
    makeChunk('IEND', Buffer.alloc(0)),
  ])
  return `data:image/png;base64,${png.toString('base64')}`
}

describe('the PDF of an invoice', () => {
  it('the PDF has number, parties, lines, taxes, total, terms and hashes as text', async () => {
    const text = readPdfText(await renderInvoice(makeContent([makeLine(1)])))
    for (const part of [
      'Invoice',
      'alder-2026-7',
      'Jan 1, 2026 to Jan 31, 2026',
      'Mar 4, 2026',
      'PO-7',
      'Lark Rides Inc.',
      'Trip fee: Zone 1',
      '1,234.5',
      '0.20',
      'Exempt under 7-2.',
      'USD 12,345.67',
      'Pay to account 123.',
      'ab'.repeat(32),
      'Page 1 of 1',
    ])
      expect(text).toContain(part)
  })

  it('groups several lines of one fee under its name and subtotal', async () => {
    const fee = { policy_uuid: 'b0000000-0000-4000-8000-000000000002' }
    const text = readPdfText(
      await renderInvoice(
        makeContent([
          makeLine(1, { ...fee, description: 'Trip fee, Scooter', amount: '1200.50' }),
          makeLine(2, { ...fee, description: 'Trip fee, Moped', amount: '34.25' }),
          makeLine(3, { ...fee, description: 'Trip fee: minimum', amount: '0.25' }),
          makeLine(4),
        ]),
      ),
    )
    expect(text.split('Trip fee').length - 1).toBe(2)
    for (const part of ['Subtotal', '1,235.00', 'Scooter', 'Moped', 'Minimum']) expect(text).toContain(part)
  })

  it('names the rate of a line of a parking fee', async () => {
    const parking = { policy_name: 'Parking', description: 'Parking', unit: 'hours' }
    const text = readPdfText(
      await renderInvoice(
        makeContent([
          makeLine(1, { ...parking, rates: [{ start_duration: 1440, end_duration: null }] }),
          makeLine(2, {
            ...parking,
            rates: [{ days: [1, 2, 3, 4, 5], start_time: '07:00:00', end_time: '19:00:00' }],
          }),
        ]),
      ),
    )
    for (const part of ['Parking, over 24 h', 'Parking, Mon–Fri 7:00 AM–7:00 PM'])
      expect(text).toContain(part)
  })

  it('the PDF is in the language of the invoice', async () => {
    const fee = { policy_uuid: 'b0000000-0000-4000-8000-000000000002', policy_name: 'Tarifa' }
    const pdf = await renderInvoice(
      makeContent(
        [
          makeLine(1, { ...fee, description: 'Tarifa, Scooter', unit: 'trips' }),
          makeLine(2, { ...fee, description: 'Tarifa: 25 % less in discounted areas', unit: 'trips' }),
        ],
        { language: 'es' },
      ),
    )
    const text = readPdfText(pdf)
    for (const part of [
      'Factura',
      'Período de servicio: ',
      'ene 2026 al',
      'Vencimiento: ',
      'Identificación fiscal: A-1',
      'Precio unit.',
      'Monopatín',
      '25 % menos en áreas con descuento',
      'viajes',
      '1,234.5',
      'Sales tax, 0 % de 246.90',
      'USD 12,345.67',
      'Página 1 de 1',
    ])
      expect(text).toContain(part)
    for (const part of ['Invoice', 'Scooter', 'trips', 'Page']) expect(text).not.toContain(part)
    expect(Buffer.from(pdf).toString('latin1')).toContain('/Lang (es)')
  })

  it('prints long quantities on one line', async () => {
    const lines = async (quantity: string): Promise<number> =>
      countTextLines(await renderInvoice(makeContent([makeLine(1, { quantity })])))
    expect(await lines('1273744.133122778')).toBe(await lines('1'))
  })

  it('repeats the header of the lines on each page, and marks estimates and adjustments', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => makeLine(index + 1))
    lines[5] = makeLine(6, { is_estimate: true, days_without_data: ['2026-01-03'] })
    lines[6] = makeLine(7, {
      kind: 'adjustment',
      start_date: '2025-12-01',
      end_date: '2025-12-31',
      original: { invoice_id: 'x', number: 'alder-2026-3', line: null },
    })
    const text = readPdfText(await renderInvoice(makeContent(lines)))
    const pages = Number(/Page 1 of (\d+)/.exec(text)?.[1])
    expect(pages).toBeGreaterThan(2)
    expect(text.split('Amount (USD)').length - 1).toBe(pages)
    expect(text).toContain('Estimate: 1 day without data.')
    expect(text).toContain('Dec 1, 2025 to Dec 31, 2025. Original: alder-2026-3.')
  })

  it('the PDF is deterministic, tagged, and declares its language', async () => {
    const render = () => renderInvoice(makeContent([makeLine(1), makeLine(2)]))
    const [first, second] = await Promise.all([render(), render()])
    expect(Buffer.from(first ?? []).equals(Buffer.from(second ?? []))).toBe(true)
    const source = Buffer.from(first ?? []).toString('latin1')
    for (const part of [
      '/Marked true',
      '/StructTreeRoot',
      '/S /Document',
      '/S /H1',
      '/Lang (en-US)',
      '/DisplayDocTitle true',
    ])
      expect(source).toContain(part)
  })

  it('tags tables with a header row and all columns in each row, across pages', async () => {
    const lines = Array.from({ length: 90 }, (_, index) =>
      makeLine(index + 1, index % 2 ? {} : { unit_price: null }),
    )
    const source = Buffer.from(await renderInvoice(makeContent(lines))).toString('latin1')
    const count = (part: string): number => source.split(part).length - 1
    // Net, tax and total each have a header cell.
    expect([count('/S /Table'), count('/S /TR'), count('/Scope /Column'), count('/Scope /Row')]).toEqual([
      2, 94, 6, 3,
    ])
    expect([count('/S /TH'), count('/S /TD')]).toEqual([9, 90 * 6 + 3])
  })

  it('shows the logo, and the number of the invoice that a credit note credits', async () => {
    const original = { invoice_id: 'x', number: 'alder-2026-5' }
    const credit = makeContent([makeLine(1, { kind: 'credit', amount: '-246.90' })], {
      kind: 'credit_note',
      original,
    })
    const pdf = await renderInvoice({ ...credit, logo: makePngUrl() })
    const text = readPdfText(pdf)
    expect(Buffer.from(pdf).toString('latin1')).toContain('/Subtype /Image')
    for (const part of ['Credit note', 'Credits invoice: ', 'alder-2026-5', '-246.90'])
      expect(text).toContain(part)
    expect(text).not.toContain('Pay to account')
  })

  it('marks drafts', async () => {
    const draft = makeContent([makeLine(1)], { number: null, issue_date: null, due_date: null, facts: null })
    expect(readPdfText(await renderInvoice(draft))).toContain('Draft: not an invoice')
  })
})
