import { type IncidentRule, incidentRules } from '#contract/incident-rules.ts'

/** A step that a mail reports. */
export interface MailedStep {
  step: string
  at: Date
  value: number | null
  text: string | null
  rule: string
  operator: string
  /** Name of the feed; null where the incident is the operator's. */
  feed: string | null
  opened: Date
}

export interface MailRegion {
  regionId: string
  text: string
  timezone: string
}

const round = (value: number): string => String(Math.round(value * 10) / 10)
const units = {
  minutes: (value: number) => `${Math.round(value)} minutes`,
  promises: (value: number) => `${round(value)} times the limit`,
  hours: (value: number) => (value === 1 ? '1 hour' : `${round(value)} hours`),
  percent: (value: number) => `${round(value)}%`,
}

/** A figure in words, in its rule's unit. */
export const figureWords = (rule: IncidentRule, value: number): string =>
  units[incidentRules[rule].unit](value)

const verbs: Readonly<Record<string, string>> = { opened: 'Opened', reopened: 'Reopened', closed: 'Closed' }
const nameOf = ({ rule }: MailedStep): string => incidentRules[rule as IncidentRule]?.name ?? rule
const subjectOf = ({ operator, feed }: MailedStep): string => (feed ? `${operator}, ${feed}` : operator)
const headlineOf = (step: MailedStep): string =>
  `${verbs[step.step] ?? step.step}: ${nameOf(step)} (${subjectOf(step)})`

function linesOf(step: MailedStep, { timezone }: MailRegion): string {
  const words = incidentRules[step.rule as IncidentRule]
  const time = (at: Date): string =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone }).format(
      at,
    )
  const why = step.text ?? (step.step === 'closed' ? words?.closes : words?.opens) ?? ''
  return [
    headlineOf(step),
    why,
    ...(step.value === null ? [] : [`Figure: ${figureWords(step.rule as IncidentRule, step.value)}`]),
    `${step.step === 'closed' ? `Open from ${time(step.opened)} to ${time(step.at)}` : `Since ${time(step.at)}`}`,
  ].join('\n')
}

/** The mail about steps of one region's incidents. `link` leads to the page, `end` ends the subscription. */
export function incidentMail(
  region: MailRegion,
  steps: readonly MailedStep[],
  { link, end, isDigest }: { link: string; end: string; isDigest: boolean },
): { subject: string; text: string } {
  const [first] = steps
  const subject =
    !isDigest && first && steps.length === 1
      ? `${headlineOf(first)} in ${region.text}`
      : `${isDigest ? 'Data health of the day' : 'Data health'}: ${steps.length === 1 ? '1 change' : `${steps.length} changes`} in ${region.text}`
  return {
    subject,
    text: `${steps.map((step) => linesOf(step, region)).join('\n\n')}\n\nDetails: ${link}\n\nYou get this e-mail because you subscribed to data health incidents. To unsubscribe: ${end}\n`,
  }
}
