import type { LocalDay } from '#contract/period.ts'
import { checkRange, type RangeFaults, type RangeRules } from './check-range.ts'
import { otherEnd, rangeEnds, isSameRange, type DateRange, type RangeEnd } from './date-range.ts'
import { cleanDayText, parseDay, formatDay } from './day-text.ts'
import { isEndDisabled, hasTwoEnds, modeOfRange, rangeOfMode, type RangeMode } from './range-mode.ts'

/** A day chosen for an end. One on the wrong side of the other end becomes the start, and the end is open again. */
export function pickDay(
  range: DateRange,
  mode: RangeMode,
  end: RangeEnd,
  day: LocalDay,
): { range: DateRange; set: RangeEnd } {
  if (mode === 'singleDay') return { range: { from: day, to: day }, set: 'from' }
  if (mode === 'noStart') return { range: { from: null, to: day }, set: 'to' }
  if (mode === 'noEnd') return { range: { from: day, to: null }, set: 'from' }
  const isReversed =
    end === 'from' ? range.to !== null && day > range.to : range.from !== null && day < range.from
  if (isReversed) return { range: { from: day, to: null }, set: 'from' }
  return { range: { ...range, [end]: day }, set: end }
}

/** An end without a day; a single day has only one to lose. */
export const clearEnd = (range: DateRange, mode: RangeMode, end: RangeEnd): DateRange =>
  mode === 'singleDay' ? { from: null, to: null } : { ...range, [end]: null }

/** What does not change while a range is chosen. */
export interface DraftSettings extends RangeRules {
  today: LocalDay
  /** BCP 47: how dates are typed. */
  language: string
  offered: readonly RangeMode[]
}

/** A range while it is chosen. */
export interface RangeDraft {
  range: DateRange
  mode: RangeMode
  /** The input that a clicked day goes to. The calendar is open while there is one. */
  active: RangeEnd | null
  /** A clicked day has completed the range: the calendar may go. */
  isComplete: boolean
  texts: Record<RangeEnd, string>
  faults: RangeFaults
}

export type DraftAction =
  | { type: 'mode'; mode: RangeMode }
  | { type: 'range'; range: DateRange }
  | { type: 'focus'; end: RangeEnd }
  | { type: 'day'; day: LocalDay }
  | { type: 'text'; end: RangeEnd; text: string }
  | { type: 'keyUp'; end: RangeEnd }
  | { type: 'blur'; end: RangeEnd }
  | { type: 'hide' }
  | { type: 'faults'; faults: RangeFaults }

const formatEnds = ({ from, to }: DateRange, language: string): RangeDraft['texts'] => ({
  from: from === null ? '' : formatDay(from, language),
  to: to === null ? '' : formatDay(to, language),
})

/** The draft of the applied range. Without any date it starts with what the mode means. */
export function createDraft(applied: DateRange, mode: RangeMode, settings: DraftSettings): RangeDraft {
  const isEmpty = applied.from === null && applied.to === null
  const range = isEmpty ? rangeOfMode(mode, applied, settings.today) : applied
  const shownMode = isEmpty ? mode : modeOfRange(mode, applied, settings.today, settings.offered)
  return {
    range,
    mode: shownMode,
    active: firstEnd(shownMode),
    isComplete: false,
    texts: formatEnds(range, settings.language),
    faults: {},
  }
}

export function reduceDraft(draft: RangeDraft, action: DraftAction, settings: DraftSettings): RangeDraft {
  switch (action.type) {
    case 'mode': {
      const active =
        draft.active !== null && isEndDisabled(action.mode, draft.active)
          ? otherEnd(draft.active)
          : draft.active
      return {
        ...withRange(draft, rangeOfMode(action.mode, draft.range, settings.today), rangeEnds, settings),
        mode: action.mode,
        active,
      }
    }
    case 'range': {
      const next = withRange(draft, action.range, rangeEnds, settings)
      return next.active !== null && isEndDisabled(next.mode, next.active)
        ? { ...next, active: otherEnd(next.active) }
        : next
    }
    case 'focus':
      return isEndDisabled(draft.mode, action.end)
        ? draft
        : { ...draft, active: action.end, isComplete: false }
    case 'day': {
      const { next, set } = applyDay(draft, draft.active ?? firstEnd(draft.mode), action.day, settings)
      const isComplete = !hasTwoEnds(draft.mode) || (set === 'to' && next.range.from !== null)
      return { ...next, isComplete, active: isComplete ? set : otherEnd(set) }
    }
    case 'text':
      return {
        ...draft,
        active: action.end,
        isComplete: false,
        texts: { ...draft.texts, [action.end]: cleanDayText(action.text) },
      }
    case 'keyUp':
      return applyTypedText(draft, action.end, settings)
    case 'blur':
      return leaveInput(draft, action.end, settings)
    case 'hide':
      return { ...draft, active: null, isComplete: false }
    case 'faults':
      return { ...draft, faults: action.faults }
  }
}

