import pdfMake from 'pdfmake'
import fonts from 'pdfmake/fonts/Roboto.js'
import type { Language } from '#contract/identity.ts'
import { groupLines } from '#contract/invoice-lines.ts'
import type { InvoiceLine, InvoiceSnapshot } from '#contract/invoices.ts'
import { currencyDigits } from '#contract/money.ts'
import type { LocalDay } from '#contract/period.ts'
import { getLineDetail, invoicePdfTexts, type InvoicePdfTexts, getLineName } from './invoice-pdf-texts.ts'
import { type TableCell, tagTexts } from './tag-pdf.ts'
import { groupDigits } from './taxes.ts'

/** The content of a PDF: a snapshot, or a draft without a number. */
export interface InvoiceContent {
  document: Omit<InvoiceSnapshot, 'number' | 'issue_date' | 'due_date' | 'policies' | 'charges'> & {
    number: string | null
    issue_date: LocalDay | null
    due_date: LocalDay | null
  }
  /** A data URL; null without a logo. */
  logo: string | null
  /** Decides the paper size: A4 or Letter. */
  isMetric: boolean
  /** URL of the page that shows how the lines were computed. */
  link: string
  snapshotSha256: string | null
}

const fontFiles = new Set<string>(Object.values(fonts.Roboto))
pdfMake.setFonts({ Roboto: fonts.Roboto })
// A document may load no URLs, and no files but its fonts.
pdfMake.setUrlAccessPolicy(() => false)
pdfMake.setLocalAccessPolicy((path) => fontFiles.has(path))

const footerHeight = 50
tagTexts(footerHeight)

const gray = '#555555'

const dayFormats: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  'en-US': createDayFormat('en-US'),
  es: createDayFormat('es'),
}
function createDayFormat(language: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(invoicePdfTexts[language].locale, { dateStyle: 'medium', timeZone: 'UTC' })
}
const formatDay = (day: LocalDay, language: Language): string => dayFormats[language].format(new Date(day))
const formatPeriod = (first: LocalDay, last: LocalDay, language: Language): string =>
  first === last
    ? formatDay(first, language)
    : invoicePdfTexts[language].days(formatDay(first, language), formatDay(last, language))

/** Returns a unit price, padded to the decimals of the currency. */
function formatPrice(text: string, currency: string): string {
  const [integer = '', fraction = ''] = text.split('.')
  const digits = fraction.padEnd(currencyDigits(currency), '0')
  return groupDigits(digits ? `${integer}.${digits}` : integer)
}

/** The terms of a document that all of its lines share. */
type DocumentTerms = Pick<InvoiceSnapshot, 'start_date' | 'end_date' | 'currency' | 'language'>

const alignRight = { alignment: 'right' } as const
const makeLabel = (text: string): object => ({ text, bold: true })

/** Creates a stack of lines of text, without the empty ones. */
const createStack = (lines: readonly (string | object)[]): object => ({
  stack: lines.filter((line) => line !== ''),
})

function describeParty(
  title: string,
  { name, address, tax_id, contact }: InvoiceSnapshot['buyer'],
  { taxId }: InvoicePdfTexts,
): object {
  return createStack([
    { text: title, color: gray, fontSize: 8 },
    makeLabel(name),
    address,
    tax_id && `${taxId}: ${tax_id}`,
    contact,
  ])
}

type Cell = { text: string; [style: string]: unknown }

/** Tags table rows for screen readers. @param getScope Returns the scope of header cells; null for others. */
const tagCells = (
  table: string,
  rows: readonly (readonly Cell[])[],
  getScope: (row: number, column: number) => TableCell['scope'],
): object[][] =>
  rows.map((cells, row) =>
    cells.map(({ text, ...style }, column) => {
      const tableCell: TableCell = { table, row, column, columns: cells.length, scope: getScope(row, column) }
      return { ...style, text: [{ text, tableCell }] }
    }),
  )

const capitalize = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1)

