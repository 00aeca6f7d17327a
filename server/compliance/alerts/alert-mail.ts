import type { Language } from '#contract/identity.ts'
import { mailLocales } from '#server/mail/mail-texts.ts'
import { describeReasonInSpanish } from '../days/spanish-reason.ts'
import type { RecordToReport } from './find-new-violations.ts'

/** A policy as named in alerts, by its revision in force. */
export interface AlertPolicy {
  policy_uuid: string
  constant_policy_uuid: string
  name: string
  type: string
}

/** The part of a mail about one policy. */
export interface MailPart {
  policy: AlertPolicy
  records: readonly RecordToReport[]
}

/** What the text of a mail depends on besides its records. */
interface AlertMailContext {
  region: { regionId: string; text: string }
  publicUrl: string
  /** Token of the unsubscribe link. */
  token: string
  /** Whether the mail collects the violations of a day. */
  isDigest: boolean
  getOperatorName: (slug: string) => string
  language: Language
}

interface AlertTexts {
  /** Remark on a record with more violations than were reported before. */
  more: (before: number, now: number) => string
  details: string
  /** Line for records that are not listed. */
  hidden: (count: number) => string
  subject: (what: string, region: string, isDigest: boolean) => string
  policies: (count: number) => string
  unsubscribe: string
  testSubject: (region: string) => string
  test: (region: string) => string
}

const alertTexts: Readonly<Record<Language, AlertTexts>> = {
  'en-US': {
    more: (before, now) => `more than reported before: ${before}, now ${now}`,
    details: 'Details',
    hidden: (count) => `and ${count} more`,
    subject: (what, region, isDigest) =>
      `${isDigest ? 'Violations of the day' : 'New violations'}: ${what} in ${region}`,
    policies: (count) => `${count} policies`,
    unsubscribe: 'You get this e-mail because you subscribed to new violations. To unsubscribe',
    testSubject: (region) => `Test: e-mails about violations in ${region}`,
    test: (region) =>
      `This is a test of the e-mails about new violations in ${region}. No violation was found.`,
  },
  es: {
    more: (before, now) => `más que en el aviso anterior: ${before}, ahora ${now}`,
    details: 'Detalles',
    hidden: (count) => `y ${count} más`,
    subject: (what, region, isDigest) =>
      `${isDigest ? 'Infracciones del día' : 'Nuevas infracciones'}: ${what} en ${region}`,
    policies: (count) => `${count} políticas`,
    unsubscribe:
      'Recibe este correo porque se suscribió a las nuevas infracciones. Para cancelar la suscripción',
    testSubject: (region) => `Prueba: correos sobre infracciones en ${region}`,
    test: (region) =>
      `Esta es una prueba de los correos sobre nuevas infracciones en ${region}. No se encontró ninguna infracción.`,
  },
}

/** Maximum number of records listed in a mail. */
const maxListedRecords = 60

const formatDay = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(mailLocales[language], { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(day),
  )

function formatLine(
  record: RecordToReport,
  { getOperatorName, language }: Pick<AlertMailContext, 'getOperatorName' | 'language'>,
): string {
  const place = record.shape_uuid === null ? '' : `, ${record.shape_name}`
  const addedText = record.sent_violations
    ? ` (${alertTexts[language].more(record.sent_violations, record.violations)})`
    : ''
  const reason = language === 'es' ? describeReasonInSpanish(record) : record.reason
  const operatorName = getOperatorName(record.operator)
  return `- ${formatDay(record.date, language)}, ${operatorName}${place}: ${reason}${addedText}`
}

type Footer = Pick<AlertMailContext, 'publicUrl' | 'token' | 'language'>

const formatFooter = ({ publicUrl, token, language }: Footer): string =>
  `\n\n${alertTexts[language].unsubscribe}: ${publicUrl}/unsubscribe/violations/${token}\n`

/** Orders records by day, newest first, then by operator and shape. */
const compareRecords = (a: RecordToReport, b: RecordToReport): number =>
  b.date.localeCompare(a.date) ||
  a.operator.localeCompare(b.operator) ||
  a.shape_name.localeCompare(b.shape_name)

/** Returns the mail about new violations: records as sentences, by policy, with links to the policies. */
export function composeAlertMail(
  parts: readonly MailPart[],
  context: AlertMailContext,
): { subject: string; text: string } {
  const { region, publicUrl, isDigest, language } = context
  const { hidden, details, subject, policies } = alertTexts[language]
  const names = [...new Set(parts.map(({ policy }) => policy.name))]
  const [firstName] = names
  let remainingCount = maxListedRecords
  const texts = parts.map(({ policy, records }) => {
    const listedRecords = records.toSorted(compareRecords).slice(0, remainingCount)
    remainingCount -= listedRecords.length
    const hiddenCount = records.length - listedRecords.length
    const lines = [
      ...listedRecords.map((record) => formatLine(record, context)),
      ...(hiddenCount ? [`- ${hidden(hiddenCount)}`] : []),
    ]
    const policyPath = `mobility/policies/compliance/${policy.constant_policy_uuid}`
    return `${policy.name}\n${lines.join('\n')}\n${details}: ${publicUrl}/${region.regionId}/${policyPath}`
  })
  return {
    subject: subject(
      names.length === 1 && firstName ? firstName : policies(names.length),
      region.text,
      isDigest,
    ),
    text: `${texts.join('\n\n')}${formatFooter(context)}`,
  }
}

/** Returns the mail that tests a subscription. */
export const composeTestMail = ({
  region,
  ...context
}: Footer & Pick<AlertMailContext, 'region'>): { subject: string; text: string } => ({
  subject: alertTexts[context.language].testSubject(region.text),
  text: `${alertTexts[context.language].test(region.text)}${formatFooter(context)}`,
})
