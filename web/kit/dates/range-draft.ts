import type { LocalDay } from '#contract/period.ts'
import { checkRange, type RangeFaults, type RangeRules } from './check-range.ts'
import { getOtherEnd, rangeEnds, isSameRange, type DateRange, type RangeEnd } from './date-range.ts'
import { cleanDayText, parseDay, formatDay } from './day-text.ts'
import { isEndDisabled, hasTwoEnds, getModeForRange, getRangeForMode, type RangeMode } from './range-mode.ts'

/**
 * Sets a day for an end, and returns the range and the end that was set. A day on the wrong side of the other end
 * becomes the start and clears the end.
 */
export function pickDay(
  range: DateRange,
  mode: RangeMode,
  end: RangeEnd,
  day: LocalDay,
): { range: DateRange; changedEnd: RangeEnd } {
  if (mode === 'singleDay') return { range: { from: day, to: day }, changedEnd: 'from' }
  if (mode === 'noStart') return { range: { from: null, to: day }, changedEnd: 'to' }
  if (mode === 'noEnd') return { range: { from: day, to: null }, changedEnd: 'from' }
  const isReversed =
    end === 'from' ? range.to !== null && day > range.to : range.from !== null && day < range.from
  if (isReversed) return { range: { from: day, to: null }, changedEnd: 'from' }
  return { range: { ...range, [end]: day }, changedEnd: end }
}

/** Clears an end; in single-day mode, both. */
export const clearEnd = (range: DateRange, mode: RangeMode, end: RangeEnd): DateRange =>
  mode === 'singleDay' ? { from: null, to: null } : { ...range, [end]: null }

/** Settings that are constant while the user chooses a range. */
export interface DraftSettings extends RangeRules {
  today: LocalDay
  /** BCP 47 language tag for typed dates. */
  language: string
  offeredModes: readonly RangeMode[]
}

/** State of the picker while the user chooses a range. */
export interface RangeDraft {
  range: DateRange
  mode: RangeMode
  /** The input that receives a clicked day. The calendar is open unless this is null. */
  activeEnd: RangeEnd | null
  /** Whether a clicked day has completed the range, so that the calendar may close. */
  isComplete: boolean
  texts: Record<RangeEnd, string>
  faults: RangeFaults
}

/** What the user does in the panel of a range. */
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

/** Creates a draft of the applied range; without dates, of the range of the mode. */
export function createDraft(applied: DateRange, mode: RangeMode, settings: DraftSettings): RangeDraft {
  const isEmpty = applied.from === null && applied.to === null
  const range = isEmpty ? getRangeForMode(mode, applied, settings.today) : applied
  const shownMode = isEmpty ? mode : getModeForRange(mode, applied, settings.today, settings.offeredModes)
  return {
    range,
    mode: shownMode,
    activeEnd: getFirstEnd(shownMode),
    isComplete: false,
    texts: formatEnds(range, settings.language),
    faults: {},
  }
}

/** Returns the draft after an action of the user. */
export function reduceDraft(draft: RangeDraft, action: DraftAction, settings: DraftSettings): RangeDraft {
  switch (action.type) {
    case 'mode': {
      const activeEnd =
        draft.activeEnd !== null && isEndDisabled(action.mode, draft.activeEnd)
          ? getOtherEnd(draft.activeEnd)
          : draft.activeEnd
      return {
        ...withRange(draft, getRangeForMode(action.mode, draft.range, settings.today), rangeEnds, settings),
        mode: action.mode,
        activeEnd,
      }
    }
    case 'range': {
      const next = withRange(draft, action.range, rangeEnds, settings)
      return next.activeEnd !== null && isEndDisabled(next.mode, next.activeEnd)
        ? { ...next, activeEnd: getOtherEnd(next.activeEnd) }
        : next
    }
    case 'focus':
      return isEndDisabled(draft.mode, action.end)
        ? draft
        : { ...draft, activeEnd: action.end, isComplete: false }
    case 'day': {
      const end = draft.activeEnd ?? getFirstEnd(draft.mode)
      const { next, changedEnd } = applyDay(draft, end, action.day, settings)
      const isComplete = !hasTwoEnds(draft.mode) || (changedEnd === 'to' && next.range.from !== null)
      return { ...next, isComplete, activeEnd: isComplete ? changedEnd : getOtherEnd(changedEnd) }
    }
    case 'text':
      return {
        ...draft,
        activeEnd: action.end,
        isComplete: false,
        texts: { ...draft.texts, [action.end]: cleanDayText(action.text) },
      }
    case 'keyUp':
      return applyTypedText(draft, action.end, settings)
    case 'blur':
      return leaveInput(draft, action.end, settings)
    case 'hide':
      return { ...draft, activeEnd: null, isComplete: false }
    case 'faults':
      return { ...draft, faults: action.faults }
  }
}

/** Validates a draft. The range is checked only if all texts can be parsed. */
export function checkDraft(draft: RangeDraft, settings: DraftSettings): RangeFaults {
  const unparseableEnds = rangeEnds.filter((end) => isUnparseable(draft, end, settings.language))
  if (unparseableEnds.length === 0) return checkRange(draft.range, settings)
  const missingEnds = settings.requireDates ? rangeEnds.filter((end) => draft.range[end] === null) : []
  return Object.fromEntries([
    ...missingEnds.map((end) => [end, 'required']),
    ...unparseableEnds.map((end) => [end, 'format']),
  ]) as RangeFaults
}

const getFirstEnd = (mode: RangeMode): RangeEnd => (isEndDisabled(mode, 'from') ? 'to' : 'from')
const isUnparseable = ({ texts }: RangeDraft, end: RangeEnd, language: string): boolean =>
  texts[end].trim() !== '' && parseDay(texts[end], language) === null

/** Changes the range of a draft. `ends` and all ends that change get a new text and no error. */
function withRange(
  draft: RangeDraft,
  range: DateRange,
  ends: readonly RangeEnd[],
  { today, language, offeredModes }: DraftSettings,
): RangeDraft {
  const rewrittenEnds = rangeEnds.filter((end) => ends.includes(end) || range[end] !== draft.range[end])
  const formattedTexts = formatEnds(range, language)
  const texts = {
    ...draft.texts,
    ...Object.fromEntries(rewrittenEnds.map((end) => [end, formattedTexts[end]])),
  }
  const faults = { ...draft.faults, ...Object.fromEntries(rewrittenEnds.map((end) => [end, undefined])) }
  return {
    ...draft,
    range,
    mode: getModeForRange(draft.mode, range, today, offeredModes),
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
): { next: RangeDraft; changedEnd: RangeEnd } {
  const { range, changedEnd } = pickDay(draft.range, draft.mode, end, day)
  return { next: withRange(draft, range, [end, changedEnd], settings), changedEnd }
}

/** Applies a typed date as soon as it is valid; in custom mode the other input becomes active. */
function applyTypedText(draft: RangeDraft, end: RangeEnd, settings: DraftSettings): RangeDraft {
  const day = parseDay(draft.texts[end], settings.language)
  if (day === null) return draft
  if (day === draft.range[end]) return { ...draft, faults: { ...draft.faults, [end]: undefined } }
  const { next, changedEnd } = applyDay(draft, end, day, settings)
  // Do not rewrite the text while the user is typing.
  const texts = next.range[end] === day ? { ...next.texts, [end]: draft.texts[end] } : next.texts
  return { ...next, texts, activeEnd: hasTwoEnds(draft.mode) ? getOtherEnd(changedEnd) : changedEnd }
}

/** Handles blur: a valid date is applied and formatted, empty text clears the date, other text is an error. */
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
