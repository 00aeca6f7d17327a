import type { ReportedRecord } from './find-new-violations.ts'

/** A policy as alerts name it: by its revision in force. */
export interface AlertPolicy {
  policy_uuid: string
  constant_policy_uuid: string
  name: string
  type: string
}

/** The part of a mail about one policy. */
export interface MailPart {
  policy: AlertPolicy
  records: readonly ReportedRecord[]
}

interface AlertMailContext {
  region: { regionId: string; text: string }
  publicUrl: string
  /** Ends the subscription; null in tests. */
  token: string
  isDigest: boolean
  operatorName: (slug: string) => string
}

/** Lines of a mail at most. */
const maxLines = 60

const dayText = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

function formatLine(record: ReportedRecord, operatorName: AlertMailContext['operatorName']): string {
  const place = record.shape_uuid === null ? '' : `, ${record.shape_name}`
  const added = record.sent_violations
    ? ` (more than reported before: ${record.sent_violations}, now ${record.violations})`
    : ''
  return `- ${dayText(record.date)}, ${operatorName(record.operator)}${place}: ${record.reason}${added}`
}

const formatFooter = ({ publicUrl, token }: Pick<AlertMailContext, 'publicUrl' | 'token'>): string =>
  `\n\nYou get this e-mail because you subscribed to new violations. To unsubscribe: ${publicUrl}/unsubscribe/violations/${token}\n`

/** The mail about new violations: the records as sentences, by policy, each with a link to its page. */
export function alertMail(
  parts: readonly MailPart[],
  about: AlertMailContext,
): { subject: string; text: string } {
  const { region, publicUrl, isDigest, operatorName } = about
  const names = [...new Set(parts.map(({ policy }) => policy.name))]
  const [only] = names
  let left = maxLines
  const texts = parts.map(({ policy, records }) => {
    const shown = records
      .toSorted((a, b) =>
        a.date < b.date
          ? 1
          : a.date > b.date
            ? -1
            : a.operator.localeCompare(b.operator) || a.shape_name.localeCompare(b.shape_name),
      )
      .slice(0, left)
    left -= shown.length
    const hiddenCount = records.length - shown.length
    const lines = [
      ...shown.map((record) => formatLine(record, operatorName)),
      ...(hiddenCount ? [`- and ${hiddenCount} more`] : []),
    ]
    return `${policy.name}\n${lines.join('\n')}\nDetails: ${publicUrl}/${region.regionId}/mobility/policies/compliance/${policy.constant_policy_uuid}`
  })
  return {
    subject: `${isDigest ? 'Violations of the day' : 'New violations'}: ${names.length === 1 ? only : `${names.length} policies`} in ${region.text}`,
    text: `${texts.join('\n\n')}${formatFooter(about)}`,
  }
}

/** The mail of a test. */
export const testMail = ({
  region,
  ...about
}: Pick<AlertMailContext, 'region' | 'publicUrl' | 'token'>): { subject: string; text: string } => ({
  subject: `Test: e-mails about violations in ${region.text}`,
  text: `This is a test of the e-mails about new violations in ${region.text}. No violation was found.${formatFooter(about)}`,
})
