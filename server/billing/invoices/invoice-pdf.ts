import pdfMake from 'pdfmake'
import fonts from 'pdfmake/fonts/Roboto.js'
import type { InvoiceLine, InvoiceSnapshot } from '#contract/invoices.ts'
import { currencyDigits } from '#contract/money.ts'
import type { LocalDay } from '#contract/period.ts'
import { type TableCell, tagTexts } from './tag-pdf.ts'
import { groupDigits } from './taxes.ts'

/** What a PDF shows: a snapshot, or a draft that has no number yet. */
export interface InvoiceContent {
  document: Omit<InvoiceSnapshot, 'number' | 'issue_date' | 'due_date' | 'policies' | 'charges'> & {
    number: string | null
    issue_date: LocalDay | null
    due_date: LocalDay | null
  }
  /** A data URL. */
  logo: string | null
  isMetric: boolean
  /** Where the computation of the lines is shown. */
  link: string
  snapshotSha256: string | null
}

const fontFiles = new Set<string>(Object.values(fonts.Roboto))
pdfMake.setFonts({ Roboto: fonts.Roboto })
// A document names no addresses, and no files but its fonts.
pdfMake.setUrlAccessPolicy(() => false)
pdfMake.setLocalAccessPolicy((path) => fontFiles.has(path))

const footerHeight = 50
tagTexts(footerHeight)

const gray = '#555555'
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const dayText = (day: LocalDay): string => dayFormat.format(new Date(day))
const periodText = (first: LocalDay, last: LocalDay): string =>
  first === last ? dayText(first) : `${dayText(first)} to ${dayText(last)}`

/** Unit prices have at least the digits of the currency. */
function priceText(text: string, currency: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = fraction.padEnd(currencyDigits(currency), '0')
  return groupDigits(digits ? `${whole}.${digits}` : whole)
}

type Period = Pick<InvoiceSnapshot, 'start_date' | 'end_date' | 'currency'>

const right = { alignment: 'right' } as const
const label = (text: string): object => ({ text, bold: true })

/** Lines of text under each other; empty ones are left out. */
const stackOf = (lines: readonly (string | object)[]): object => ({
  stack: lines.filter((line) => line !== ''),
})

function party(title: string, { name, address, tax_id, contact }: InvoiceSnapshot['buyer']): object {
  return stackOf([
    { text: title, color: gray, fontSize: 8 },
    label(name),
    address,
    tax_id && `Tax id: ${tax_id}`,
    contact,
  ])
}

type Texts = { text: string; [style: string]: unknown }

/** Rows of a table with header cells for screen readers. `scopeOf` is the scope of header cells. */
const tagged = (
  table: string,
  rows: readonly (readonly Texts[])[],
  scopeOf: (row: number, column: number) => TableCell['scope'],
): object[][] =>
  rows.map((cells, row) =>
    cells.map(({ text, ...style }, column) => {
      const tableCell: TableCell = { table, row, column, columns: cells.length, scope: scopeOf(row, column) }
      return { ...style, text: [{ text, tableCell }] }
    }),
  )

function lineRow(line: InvoiceLine, { start_date: first, end_date: last, currency }: Period): Texts[] {
  const { original, policy_name: policy, description } = line
  const isOwnPeriod = line.start_date !== first || line.end_date !== last
  const remarks = [
    isOwnPeriod && `${periodText(line.start_date, line.end_date)}.`,
    line.is_estimate && `Estimate: ${line.days_without_data.length} days without data.`,
    original && `Original: ${original.number}${original.line === null ? '' : `, line ${original.line}`}.`,
  ].filter(Boolean)
  const name = description.includes(policy) ? description : `${policy}: ${description}`
  return [
    { text: String(line.line), ...right },
    { text: [name, ...(remarks.length ? [remarks.join(' ')] : [])].join('\n') },
    { text: groupDigits(line.quantity), ...right },
    { text: line.unit },
    { text: line.unit_price === null ? '' : priceText(line.unit_price, currency), ...right },
    { text: groupDigits(line.amount), ...right },
  ]
}

const linesTable = (lines: readonly InvoiceLine[], period: Period): object => ({
  table: {
    headerRows: 1,
    keepWithHeaderRows: 1,
    dontBreakRows: true,
    // A quantity has up to twelve digits and separators.
    widths: [24, '*', 78, 60, 48, 70],
    body: tagged(
      'lines',
      [
        ['Line', 'Description', 'Quantity', 'Unit', 'Unit price', `Amount (${period.currency})`].map(
          (text, at) => ({ text, bold: true, alignment: [0, 2, 4, 5].includes(at) ? 'right' : 'left' }),
        ),
        ...lines.map((line) => lineRow(line, period)),
      ],
      (row) => (row === 0 ? 'Column' : null),
    ),
  },
  layout: 'lightHorizontalLines',
  fontSize: 8,
  margin: [0, 10, 0, 10],
})