/** Returns the cells of a line. @param isInGroup Whether a row above it names the fee. */
function makeLineRow(line: InvoiceLine, isInGroup: boolean, terms: DocumentTerms): Cell[] {
  const { start_date: firstDay, end_date: lastDay, currency, language } = terms
  const texts = invoicePdfTexts[language]
  const { original } = line
  const hasOtherPeriod = line.start_date !== firstDay || line.end_date !== lastDay
  const remarks = [
    hasOtherPeriod && `${formatPeriod(line.start_date, line.end_date, language)}.`,
    line.is_estimate && texts.estimate(line.days_without_data.length),
    original && texts.original(original.number, original.line),
  ].filter(Boolean)
  const name = isInGroup
    ? capitalize(getLineDetail(line, texts)) || line.policy_name
    : getLineName(line, texts)
  return [
    { text: String(line.line), ...alignRight },
    {
      text: [name, ...(remarks.length ? [remarks.join(' ')] : [])].join('\n'),
      ...(isInGroup ? { margin: [8, 0, 0, 0] } : {}),
    },
    { text: groupDigits(line.quantity), ...alignRight },
    { text: texts.units[line.unit] ?? line.unit },
    { text: line.unit_price === null ? '' : formatPrice(line.unit_price, currency), ...alignRight },
    { text: groupDigits(line.amount), ...alignRight },
  ]
}

/** Returns the rows of all lines. Several lines of one fee have a row above them with their subtotal. */
function makeLineRows(lines: readonly InvoiceLine[], terms: DocumentTerms): Cell[][] {
  const { subtotal: label } = invoicePdfTexts[terms.language]
  return groupLines(lines).flatMap(({ fee, lines: feeLines, subtotal }) => {
    const rows = feeLines.map((line) => makeLineRow(line, feeLines.length > 1, terms))
    if (feeLines.length === 1) return rows
    return [
      [
        { text: '' },
        { text: fee, bold: true },
        { text: '' },
        { text: '' },
        { text: label, color: gray, ...alignRight },
        { text: groupDigits(subtotal), bold: true, ...alignRight },
      ],
      ...rows,
    ]
  })
}

const makeLinesTable = (lines: readonly InvoiceLine[], terms: DocumentTerms): object => ({
  table: {
    headerRows: 1,
    keepWithHeaderRows: 1,
    dontBreakRows: true,
    // In points, for line, description, quantity, unit, unit price and amount. A quantity of 12 digits fits.
    widths: [24, '*', 78, 60, 48, 70],
    body: tagCells(
      'lines',
      [
        invoicePdfTexts[terms.language].columns(terms.currency).map((text, index) => ({
          text,
          bold: true,
          // Numbers are aligned to the right.
          alignment: [0, 2, 4, 5].includes(index) ? 'right' : 'left',
        })),
        ...makeLineRows(lines, terms),
      ],
      (row) => (row === 0 ? 'Column' : null),
    ),
  },
  layout: 'lightHorizontalLines',
  fontSize: 8,
  margin: [0, 10, 0, 10],
})

function makeTotalsTable({ taxes, net, total, currency, language }: InvoiceContent['document']): object {
  const texts = invoicePdfTexts[language]
  const rows = [
    [texts.net, net],
    ...taxes.map((tax): [string, string] => [
      texts.tax(tax.name, tax.rate, groupDigits(tax.net), tax.is_inclusive),
      tax.tax,
    ]),
  ]
  return {
    unbreakable: true,
    table: {
      widths: ['*', 100],
      body: tagCells(
        'totals',
        [
          ...rows.map(([text = '', amount = '']) => [
            { text, ...alignRight },
            { text: groupDigits(amount), ...alignRight },
          ]),
          [
            { text: texts.total, bold: true, fontSize: 11, ...alignRight },
            { text: `${currency} ${groupDigits(total)}`, bold: true, fontSize: 11, ...alignRight },
          ],
        ],
        (_, column) => (column === 0 ? 'Row' : null),
      ),
    },
    layout: 'noBorders',
    margin: [0, 0, 0, 10],
  }
}

