import type { LocalDay } from '#contract/period.ts'
import type { MailContent } from '#server/mail/message.ts'
import type { ReportContent } from './report-data.ts'
import { type ReportTexts, reportTexts } from './report-texts.ts'

const formatDay = (day: LocalDay, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** Formats a period of local days. */
export const formatPeriod = (
  firstDay: LocalDay,
  lastDay: LocalDay,
  { locale, period }: ReportTexts,
): string => period(formatDay(firstDay, locale), formatDay(lastDay, locale))

/** Describes how recent the data is, in the region's time. */
export const describeNewestData = ({ newestFact, timezone, language }: ReportContent): string => {
  const texts = reportTexts[language]
  const format = new Intl.DateTimeFormat(texts.locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: timezone,
  })
  return texts.newestFact(newestFact === null ? null : format.format(new Date(newestFact)))
}

/** Maximum number of figures in a mail; its PDF has all of them. */
const maxFigures = 10

interface MailPart {
  content: ReportContent
  pdf: Uint8Array
  /** Token with which the recipient unsubscribes. */
  token: string
}

/** Returns the file name of a report: its title in ASCII letters and its period. */
export const makePdfName = ({ title, period }: ReportContent): string =>
  `${title
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z]+/g, '-')}_${period.start_date}_${period.end_date}.pdf`

/** Returns a mail with the key figures of one or more reports, and their PDFs as attachments. */
export function composeReportMail(parts: readonly MailPart[], publicUrl: string): MailContent {
  const mailTexts = parts.map(({ content, token }) => {
    const { title, region, period, operators, filters, figures, language } = content
    const texts = reportTexts[language]
    const comparedDays = formatPeriod(period.compare_start_date, period.compare_end_date, texts)
    return `${title}, ${region}
${formatPeriod(period.start_date, period.end_date, texts)}. ${texts.comparedWith(comparedDays)}
${operators ? texts.onlyOperators(operators) : texts.allOperators}. ${filters && `${filters} `}${describeNewestData(content)}

${figures
  .slice(0, maxFigures)
  .map(({ name, value, before, change }) => texts.figure(name, value, before, change))
  .join('\n')}

${texts.inPdf}
${texts.unsubscribe(`${publicUrl}/unsubscribe/reports/${token}`)}`
  })
  const firstReport = parts[0]?.content
  const texts = reportTexts[firstReport?.language ?? 'en-US']
  const getSubject = ({ title, region, period }: ReportContent): string =>
    `${title}, ${region}: ${formatPeriod(period.start_date, period.end_date, texts)}`
  return {
    subject:
      parts.length === 1 && firstReport
        ? getSubject(firstReport)
        : texts.several(parts.length, firstReport?.region ?? ''),
    text: `${mailTexts.join('\n\n\n')}\n`,
    attachments: parts.map(({ content, pdf }) => ({
      filename: makePdfName(content),
      content: Buffer.from(pdf),
      contentType: 'application/pdf',
    })),
  }
}