function totalsTable({ taxes, net, total, currency }: InvoiceContent['document']): object {
  const rows = [
    ['Net', net],
    ...taxes.map((tax): [string, string] => [
      `${tax.name}, ${tax.rate} % of ${groupDigits(tax.net)}${tax.is_inclusive ? ' (included in the prices)' : ''}`,
      tax.tax,
    ]),
  ]
  return {
    unbreakable: true,
    table: {
      widths: ['*', 100],
      body: tagged(
        'totals',
        [
          ...rows.map(([text = '', amount = '']) => [
            { text, ...right },
            { text: groupDigits(amount), ...right },
          ]),
          [
            { text: 'Total', bold: true, fontSize: 11, ...right },
            { text: `${currency} ${groupDigits(total)}`, bold: true, fontSize: 11, ...right },
          ],
        ],
        (_, column) => (column === 0 ? 'Row' : null),
      ),
    },
    layout: 'noBorders',
    margin: [0, 0, 0, 10],
  }
}

function facts({ document }: InvoiceContent): object[] {
  const { kind, original, purchase_order: order, payment_terms_days: terms } = document
  return [
    ['Number', document.number ?? 'Draft: not an invoice'],
    ['Date', document.issue_date ? dayText(document.issue_date) : ''],
    ['Service period', periodText(document.start_date, document.end_date)],
    ...(kind === 'invoice'
      ? [['Due', document.due_date ? dayText(document.due_date) : `${terms} days after the date`]]
      : [['Credits invoice', original?.number ?? '']]),
    ...(order ? [['Purchase order', order]] : []),
    ['Currency', document.currency],
  ].map(([name = '', value = '']) => ({ text: [{ text: `${name}: `, color: gray }, value] }))
}

/** The PDF of an invoice or credit note. The same content makes the same bytes. */
export function renderInvoice(content: InvoiceContent): Promise<Uint8Array> {
  const { document, logo, link, snapshotSha256 } = content
  const { kind, number, seller, buyer, lines, taxes } = document
  const title = kind === 'invoice' ? 'Invoice' : 'Credit note'
  const name = `${title} ${number ?? '(draft)'}`
  const exemptions = [...new Set(taxes.map((tax) => tax.exemption_text))].filter(Boolean)
  const definition = {
    info: {
      title: `${name}, ${seller.name}`,
      author: seller.name,
      creationDate: new Date(document.issued_time),
      producer: 'Publicway',
      creator: 'Publicway',
    },
    language: 'en-US',
    displayTitle: true,
    tagged: true,
    pageSize: content.isMetric ? 'A4' : 'LETTER',
    pageMargins: [40, 40, 40, footerHeight],
    defaultStyle: { font: 'Roboto', fontSize: 9 },
    footer: (page: number, pages: number) => ({
      columns: [
        { text: `${name}, ${seller.name}` },
        { text: `Page ${page} of ${pages}`, alignment: 'right' },
      ],
      margin: [40, 15, 40, 0],
      fontSize: 8,
      color: gray,
    }),
    content: [
      {
        columns: [
          stackOf([{ text: title, bold: true, fontSize: 20, headlineLevel: 1 }, ...facts(content)]),
          ...(logo ? [{ image: logo, fit: [180, 70], alignment: 'right', alt: seller.name }] : []),
        ],
      },
      {
        columns: [party('From', seller), party('To', buyer)],
        columnGap: 20,
        margin: [0, 16, 0, 6],
      },
      linesTable(lines, document),
      totalsTable(document),
      ...exemptions.map((text) => ({ text, margin: [0, 0, 0, 6] })),
      ...(document.notes ? [{ text: document.notes, margin: [0, 0, 0, 6] }] : []),
      ...(kind === 'invoice' && document.remittance_text
        ? [label('Payment'), { text: document.remittance_text, margin: [0, 0, 0, 6] }]
        : []),
      {
        text: [
          `How this was computed: ${link}`,
          document.facts && `\nFacts: ${document.facts.rows} rows, SHA-256 ${document.facts.sha256}`,
          snapshotSha256 && `\nDocument: SHA-256 ${snapshotSha256}`,
          `\nMethod version ${document.method_version}`,
        ].filter(Boolean),
        color: gray,
        fontSize: 7,
      },
    ],
  }
  return pdfMake.createPdf(definition).getBuffer()
}