/** Returns number, dates, period and currency of a document, one per line. */
function listDocumentFields({ document }: InvoiceContent): object[] {
  const { kind, original, purchase_order: order, payment_terms_days: terms, language } = document
  const texts = invoicePdfTexts[language]
  const { issue_date: issued, due_date: due } = document
  return [
    [texts.number, document.number ?? texts.noNumber],
    [texts.date, issued ? formatDay(issued, language) : ''],
    [texts.period, formatPeriod(document.start_date, document.end_date, language)],
    ...(kind === 'invoice'
      ? [[texts.due, due ? formatDay(due, language) : texts.dueAfter(terms)]]
      : [[texts.credits, original?.number ?? '']]),
    ...(order ? [[texts.order, order]] : []),
    [texts.currency, document.currency],
  ].map(([name = '', value = '']) => ({ text: [{ text: `${name}: `, color: gray }, value] }))
}

/** Describes how the lines were computed, with the hashes of the document and of its facts. */
function describeMethod({ document, link, snapshotSha256 }: InvoiceContent): object {
  const texts = invoicePdfTexts[document.language]
  return {
    text: [
      `${texts.computed}: ${link}`,
      document.facts && `\n${texts.facts(document.facts.rows)}, SHA-256 ${document.facts.sha256}`,
      snapshotSha256 && `\n${texts.document}: SHA-256 ${snapshotSha256}`,
      `\n${texts.method(document.method_version)}`,
    ].filter(Boolean),
    color: gray,
    fontSize: 7,
  }
}

/** Renders the PDF of an invoice or credit note. Equal content gives an equal file. */
export function renderInvoice(content: InvoiceContent): Promise<Uint8Array> {
  const { document, logo } = content
  const { kind, number, seller, buyer, lines, taxes, language } = document
  const texts = invoicePdfTexts[language]
  const title = texts[kind]
  const name = `${title} ${number ?? texts.draft}`
  const exemptions = [...new Set(taxes.map((tax) => tax.exemption_text))].filter(Boolean)
  const definition = {
    info: {
      title: `${name}, ${seller.name}`,
      author: seller.name,
      creationDate: new Date(document.issued_time),
      producer: 'Publicway',
      creator: 'Publicway',
    },
    language,
    displayTitle: true,
    tagged: true,
    pageSize: content.isMetric ? 'A4' : 'LETTER',
    pageMargins: [40, 40, 40, footerHeight],
    defaultStyle: { font: 'Roboto', fontSize: 9 },
    footer: (page: number, pages: number) => ({
      columns: [{ text: `${name}, ${seller.name}` }, { text: texts.page(page, pages), alignment: 'right' }],
      margin: [40, 15, 40, 0],
      fontSize: 8,
      color: gray,
    }),
    content: [
      {
        columns: [
          createStack([
            { text: title, bold: true, fontSize: 20, headlineLevel: 1 },
            ...listDocumentFields(content),
          ]),
          ...(logo ? [{ image: logo, fit: [180, 70], alignment: 'right', alt: seller.name }] : []),
        ],
      },
      {
        columns: [describeParty(texts.from, seller, texts), describeParty(texts.to, buyer, texts)],
        columnGap: 20,
        margin: [0, 16, 0, 6],
      },
      makeLinesTable(lines, document),
      makeTotalsTable(document),
      ...exemptions.map((text) => ({ text, margin: [0, 0, 0, 6] })),
      ...(document.notes ? [{ text: document.notes, margin: [0, 0, 0, 6] }] : []),
      ...(kind === 'invoice' && document.remittance_text
        ? [makeLabel(texts.payment), { text: document.remittance_text, margin: [0, 0, 0, 6] }]
        : []),
      describeMethod(content),
    ],
  }
  return pdfMake.createPdf(definition).getBuffer()
}
