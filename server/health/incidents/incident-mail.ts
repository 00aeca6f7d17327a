import { type IncidentRule, incidentRules } from '#contract/incident-rules.ts'

/** A step that a mail tells of. */
export interface ToldStep {
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

export interface ToldRegion {
  regionId: string
  text: string
  timezone: string
}

const round = (value: number): string => String(Math.round(value * 10) / 10)
const units = {
  minutes: (value: number) => `${Math.round(value)} minutes`,
  promises: (value: number) => `${round(value)} times the promised time`,
  hours: (value: number) => (value === 1 ? '1 hour' : `${round(value)} hours`),
  percent: (value: number) => `${round(value)} %`,
}

/** A figure in words, in its rule's unit. */
export const figureWords = (rule: IncidentRule, value: number): string =>
  units[incidentRules[rule].unit](value)

const verbs: Readonly<Record<string, string>> = { opened: 'Opened', reopened: 'Open again', closed: 'Closed' }
const nameOf = ({ rule }: ToldStep): string => incidentRules[rule as IncidentRule]?.name ?? rule
const aboutOf = ({ operator, feed }: ToldStep): string => (feed ? `${operator}, ${feed}` : operator)
const headOf = (told: ToldStep): string =>
  `${verbs[told.step] ?? told.step}: ${nameOf(told)} (${aboutOf(told)})`

function linesOf(told: ToldStep, { timezone }: ToldRegion): string {
  const words = incidentRules[told.rule as IncidentRule]
  const time = (at: Date): string =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone }).format(
      at,
    )
  const why = told.text ?? (told.step === 'closed' ? words?.closes : words?.opens) ?? ''
  return [
    headOf(told),
    why,
    ...(told.value === null ? [] : [`Figure: ${figureWords(told.rule as IncidentRule, told.value)}`]),
    `${told.step === 'closed' ? `Open from ${time(told.opened)} to ${time(told.at)}` : `Since ${time(told.at)}`}`,
  ].join('\n')
}

/** The mail that tells of steps of one region's incidents. `link` leads to the page, `end` ends the subscription. */
export function incidentMail(
  region: ToldRegion,
  steps: readonly ToldStep[],
  { link, end, isDigest }: { link: string; end: string; isDigest: boolean },
): { subject: string; text: string } {
  const [first] = steps
  const subject =
    !isDigest && first && steps.length === 1
      ? `${headOf(first)} in ${region.text}`
      : `${isDigest ? 'Data health of the day' : 'Data health'}: ${steps.length === 1 ? '1 change' : `${steps.length} changes`} in ${region.text}`
  return {
    subject,
    text: `${steps.map((step) => linesOf(step, region)).join('\n\n')}\n\nLook at it: ${link}\n\nYou get this mail because you subscribed to incidents of data health. No more of them: ${end}\n`,
  }
}
