import type { Language } from '#contract/identity.ts'
import { type IncidentRule, incidentRules } from '#contract/incident-rules.ts'
import { mailLocales } from '#server/mail/mail-texts.ts'
import { feedGoneText, incidentTexts } from './incident-texts.ts'

/** A step of an incident, as a mail needs it. */
export interface MailedStep {
  step: string
  at: Date
  value: number | null
  text: string | null
  rule: string
  operator: string
  /** The name of the feed; null if the incident concerns all feeds of the operator. */
  feed: string | null
  opened: Date
}

interface IncidentMailOptions {
  link: string
  unsubscribeLink: string
  /** Whether the mail covers the changes of a day. */
  isDigest: boolean
  language: Language
}

export interface MailRegion {
  regionId: string
  text: string
  timezone: string
}

/** Formats a figure with its rule's unit: whole minutes, other units with one decimal. */
export function formatFigure(rule: IncidentRule, value: number, language: Language = 'en-US'): string {
  const { unit } = incidentRules[rule]
  const scale = unit === 'minutes' ? 1 : 10
  return incidentTexts[language].units[unit](String(Math.round(value * scale) / scale))
}

// Undefined for a rule of an older version.
const findRuleTexts = ({ rule }: MailedStep, language: Language) =>
  incidentTexts[language].rules[rule as IncidentRule] as
    | (typeof incidentTexts)['en-US']['rules'][IncidentRule]
    | undefined
const formatSubject = ({ operator, feed }: MailedStep): string => (feed ? `${operator}, ${feed}` : operator)
const composeHeadline = (step: MailedStep, language: Language): string =>
  `${incidentTexts[language].steps[step.step] ?? step.step}: ${findRuleTexts(step, language)?.name ?? step.rule} (${formatSubject(step)})`

function composeLines(step: MailedStep, { timezone }: MailRegion, language: Language): string {
  const texts = incidentTexts[language]
  const rule = findRuleTexts(step, language)
  const formatTime = (at: Date): string =>
    new Intl.DateTimeFormat(mailLocales[language], {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: timezone,
    }).format(at)
  const storedReason = step.text === feedGoneText ? texts.feedGone : step.text
  const reason = storedReason ?? (step.step === 'closed' ? rule?.closes : rule?.opens) ?? ''
  return [
    composeHeadline(step, language),
    reason,
    ...(step.value === null
      ? []
      : [`${texts.figure}: ${formatFigure(step.rule as IncidentRule, step.value, language)}`]),
    step.step === 'closed'
      ? texts.open(formatTime(step.opened), formatTime(step.at))
      : texts.since(formatTime(step.at)),
  ].join('\n')
}

/** Composes the mail about steps of a region's incidents. `link`: the data health page. */
export function composeIncidentMail(
  region: MailRegion,
  steps: readonly MailedStep[],
  { link, unsubscribeLink, isDigest, language }: IncidentMailOptions,
): { subject: string; text: string } {
  const texts = incidentTexts[language]
  const [first] = steps
  const headline =
    !isDigest && first && steps.length === 1
      ? composeHeadline(first, language)
      : texts.changes(steps.length, isDigest)
  return {
    subject: texts.inRegion(headline, region.text),
    text: `${steps.map((step) => composeLines(step, region, language)).join('\n\n')}\n\n${texts.details}: ${link}\n\n${texts.unsubscribe}: ${unsubscribeLink}\n`,
  }
}
