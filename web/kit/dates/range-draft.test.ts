import { describe, expect, it } from 'vitest'
import {
  checkDraft,
  clearEnd,
  createDraft,
  type DraftAction,
  type DraftSettings,
  pickDay,
  type RangeDraft,
  reduceDraft,
} from './range-draft.ts'
import { type RangeMode, rangeModes } from './range-mode.ts'
import fc from 'fast-check'
import { dayFromNumber } from '#contract/period.ts'

const settings: DraftSettings = { today: '2026-11-21', language: 'en-US', offeredModes: rangeModes }
const empty = { from: null, to: null }
const range = { from: '2026-05-10', to: '2026-05-20' }

const after = (start: RangeDraft, ...actions: DraftAction[]): RangeDraft =>
  actions.reduce((draft, action) => reduceDraft(draft, action, settings), start)
const makeDraft = (applied: typeof range | typeof empty, mode: RangeMode = 'custom'): RangeDraft =>
  createDraft(applied, mode, settings)
const typed = (end: 'from' | 'to', text: string): DraftAction[] => [
  { type: 'focus', end },
  { type: 'text', end, text },
  { type: 'keyUp', end },
]

describe('a new draft', () => {
  it('has the applied range, its texts and its mode', () => {
    expect(makeDraft(range)).toEqual({
      range,
      mode: 'custom',
      activeEnd: 'from',
      isComplete: false,
      texts: { from: '05/10/2026', to: '05/20/2026' },
      faults: {},
    })
    expect(makeDraft({ from: '2026-10-01', to: '2026-10-31' }).mode).toBe('lastMonth')
  })
  it('has the range of the mode if no dates are applied', () => {
    expect(makeDraft(empty, 'thisMonth').range).toEqual({ from: '2026-11-01', to: '2026-11-21' })
    expect(makeDraft(empty, 'noStart')).toMatchObject({ range: empty, mode: 'noStart', activeEnd: 'to' })
  })
})

describe('modes', () => {
  it('change the range and the texts, and leave an input that they disable', () => {
    expect(
      after(makeDraft(range), { type: 'focus', end: 'to' }, { type: 'mode', mode: 'singleDay' }),
    ).toMatchObject({
      mode: 'singleDay',
      range: { from: '2026-05-10', to: '2026-05-10' },
      texts: { to: '05/10/2026' },
      activeEnd: 'from',
    })
    expect(after(makeDraft(range), { type: 'mode', mode: 'noStart' })).toMatchObject({
      range: { from: null, to: '2026-05-20' },
      texts: { from: '' },
      activeEnd: 'to',
    })
    expect(after(makeDraft(range), { type: 'mode', mode: 'lastMonth' })).toMatchObject({
      mode: 'lastMonth',
      range: { from: '2026-10-01', to: '2026-10-31' },
    })
  })
  it('remain as selected even if the range matches another one', () => {
    expect(
      after(makeDraft({ from: '2026-10-01', to: '2026-10-31' }), { type: 'mode', mode: 'custom' }).mode,
    ).toBe('custom')
  })
  it('change with a preset', () => {
    expect(
      after(makeDraft(range, 'noEnd'), { type: 'range', range: { from: '2026-11-01', to: '2026-11-21' } })
        .mode,
    ).toBe('thisMonth')
    expect(
      after(makeDraft(range), { type: 'range', range: { from: '2026-07-01', to: '2026-09-30' } }),
    ).toMatchObject({ mode: 'custom', texts: { from: '07/01/2026', to: '09/30/2026' } })
  })
  it('prevent a disabled input from becoming active', () => {
    expect(after(makeDraft(empty, 'noEnd'), { type: 'focus', end: 'to' }).activeEnd).toBe('from')
  })
})

