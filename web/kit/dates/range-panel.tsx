import { Button, NativeSelect } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useRef, useEffect, useMemo, useReducer } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import type { DateRange } from './date-range.ts'
import styles from './date-range.module.css'
import { presetRange, rangePresets } from './preset-range.ts'
import { RangeCalendar } from './range-calendar.tsx'
import {
  reduceDraft,
  checkDraft,
  type DraftSettings,
  createDraft,
  type DraftAction,
  type RangeDraft,
} from './range-draft.ts'
import { RangeInputs, type InputRefs } from './range-inputs.tsx'
import { hasTwoEnds, calendarMonths, type RangeMode } from './range-mode.ts'

/** Milliseconds between the click on the last day and the calendar's going. */
const hideDelayMs = 100

/** A range while it is chosen. `onHide` is called just before the calendar goes. */
function useRangeDraft(applied: DateRange, mode: RangeMode, settings: DraftSettings, onHide: () => void) {
  const [draft, dispatch] = useReducer(
    (now: RangeDraft, action: DraftAction) => reduceDraft(now, action, settings),
    null,
    () => createDraft(applied, mode, settings),
  )
  const { isComplete } = draft
  useEffect(() => {
    if (!isComplete) return undefined
    const timer = setTimeout(() => {
      onHide()
      dispatch({ type: 'hide' })
    }, hideDelayMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- a new onHide must not start the time anew
  }, [isComplete])
  return useMemo(() => ({ draft, dispatch }), [draft])
}

export interface NamedRange {
  label: string
  range: DateRange
}

interface Props {
  applied: DateRange
  mode: RangeMode
  settings: DraftSettings
  /** No list of modes: the mode stays what it is. */
  disableDropdown: boolean
  morePresets: readonly NamedRange[]
  weekStart: number
  onCancel: () => void
  onDone: (range: DateRange, mode: RangeMode) => void
}

/** A range being chosen; nothing is applied before Done. */
export function RangePanel({
  applied,
  mode,
  settings,
  disableDropdown,
  morePresets,
  weekStart,
  onCancel,
  onDone,
}: Props) {
  const { t } = useTranslation()
  const refs: InputRefs = { from: useRef<HTMLInputElement>(null), to: useRef<HTMLInputElement>(null) }
  const calendar = useRef<HTMLDivElement>(null)
  const doneButton = useRef<HTMLButtonElement>(null)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  // The button that was pressed goes: the focus goes on to the next step.
  const { draft, dispatch } = useRangeDraft(applied, mode, settings, () => {
    if (calendar.current?.contains(document.activeElement)) doneButton.current?.focus()
  })

  const done = (): void => {
    // What was pasted, or typed without leaving the input, counts as well.
    const finalDraft = reduceDraft(
      reduceDraft(draft, { type: 'blur', end: 'from' }, settings),
      { type: 'blur', end: 'to' },
      settings,
    )
    const faults = checkDraft(finalDraft, settings)
    if (!faults.from && !faults.to) return onDone(finalDraft.range, finalDraft.mode)
    dispatch({ type: 'faults', faults })
    refs[faults.from ? 'from' : 'to'].current?.focus()
  }
  const pick = useCallback((day: LocalDay) => dispatch({ type: 'day', day }), [dispatch])
  // Drawn first, if it was hidden. To the day chosen, else today, else the first.
  const goToCalendar = (): void => {
    setTimeout(() => {
      const days = (selector: string) =>
        calendar.current?.querySelector<HTMLElement>(`td button${selector}:not([data-hidden], :disabled)`)
      const day = days('[aria-pressed="true"]') ?? days('[aria-current]') ?? days('')
      day?.focus()
    })
  }
  const presets: NamedRange[] = [
    ...rangePresets.map((preset) => ({
      label: t(`kit:dates.presets.${preset}`),
      range: presetRange(preset, settings.today),
    })),
    ...morePresets,
  ]
  // A mode that was switched to by itself is listed too.
  const modes = settings.offered.includes(draft.mode) ? settings.offered : [...settings.offered, draft.mode]

  return (
    <div className={styles['panel']}>
      {disableDropdown ? null : (
        <NativeSelect
          label={t('kit:dates.mode')}
          data={modes.map((each) => ({ value: each, label: t(`kit:dates.modes.${each}`) }))}
          value={draft.mode}
          data-mantine-stop-propagation
          onChange={(event) =>
            dispatch({
              type: 'mode',
              mode: modes.find((each) => each === event.currentTarget.value) ?? draft.mode,
            })
          }
        />
      )}
      <RangeInputs
        draft={draft}
        dispatch={dispatch}
        settings={settings}
        refs={refs}
        onEnter={done}
        onCalendar={goToCalendar}
      />
      {disableDropdown && !hasTwoEnds(mode) ? null : (
        <div className={styles['presets']} role="group" aria-label={t('kit:dates.presetsLabel')}>
          {presets.map(({ label, range }) => (
            <Button
              key={label}
              size="compact-sm"
              variant="default"
              onClick={() => dispatch({ type: 'range', range })}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      {draft.active === null ? null : (
        <RangeCalendar
          ref={calendar}
          range={draft.range}
          mode={draft.mode}
          active={draft.active}
          settings={settings}
          months={isNarrow ? 1 : calendarMonths(draft.mode)}
          weekStart={weekStart}
          onPick={pick}
        />
      )}
      <div className={styles['foot']}>
        <Button variant="default" onClick={onCancel}>
          {t('kit:cancel')}
        </Button>
        <Button ref={doneButton} onClick={done}>
          {t('kit:done')}
        </Button>
      </div>
    </div>
  )
}
