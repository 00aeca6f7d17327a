import type { CdsRule, CdsTimeSpan, CurbActivity } from '#contract/cds.ts'
import type { StagedPolicy } from '../../store/staged.ts'
import { derivePriority } from '../texts/derived-priority.ts'
import { readHours } from '../texts/read-hours.ts'

/** A rule without its times. A policy per rule, because rules of a policy must be for disjoint users. */
type Meaning = Pick<CdsRule, 'activity'> &
  Partial<Pick<CdsRule, 'max_stay' | 'max_stay_unit' | 'user_classes' | 'user_classes_except' | 'purposes'>>

/** Permits an activity for some user classes and prohibits it for all others. */
const permitOnlyFor = (classes: string[], activity: 'parking' | 'stopping'): Meaning[] => [
  { activity, user_classes: classes },
  { activity: `no ${activity}`, user_classes_except: classes },
]
/** Permits an activity for one purpose and prohibits another activity for all others. */
const permitOnlyPurpose = (
  purpose: string,
  activity: 'loading' | 'stopping',
  forbidden: CurbActivity,
): Meaning[] => [{ activity, purposes: [purpose] }, { activity: forbidden }]

/** Phrases on signs and the rules that they state. A phrase is followed by its hours. */
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
  [/^LOADING ZONE\b/, () => permitOnlyPurpose('freight', 'loading', 'no parking')],
  [/^(?:CAB|TAXI) STAND\b/, () => permitOnlyPurpose('taxi', 'stopping', 'no stopping')],
  [/^(?:RESIDENT )?PERMIT PARKING(?: ONLY)?\b/, () => permitOnlyFor(['resident_permit'], 'parking')],
  [/^RESIDENT PARKING(?: ONLY)?\b/, () => permitOnlyFor(['resident_permit'], 'parking')],
  [
    /^(?:HP-DV PLATE\/PLACARD|HP ?\/ ?DV|HANDICAP(?:PED)? PARKING|ACCESSIBLE PARKING)(?: ONLY)?\b/,
    () => permitOnlyFor(['accessible'], 'parking'),
  ],
]

/** Words that do not change the rule: towing, and names of neighborhoods before permits. */
const fillers = /^(?:TOW(?:-| )?(?:AWAY )?ZONE|TOW AWAY|CHINATOWN|BAY VILLAGE|SOUTH END)\b[\s,:-]*/

export type Arrow = 'left' | 'right' | 'both' | 'none'

/** Reads the arrow of a sign as an inventory describes it. */
export function readArrow(text: string): Arrow {
  const isLeft = /<-|\bLEFT\b/i.test(text)
  const isRight = /->|\bRIGHT\b/i.test(text)
  if (/\b(DUAL|DOUBLE|BOTH)\b/i.test(text) || (isLeft && isRight)) return 'both'
  if (isLeft) return 'left'
  return isRight ? 'right' : 'none'
}

/** Reads the policies that the text of a sign states. Null if any part of the text is not certain. */
export function readSign(text: string, regulationType = ''): StagedPolicy[] | null {
  let remaining = text
    .toUpperCase()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\((?:LEFT|RIGHT|DUAL|DOUBLE) ARROW\)/g, '')
    .trim()
  if (remaining === '' || remaining === 'NONE') return null
  // Street cleaning signs only contain times.
  if (/street cleaning/i.test(regulationType) && readHours(remaining))
    remaining = `STREET CLEANING ${remaining}`
  const policies: StagedPolicy[] = []
  while (remaining !== '') {
    const filler = fillers.exec(remaining)
    if (filler) {
      remaining = remaining.slice(filler[0].length)
      continue
    }
    const phrase = findFirstPhrase(remaining)
    if (!phrase) return null
    const textAfter = remaining.slice(phrase.length)
    const nextIndex = findNextPhrase(textAfter)
    const spans = readSignHours(textAfter.slice(0, nextIndex))
    if (!spans) return null
    policies.push(...phrase.meanings.map((rule) => toPolicy(rule, spans)))
    remaining = textAfter.slice(nextIndex).trim()
  }
  return policies.length ? policies : null
}

/** Finds the phrase with which a text begins. */
function findFirstPhrase(remaining: string): { meanings: Meaning[]; length: number } | null {
  for (const [pattern, toMeanings] of phrases) {
    const match = pattern.exec(remaining)
    if (match) return { meanings: toMeanings(match), length: match[0].length }
  }
  return null
}

/** Returns where the next phrase starts, always at the start of a word; the text's length if there is none. */
function findNextPhrase(text: string): number {
  for (let index = 0; index < text.length; index++) {
    const isWordStart = text[index] !== ' ' && (index === 0 || text[index - 1] === ' ')
    if (isWordStart && (findFirstPhrase(text.slice(index)) || fillers.test(text.slice(index)))) return index
  }
  return text.length
}

/** Reads the hours after a phrase; empty for all times, null if they are not certain. */
function readSignHours(text: string): CdsTimeSpan[] | null {
  const hours = text.replace(/^[\s,:-]+|[\s,:-]+$/g, '')
  return hours === '' ? [] : readHours(hours)
}

function toPolicy(rule: Meaning, spans: CdsTimeSpan[]): StagedPolicy {
  const hasUsers = Boolean(
    rule.user_classes?.length ?? rule.purposes?.length ?? rule.user_classes_except?.length,
  )
  return {
    priority: derivePriority(rule.activity, {
      hasUsers,
      hasTimes: spans.length > 0,
      period: spans[0]?.designated_period,
    }),
    rules: [rule],
    ...(spans.length ? { time_spans: spans } : {}),
  }
}