describe('clicked days', () => {
  it('in custom mode set one end, then the other, then the calendar may close', () => {
    const first = after(makeDraft(empty), { type: 'focus', end: 'from' }, { type: 'day', day: '2026-05-10' })
    expect(first).toMatchObject({
      range: { from: '2026-05-10', to: null },
      activeEnd: 'to',
      isComplete: false,
    })
    const second = after(first, { type: 'day', day: '2026-05-12' })
    expect(second).toMatchObject({ range: { from: '2026-05-10', to: '2026-05-12' }, isComplete: true })
    expect(after(second, { type: 'hide' })).toMatchObject({ activeEnd: null, isComplete: false })
  })
  it('for the end first leave the start open', () => {
    expect(
      after(makeDraft(empty), { type: 'focus', end: 'to' }, { type: 'day', day: '2026-05-10' }),
    ).toMatchObject({ range: { from: null, to: '2026-05-10' }, activeEnd: 'from', isComplete: false })
  })
  it('in reverse order leave the end open', () => {
    expect(
      after(makeDraft(range), { type: 'focus', end: 'to' }, { type: 'day', day: '2026-05-01' }),
    ).toMatchObject({
      range: { from: '2026-05-01', to: null },
      activeEnd: 'to',
      texts: { from: '05/01/2026', to: '' },
    })
    expect(after(makeDraft(range), { type: 'day', day: '2026-06-01' })).toMatchObject({
      range: { from: '2026-06-01', to: null },
      activeEnd: 'to',
      isComplete: false,
    })
  })
  it.each(['singleDay', 'noStart', 'noEnd'] as const)('in %s complete it at once', (mode) => {
    expect(after(makeDraft(empty, mode), { type: 'day', day: '2026-05-01' })).toMatchObject({
      mode,
      isComplete: true,
    })
  })
  it('that form a month select its mode', () => {
    expect(
      after(
        makeDraft({ from: '2026-10-01', to: '2026-10-30' }),
        { type: 'focus', end: 'to' },
        { type: 'day', day: '2026-10-31' },
      ).mode,
    ).toBe('lastMonth')
  })
})

describe('typed dates', () => {
  it('apply on key-up once valid, and the other input becomes active', () => {
    const half = after(makeDraft(empty), ...typed('from', '5/10/20'))
    expect(half).toMatchObject({ range: empty, activeEnd: 'from' })
    expect(after(makeDraft(empty), { type: 'text', end: 'from', text: '5/10/2026' }).range).toEqual(empty)
    expect(after(half, ...typed('from', '5/10/2026'))).toMatchObject({
      range: { from: '2026-05-10', to: null },
      activeEnd: 'to',
      texts: { from: '5/10/2026' },
    })
  })
  it('are limited to valid characters', () =>
    expect(after(makeDraft(empty), ...typed('from', 'x5-1/2026 and so on')).texts.from).toBe('51/2026'))
  it('in reverse order become the start, and clear the end', () => {
    expect(after(makeDraft(range), ...typed('to', '5/1/2026'))).toMatchObject({
      range: { from: '2026-05-01', to: null },
      texts: { from: '05/01/2026', to: '' },
    })
  })
  it('in single-day mode set both ends', () => {
    expect(after(makeDraft(empty, 'singleDay'), ...typed('from', '5/1/2026'))).toMatchObject({
      range: { from: '2026-05-01', to: '2026-05-01' },
      texts: { from: '5/1/2026', to: '05/01/2026' },
      activeEnd: 'from',
    })
  })
  it('leave the invalid text and error of the other input', () => {
    const invalidDraft = after(makeDraft(empty), ...typed('to', '99'), { type: 'blur', end: 'to' })
    expect(after(invalidDraft, ...typed('from', '5/1/2026'))).toMatchObject({
      texts: { to: '99' },
      faults: { to: 'format' },
    })
  })
  it('clear their error once valid', () => {
    const invalidDraft = after(makeDraft(range), ...typed('from', '5/10/20'), { type: 'blur', end: 'from' })
    expect(invalidDraft.faults.from).toBe('format')
    expect(after(invalidDraft, ...typed('from', '5/10/2026')).faults.from).toBeUndefined()
  })
})

describe('leaving an input', () => {
  it('with an invalid text shows an error and retains the date', () => {
    expect(after(makeDraft(range), ...typed('to', '13/13/2026'), { type: 'blur', end: 'to' })).toMatchObject({
      faults: { to: 'format' },
      range,
      texts: { to: '13/13/2026' },
    })
  })
  it('with an empty text clears the date and its error', () => {
    const invalidDraft = after(makeDraft(range), ...typed('to', '13'), { type: 'blur', end: 'to' })
    const cleared = after(invalidDraft, ...typed('to', ''), { type: 'blur', end: 'to' })
    expect(cleared.range).toEqual({ from: '2026-05-10', to: null })
    expect(cleared.faults.to).toBeUndefined()
  })
  it('formats a date, and applies a pasted one', () => {
    expect(
      after(makeDraft(empty), ...typed('from', '5/1/2026'), { type: 'blur', end: 'from' }).texts.from,
    ).toBe('05/01/2026')
    expect(
      after(makeDraft(empty), { type: 'text', end: 'from', text: '5/1/2026' }, { type: 'blur', end: 'from' })
        .range.from,
    ).toBe('2026-05-01')
  })
})

