import type { Language } from '#contract/identity.ts'
import { type IncidentRule, incidentRules } from '#contract/incident-rules.ts'
import { mailLocales } from '#server/mail/mail-texts.ts'
import { feedGoneText, incidentTexts } from './incident-texts.ts'

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

/** A figure in words, in its rule's unit: minutes whole, others with a decimal. */
export function figureWords(rule: IncidentRule, value: number, language: Language = 'en-US'): string {
  const { unit } = incidentRules[rule]
  const digits = unit === 'minutes' ? 1 : 10
  return incidentTexts[language].units[unit](String(Math.round(value * digits) / digits))
}

const ruleOf = ({ rule }: MailedStep, language: Language) =>
  incidentTexts[language].rules[rule as IncidentRule] as
    | (typeof incidentTexts)['en-US']['rules'][IncidentRule]
    | undefined
const subjectOf = ({ operator, feed }: MailedStep): string => (feed ? `${operator}, ${feed}` : operator)
const headlineOf = (step: MailedStep, language: Language): string =>
  `${incidentTexts[language].steps[step.step] ?? step.step}: ${ruleOf(step, language)?.name ?? step.rule} (${subjectOf(step)})`

function linesOf(step: MailedStep, { timezone }: MailRegion, language: Language): string {
  const texts = incidentTexts[language]
  const rule = ruleOf(step, language)
  const time = (at: Date): string =>
    new Intl.DateTimeFormat(mailLocales[language], {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: timezone,
    }).format(at)
  const given = step.text === feedGoneText ? texts.feedGone : step.text
  const why = given ?? (step.step === 'closed' ? rule?.closes : rule?.opens) ?? ''
  return [
    headlineOf(step, language),
    why,
    ...(step.value === null
      ? []
      : [`${texts.figure}: ${figureWords(step.rule as IncidentRule, step.value, language)}`]),
    step.step === 'closed' ? texts.open(time(step.opened), time(step.at)) : texts.since(time(step.at)),
  ].join('\n')
}

/** The mail about steps of one region's incidents. `link` leads to the page, `end` ends the subscription. */
export function incidentMail(
  region: MailRegion,
  steps: readonly MailedStep[],
  { link, end, isDigest, language }: { link: string; end: string; isDigest: boolean; language: Language },
): { subject: string; text: string } {
  const texts = incidentTexts[language]
  const [first] = steps
  const headline =
    !isDigest && first && steps.length === 1
      ? headlineOf(first, language)
      : texts.changes(steps.length, isDigest)
  return {
    subject: texts.inRegion(headline, region.text),
    text: `${steps.map((step) => linesOf(step, region, language)).join('\n\n')}\n\n${texts.details}: ${link}\n\n${texts.unsubscribe}: ${end}\n`,
  }
}