/** What Done finds wrong: a text that is no date at its field, then the checks of the range in their order. */
export function checkDraft(draft: RangeDraft, settings: DraftSettings): RangeFaults {
  const unreadableEnds = rangeEnds.filter((end) => isUnreadable(draft, end, settings.language))
  if (unreadableEnds.length === 0) return checkRange(draft.range, settings)
  const missing = settings.requireDates ? rangeEnds.filter((end) => draft.range[end] === null) : []
  return Object.fromEntries([
    ...missing.map((end) => [end, 'required']),
    ...unreadableEnds.map((end) => [end, 'format']),
  ]) as RangeFaults
}

const firstEnd = (mode: RangeMode): RangeEnd => (isEndDisabled(mode, 'from') ? 'to' : 'from')
const isUnreadable = ({ texts }: RangeDraft, end: RangeEnd, language: string): boolean =>
  texts[end].trim() !== '' && parseDay(texts[end], language) === null

/** The draft of another range. The ends named and those that change are written anew; what stands at the others stays, errors too. */
function withRange(
  draft: RangeDraft,
  range: DateRange,
  ends: readonly RangeEnd[],
  { today, language, offered }: DraftSettings,
): RangeDraft {
  const rewrittenEnds = rangeEnds.filter((end) => ends.includes(end) || range[end] !== draft.range[end])
  const written = formatEnds(range, language)
  const texts = { ...draft.texts, ...Object.fromEntries(rewrittenEnds.map((end) => [end, written[end]])) }
  const faults = { ...draft.faults, ...Object.fromEntries(rewrittenEnds.map((end) => [end, undefined])) }
  return {
    ...draft,
    range,
    mode: modeOfRange(draft.mode, range, today, offered),
    isComplete: false,
    texts,
    faults,
  }
}

function applyDay(
  draft: RangeDraft,
  end: RangeEnd,
  day: LocalDay,
  settings: DraftSettings,
): { next: RangeDraft; set: RangeEnd } {
  const { range, set } = pickDay(draft.range, draft.mode, end, day)
  return { next: withRange(draft, range, [end, set], settings), set }
}

/** A typed date counts as soon as it is one; in custom it is then the other input's turn (1-product, section 4). */
function applyTypedText(draft: RangeDraft, end: RangeEnd, settings: DraftSettings): RangeDraft {
  const day = parseDay(draft.texts[end], settings.language)
  if (day === null) return draft
  if (day === draft.range[end]) return { ...draft, faults: { ...draft.faults, [end]: undefined } }
  const { next, set } = applyDay(draft, end, day, settings)
  // What is being typed is not rewritten under the hands.
  const texts = next.range[end] === day ? { ...next.texts, [end]: draft.texts[end] } : next.texts
  return { ...next, texts, active: hasTwoEnds(draft.mode) ? otherEnd(set) : set }
}

/** Leaving an input: a date counts and is written out, nothing clears the date, anything else is no date. */
function leaveInput(draft: RangeDraft, end: RangeEnd, settings: DraftSettings): RangeDraft {
  const text = draft.texts[end].trim()
  const day = parseDay(text, settings.language)
  const faults = { ...draft.faults, [end]: undefined }
  if (text === '') {
    const range = clearEnd(draft.range, draft.mode, end)
    return isSameRange(range, draft.range) ? { ...draft, faults } : withRange(draft, range, [end], settings)
  }
  if (day === null) return { ...draft, faults: { ...faults, [end]: 'format' } }
  if (day === draft.range[end])
    return { ...draft, faults, texts: { ...draft.texts, [end]: formatDay(day, settings.language) } }
  return applyDay(draft, end, day, settings).next
}