describe('validation by Done', () => {
  const strict: DraftSettings = { ...settings, requireDates: true, rangeLimit: 10 }
  it('reports failures of the range', () => {
    expect(checkDraft(makeDraft(empty), strict)).toEqual({ from: 'required', to: 'required' })
    expect(checkDraft(makeDraft(range), strict)).toEqual({ to: 'limit' })
    expect(checkDraft(makeDraft(range), settings)).toEqual({})
  })
  it('reports an invalid text together with a missing date', () => {
    const invalidDraft = after(makeDraft(empty), ...typed('from', '13'), { type: 'blur', end: 'from' })
    expect(checkDraft(invalidDraft, strict)).toEqual({ from: 'format', to: 'required' })
    expect(checkDraft(invalidDraft, settings)).toEqual({ from: 'format' })
  })
})

describe('a picked day', () => {
  it('sets the end that it is picked for', () => {
    expect(pickDay(range, 'custom', 'from', '2026-05-12')).toEqual({
      range: { from: '2026-05-12', to: '2026-05-20' },
      changedEnd: 'from',
    })
    expect(pickDay(range, 'custom', 'to', '2026-05-12')).toEqual({
      range: { from: '2026-05-10', to: '2026-05-12' },
      changedEnd: 'to',
    })
    expect(pickDay(range, 'custom', 'to', '2026-05-10')).toEqual({
      range: { from: '2026-05-10', to: '2026-05-10' },
      changedEnd: 'to',
    })
  })

  it('as a start after the end clears the end', () =>
    expect(pickDay(range, 'custom', 'from', '2026-05-21')).toEqual({
      range: { from: '2026-05-21', to: null },
      changedEnd: 'from',
    }))
  it('as an end before the start clears the end and becomes the start', () =>
    expect(pickDay(range, 'custom', 'to', '2026-05-09')).toEqual({
      range: { from: '2026-05-09', to: null },
      changedEnd: 'from',
    }))

  it('sets both ends in single-day mode, and the only end in open modes', () => {
    expect(pickDay(range, 'singleDay', 'from', '2026-05-21').range).toEqual({
      from: '2026-05-21',
      to: '2026-05-21',
    })
    expect(pickDay({ from: null, to: null }, 'noStart', 'to', '2026-05-21').range).toEqual({
      from: null,
      to: '2026-05-21',
    })
    expect(pickDay({ from: '2026-05-10', to: null }, 'noEnd', 'from', '2026-05-21').range).toEqual({
      from: '2026-05-21',
      to: null,
    })
  })

  it('is in the range, and the start is never after the end, for any range', () => {
    const maybeDay = fc.option(fc.integer({ min: 20_000, max: 20_100 }).map(dayFromNumber))
    const end = fc.constantFrom('from' as const, 'to' as const)
    fc.assert(
      fc.property(
        maybeDay,
        maybeDay,
        end,
        fc.integer({ min: 20_000, max: 20_100 }).map(dayFromNumber),
        fc.constantFrom('custom' as const, 'thisMonth' as const, 'singleDay' as const),
        (from, to, which, day, mode) => {
          fc.pre(from === null || to === null || from <= to)
          const { range: next, changedEnd } = pickDay({ from, to }, mode, which, day)
          expect(next[changedEnd]).toBe(day)
          expect(next.from === null || next.to === null || next.from <= next.to).toBe(true)
        },
      ),
    )
  })
})

it('clearing an end clears both in single-day mode', () => {
  expect(clearEnd(range, 'custom', 'from')).toEqual({ from: null, to: '2026-05-20' })
  expect(clearEnd(range, 'lastMonth', 'to')).toEqual({ from: '2026-05-10', to: null })
  expect(clearEnd({ from: '2026-05-10', to: '2026-05-10' }, 'singleDay', 'from')).toEqual({
    from: null,
    to: null,
  })
})
