import type { CdsRule, CdsTimeSpan, CurbActivity } from '#contract/cds.ts'
import type { StagedPolicy } from '../../store/staged.ts'
import { priorityOf } from '../texts/derived-priority.ts'
import { readHours } from '../texts/read-hours.ts'

/** Rules without times: who may do what. Several rules are several policies, because CDS rules of a policy are disjoint by user. */
type Meaning = Pick<CdsRule, 'activity'> &
  Partial<Pick<CdsRule, 'max_stay' | 'max_stay_unit' | 'user_classes' | 'user_classes_except' | 'purposes'>>

const only = (classes: string[], activity: 'parking' | 'stopping'): Meaning[] => [
  { activity, user_classes: classes },
  { activity: `no ${activity}`, user_classes_except: classes },
]
const onlyPurpose = (
  purpose: string,
  activity: 'loading' | 'stopping',
  forbidden: CurbActivity,
): Meaning[] => [{ activity, purposes: [purpose] }, { activity: forbidden }]

/** Phrases with their meaning. A phrase is followed by its hours. */
const phrases: [RegExp, (match: RegExpExecArray) => Meaning[]][] = [
  [
    /^(\d{1,2}) ?(?:HOUR|HR) PARKING(?: LIMIT)? EXCEPT RESIDENT PERMIT\b/,
    ([, hours]) => [
      {
        activity: 'parking',
        max_stay: Number(hours) * 60,
        max_stay_unit: 'minute',
        user_classes_except: ['resident_permit'],
      },
      { activity: 'parking', user_classes: ['resident_permit'] },
    ],
  ],
  [
    /^(\d{1,2}) ?(?:HOUR|HR) PARKING(?: LIMIT)?\b/,
    ([, hours]) => [{ activity: 'parking', max_stay: Number(hours) * 60, max_stay_unit: 'minute' }],
  ],
  [
    /^(\d{1,3}) ?MIN(?:UTE)?S? PARKING(?: LIMIT)?\b/,
    ([, minutes]) => [{ activity: 'parking', max_stay: Number(minutes), max_stay_unit: 'minute' }],
  ],
  [/^NO (?:STOPPING|STANDING)\b/, () => [{ activity: 'no stopping' }]],
  [/^NO PARKING\b/, () => [{ activity: 'no parking' }]],
  [/^NO LOADING\b/, () => [{ activity: 'no loading' }]],
  [/^STREET CLEANING\b/, () => [{ activity: 'no parking' }]],
  [/^LOADING ZONE\b/, () => onlyPurpose('freight', 'loading', 'no parking')],
  [/^(?:CAB|TAXI) STAND\b/, () => onlyPurpose('taxi', 'stopping', 'no stopping')],
  [/^(?:RESIDENT )?PERMIT PARKING(?: ONLY)?\b/, () => only(['resident_permit'], 'parking')],
  [/^RESIDENT PARKING(?: ONLY)?\b/, () => only(['resident_permit'], 'parking')],
  [
    /^(?:HP-DV PLATE\/PLACARD|HP ?\/ ?DV|HANDICAP(?:PED)? PARKING|ACCESSIBLE PARKING)(?: ONLY)?\b/,
    () => only(['accessible'], 'parking'),
  ],
]

/** Words that change nothing of the rule: towing, and names of neighborhoods before permits. */
const fillers = /^(?:TOW(?:-| )?(?:AWAY )?ZONE|TOW AWAY|CHINATOWN|BAY VILLAGE|SOUTH END)\b[\s,:-]*/

export type Arrow = 'left' | 'right' | 'both' | 'none'

/** The arrow of a sign in the words of an inventory. */
export function readArrow(text: string): Arrow {
  const isLeft = /<-|\bLEFT\b/i.test(text)
  const isRight = /->|\bRIGHT\b/i.test(text)
  if (/\b(DUAL|DOUBLE|BOTH)\b/i.test(text) || (isLeft && isRight)) return 'both'
  return isLeft ? 'left' : isRight ? 'right' : 'none'
}

/** The policies that a sign's text states, or null if any part of the text is not certain. */
export function readSign(text: string, regulationType = ''): StagedPolicy[] | null {
  let rest = text
    .toUpperCase()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\((?:LEFT|RIGHT|DUAL|DOUBLE) ARROW\)/g, '')
    .trim()
  if (rest === '' || rest === 'NONE') return null
  // Signs of street cleaning have only the times.
  if (/street cleaning/i.test(regulationType) && readHours(rest)) rest = `STREET CLEANING ${rest}`
  const policies: StagedPolicy[] = []
  while (rest !== '') {
    const filler = fillers.exec(rest)
    if (filler) {
      rest = rest.slice(filler[0].length)
      continue
    }
    const found = firstPhrase(rest)
    if (!found) return null
    const after = rest.slice(found.length)
    const next = nextPhraseAt(after)
    const spans = hoursOf(after.slice(0, next))
    if (!spans) return null
    policies.push(...found.meanings.map((rule) => policyOf(rule, spans)))
    rest = after.slice(next).trim()
  }
  return policies.length ? policies : null
}

function firstPhrase(rest: string): { meanings: Meaning[]; length: number } | null {
  for (const [pattern, meaning] of phrases) {
    const match = pattern.exec(rest)
    if (match) return { meanings: meaning(match), length: match[0].length }
  }
  return null
}

/** Where the next phrase starts, at the beginning of a word; the length of the text if there is none. */
function nextPhraseAt(text: string): number {
  for (let index = 0; index < text.length; index++) {
    const isWordStart = text[index] !== ' ' && (index === 0 || text[index - 1] === ' ')
    if (isWordStart && (firstPhrase(text.slice(index)) || fillers.test(text.slice(index)))) return index
  }
  return text.length
}

function hoursOf(text: string): CdsTimeSpan[] | null {
  const hours = text.replace(/^[\s,:-]+|[\s,:-]+$/g, '')
  return hours === '' ? [] : readHours(hours)
}

function policyOf(rule: Meaning, spans: CdsTimeSpan[]): StagedPolicy {
  const hasUsers = Boolean(
    rule.user_classes?.length ?? rule.purposes?.length ?? rule.user_classes_except?.length,
  )
  return {
    priority: priorityOf(rule.activity, {
      hasUsers,
      hasTimes: spans.length > 0,
      period: spans[0]?.designated_period,
    }),
    rules: [rule],
    ...(spans.length ? { time_spans: spans } : {}),
  }
}
