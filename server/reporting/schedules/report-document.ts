import pdfMake from 'pdfmake'
import fonts from 'pdfmake/fonts/Roboto.js'
import { chartSvg } from './report-charts.ts'
import { periodText } from './report-mail.ts'
import type { ReportContent } from './report-content.ts'

const font = 'Roboto'
const fontFiles = new Set<string>(Object.values(fonts.Roboto))
pdfMake.setFonts({ Roboto: fonts.Roboto })
// A document names no addresses, and no files but its fonts.
pdfMake.setUrlAccessPolicy(() => false)
pdfMake.setLocalAccessPolicy((path) => fontFiles.has(path))

const table = (header: readonly string[], rows: readonly (readonly string[])[], texts: number): object => ({
  table: {
    headerRows: 1,
    widths: header.map((_, at) => (at < texts ? '*' : 'auto')),
    body: [
      header.map((text, at) => ({ text, bold: true, alignment: at < texts ? 'left' : 'right' })),
      ...rows.map((row) => row.map((text, at) => ({ text, alignment: at < texts ? 'left' : 'right' }))),
    ],
  },
  layout: 'lightHorizontalLines',
  margin: [0, 0, 0, 12],
})

const heading = (text: string): object => ({ text, bold: true, fontSize: 12, margin: [0, 8, 0, 4] })

/** The page on which a report reads what it rests on. */
function methods(content: ReportContent): object[] {
  const { coverage, figures, parameters, excludedTrips, pendingDays } = content
  const { from, until } = parameters.operating_hours
  return [
    heading('Data'),
    {
      text: [
        `Newest fact: ${content.newestFact ?? 'none'}. `,
        `Trips excluded from distances, durations and speeds: ${excludedTrips}. `,
        `Vehicles without contact for ${parameters.lost_after_hours} hours are not counted. Operating hours ${from} to ${until}, ${parameters.timezone}.`,
        pendingDays ? ` ${pendingDays} days are being computed again.` : '',
      ].join(''),
      margin: [0, 0, 0, 6],
    },
    coverage.length
      ? table(
          ['Operator', 'Hours with data'],
          coverage.map(({ operator, share }) => [operator, share]),
          1,
        )
      : { text: 'No operator sent data.' },
    heading('Definitions'),
    ...figures.map(({ name, definition, version }) => ({
      text: [{ text: `${name}: `, bold: true }, `${definition} (version ${version}).`],
      margin: [0, 0, 0, 3],
    })),
  ]
}

/** The PDF of a report. The same content makes the same bytes. */
export function renderReport(content: ReportContent): Promise<Uint8Array> {
  const { title, region, period, operators, figures, charts, createdTime, isMetric } = content
  const definition = {
    info: {
      title: `${title}, ${region}`,
      creationDate: new Date(createdTime),
      producer: 'Publicway',
      creator: 'Publicway',
    },
    pageSize: isMetric ? 'A4' : 'LETTER',
    pageMargins: [40, 40, 40, 50],
    defaultStyle: { font, fontSize: 9 },
    footer: (page: number, pages: number) => ({
      columns: [
        { text: `${region}, ${periodText(period.start_date, period.end_date)}` },
        { text: `Page ${page} of ${pages}`, alignment: 'right' },
      ],
      margin: [40, 15, 40, 0],
      fontSize: 8,
      color: '#555555',
    }),
    content: [
      { text: title, bold: true, fontSize: 18 },
      {
        text: `${region}, ${periodText(period.start_date, period.end_date)}`,
        fontSize: 12,
        margin: [0, 2, 0, 2],
      },
      {
        text: `Compared with ${periodText(period.compare_start_date, period.compare_end_date)}. ${operators ? `Figures of ${operators.join(', ')} only.` : 'Figures of all operators.'}`,
        color: '#555555',
        margin: [0, 0, 0, 10],
      },
      table(
        ['Measure', 'This period', 'Period before', 'Change'],
        figures.map(({ name, value, before, change }) => [name, value, before, change]),
        1,
      ),
      ...charts
        .filter(({ series }) => series.length)
        .map((chart) => ({
          unbreakable: true,
          stack: [heading(chart.title), { svg: chartSvg(chart, font) }],
        })),
      heading('By group'),
      content.table.rows.length
        ? table(content.table.header, content.table.rows, content.table.groups)
        : { text: 'No data in this period.' },
      ...methods(content),
    ],
  }
  return pdfMake.createPdf(definition).getBuffer()
}
