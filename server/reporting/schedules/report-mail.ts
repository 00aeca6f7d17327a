import type { LocalDay } from '#contract/period.ts'
import type { MailContent } from '#server/mail/message.ts'
import type { ReportContent } from './report-content.ts'

const dayText = (day: LocalDay): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

export const periodText = (first: LocalDay, last: LocalDay): string => `${dayText(first)} to ${dayText(last)}`

/** Figures of a mail; its PDF has all. */
const maxFigures = 10

interface MailPart {
  content: ReportContent
  pdf: Uint8Array
  /** Ends the report for the recipient. */
  token: string
}

export const pdfName = ({ title, period }: ReportContent): string =>
  `${title.toLowerCase().replace(/[^a-z]+/g, '-')}_${period.start_date}_${period.end_date}.pdf`

/** One mail with the key figures of some reports, each with its PDF. */
export function reportMail(parts: readonly MailPart[], publicUrl: string): MailContent {
  const texts = parts.map(({ content, token }) => {
    const { title, region, period, operators, figures, newestFact } = content
    return `${title}, ${region}
${periodText(period.start_date, period.end_date)}, compared with ${periodText(period.compare_start_date, period.compare_end_date)}
${operators ? `Figures of ${operators.join(', ')} only` : 'Figures of all operators'}; newest fact ${newestFact ?? 'none'}

${figures
  .slice(0, maxFigures)
  .map(({ name, value, before, change }) => `${name}: ${value} (before: ${before}, change: ${change})`)
  .join('\n')}

All figures and their definitions are in the attached PDF.
No more of this report: ${publicUrl}/unsubscribe/reports/${token}`
  })
  const [first] = parts
  return {
    subject:
      parts.length === 1 && first
        ? `${first.content.title}, ${first.content.region}: ${periodText(first.content.period.start_date, first.content.period.end_date)}`
        : `${parts.length} reports of ${first?.content.region ?? ''}`,
    text: `${texts.join('\n\n\n')}\n`,
    attachments: parts.map(({ content, pdf }) => ({
      filename: pdfName(content),
      content: Buffer.from(pdf),
      contentType: 'application/pdf',
    })),
  }
}
