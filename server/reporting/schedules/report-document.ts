import pdfMake from 'pdfmake'
import fonts from 'pdfmake/fonts/Roboto.js'
import { drawChart } from './report-charts.ts'
import { describeNewestData, formatPeriod } from './report-mail.ts'
import { reportTexts } from './report-texts.ts'
import type { ReportContent } from './report-data.ts'

const font = 'Roboto'
const fontFiles = new Set<string>(Object.values(fonts.Roboto))
pdfMake.setFonts({ Roboto: fonts.Roboto })
// Documents may load no URLs, and no files but their fonts.
pdfMake.setUrlAccessPolicy(() => false)
pdfMake.setLocalAccessPolicy((path) => fontFiles.has(path))

/** Makes a table. The first `textColumns` columns are left-aligned text, others right-aligned numbers. */
const makeTable = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  textColumns: number,
): object => {
  const getAlignment = (index: number): string => (index < textColumns ? 'left' : 'right')
  return {
    table: {
      headerRows: 1,
      widths: header.map((_, index) => (index < textColumns ? '*' : 'auto')),
      body: [
        header.map((text, index) => ({ text, bold: true, alignment: getAlignment(index) })),
        ...rows.map((row) => row.map((text, index) => ({ text, alignment: getAlignment(index) }))),
      ],
    },
    layout: 'lightHorizontalLines',
    margin: [0, 0, 0, 12],
  }
}

const makeHeading = (text: string): object => ({ text, bold: true, fontSize: 12, margin: [0, 8, 0, 4] })

/** Returns the section about data coverage and definitions. */
function makeMethodsSection(content: ReportContent): object[] {
  const { coverage, figures, notes } = content
  const texts = reportTexts[content.language]
  return [
    makeHeading(texts.data),
    { text: `${describeNewestData(content)}. ${notes.join(' ')}`, margin: [0, 0, 0, 6] },
    coverage.length
      ? makeTable(
          texts.coverage,
          coverage.map(({ operator, share }) => [operator, share]),
          1,
        )
      : { text: texts.noCoverage },
    makeHeading(texts.definitions),
    ...figures.map(({ name, definition, version }) => ({
      text: [{ text: `${name}: `, bold: true }, `${definition} ${texts.version(version)}`],
      margin: [0, 0, 0, 3],
    })),
  ]
}

/** Renders a report as PDF. Equal content results in equal bytes. */
export function renderReport(content: ReportContent): Promise<Uint8Array> {
  const { title, region, period, operators, filters, figures, charts, createdTime, isMetric, language } =
    content
  const texts = reportTexts[language]
  const days = formatPeriod(period.start_date, period.end_date, texts)
  const comparedDays = formatPeriod(period.compare_start_date, period.compare_end_date, texts)
  const operatorText = operators ? texts.onlyOperators(operators) : texts.allOperators
  const definition = {
    info: {
      title: `${title}, ${region}`,
      creationDate: new Date(createdTime),
      producer: 'Publicway',
      creator: 'Publicway',
    },
    language,
    pageSize: isMetric ? 'A4' : 'LETTER',
    pageMargins: [40, 40, 40, 50],
    defaultStyle: { font, fontSize: 9 },
    footer: (page: number, pages: number) => ({
      columns: [{ text: `${region}, ${days}` }, { text: texts.page(page, pages), alignment: 'right' }],
      margin: [40, 15, 40, 0],
      fontSize: 8,
      color: '#555555',
    }),
    content: [
      { text: title, bold: true, fontSize: 18 },
      { text: `${region}, ${days}`, fontSize: 12, margin: [0, 2, 0, 2] },
      {
        text: `${texts.comparedWith(comparedDays)} ${operatorText}. ${filters}`.trim(),
        color: '#555555',
        margin: [0, 0, 0, 10],
      },
      makeTable(
        texts.columns,
        figures.map(({ name, value, before, change }) => [name, value, before, change]),
        1,
      ),
      ...charts
        .filter(({ series }) => series.length)
        .map((chart) => ({
          unbreakable: true,
          stack: [makeHeading(chart.title), { svg: drawChart(chart, font) }],
        })),
      makeHeading(texts.byGroup),
      content.table.rows.length
        ? makeTable(content.table.header, content.table.rows, content.table.groups)
        : { text: texts.noRows },
      ...makeMethodsSection(content),
    ],
  }
  return pdfMake.createPdf(definition).getBuffer()
}
