import { Button, NativeSelect } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useRef, useEffect, useMemo, useReducer } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { phoneQuery } from '../breakpoints.ts'
import type { DateRange } from './date-range.ts'
import styles from './date-range.module.css'
import { getPresetRange, rangePresets } from './preset-range.ts'
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
import { hasTwoEnds, countCalendarMonths, type RangeMode } from './range-mode.ts'

/** Delay between the click on the last day and hiding the calendar. */
const hideDelayMs = 100

/** Returns the draft and its dispatch function. `onHide` is called before the calendar is hidden. */
function useRangeDraft(applied: DateRange, mode: RangeMode, settings: DraftSettings, onHide: () => void) {
  const [draft, dispatch] = useReducer(
    (state: RangeDraft, action: DraftAction) => reduceDraft(state, action, settings),
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
    // oxlint-disable-next-line react/exhaustive-deps -- a new onHide must not restart the timer
  }, [isComplete])
  return useMemo(() => ({ draft, dispatch }), [draft])
}

/** A preset range with its label. */
export interface NamedRange {
  label: string
  range: DateRange
}

interface Props {
  applied: DateRange
  mode: RangeMode
  settings: DraftSettings
  /** Hides the list of modes, so that the user cannot change the mode. */
  disableDropdown: boolean
  morePresets: readonly NamedRange[]
  weekStart: number
  onCancel: () => void
  onDone: (range: DateRange, mode: RangeMode) => void
}

/** Focuses the selected day of a calendar, else today, else the first day. */
function focusDay(calendar: HTMLElement | null): void {
  const findDay = (selector: string) =>
    calendar?.querySelector<HTMLElement>(`td button${selector}:not([data-hidden], :disabled)`)
  const day = findDay('[aria-pressed="true"]') ?? findDay('[aria-current]') ?? findDay('')
  day?.focus()
}

interface PresetButtonsProps {
  today: LocalDay
  morePresets: readonly NamedRange[]
  onChoose: (range: DateRange) => void
}

/** Buttons for ranges with a name, such as this month. */
function PresetButtons({ today, morePresets, onChoose }: PresetButtonsProps) {
  const { t } = useTranslation()
  const presets: NamedRange[] = [
    ...rangePresets.map((preset) => ({
      label: t(`kit:dates.presets.${preset}`),
      range: getPresetRange(preset, today),
    })),
    ...morePresets,
  ]
  return (
    <div className={styles['presets']} role="group" aria-label={t('kit:dates.presetsLabel')}>
      {presets.map(({ label, range }) => (
        <Button key={label} size="compact-sm" variant="default" onClick={() => onChoose(range)}>
          {label}
        </Button>
      ))}
    </div>
  )
}

/** The panel for choosing a range; nothing is applied before Done. */
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
  const inputRefs: InputRefs = { from: useRef<HTMLInputElement>(null), to: useRef<HTMLInputElement>(null) }
  const calendar = useRef<HTMLDivElement>(null)
  const doneButton = useRef<HTMLButtonElement>(null)
  const isNarrow = useMediaQuery(phoneQuery, false, { getInitialValueInEffect: false })
  // The clicked day disappears with the calendar, so the focus moves to the next step.
  const { draft, dispatch } = useRangeDraft(applied, mode, settings, () => {
    if (calendar.current?.contains(document.activeElement)) doneButton.current?.focus()
  })
  const handleDone = (): void => {
    // Text that was pasted, or typed without leaving the input, must be applied first.
    const finalDraft = reduceDraft(
      reduceDraft(draft, { type: 'blur', end: 'from' }, settings),
      { type: 'blur', end: 'to' },
      settings,
    )
    const faults = checkDraft(finalDraft, settings)
    if (!faults.from && !faults.to) return onDone(finalDraft.range, finalDraft.mode)
    dispatch({ type: 'faults', faults })
    inputRefs[faults.from ? 'from' : 'to'].current?.focus()
  }
  const handlePick = useCallback((day: LocalDay) => dispatch({ type: 'day', day }), [dispatch])
  // Includes a mode that was selected automatically.
  const modes = settings.offeredModes.includes(draft.mode)
    ? settings.offeredModes
    : [...settings.offeredModes, draft.mode]
  return (
    <div className={styles['panel']}>
      {disableDropdown ? null : (
        <NativeSelect
          label={t('kit:dates.mode')}
          data={modes.map((option) => ({ value: option, label: t(`kit:dates.modes.${option}`) }))}
          value={draft.mode}
          data-mantine-stop-propagation
          onChange={(event) =>
            dispatch({
              type: 'mode',
              mode: modes.find((option) => option === event.currentTarget.value) ?? draft.mode,
            })
          }
        />
      )}
      <RangeInputs
        draft={draft}
        dispatch={dispatch}
        settings={settings}
        refs={inputRefs}
        onEnter={handleDone}
        // Deferred, because the calendar may have to render first.
        onCalendar={() => setTimeout(() => focusDay(calendar.current))}
      />
      {disableDropdown && !hasTwoEnds(mode) ? null : (
        <PresetButtons
          today={settings.today}
          morePresets={morePresets}
          onChoose={(range) => dispatch({ type: 'range', range })}
        />
      )}
      {draft.activeEnd === null ? null : (
        <RangeCalendar
          ref={calendar}
          range={draft.range}
          mode={draft.mode}
          activeEnd={draft.activeEnd}
          settings={settings}
          months={isNarrow ? 1 : countCalendarMonths(draft.mode)}
          weekStart={weekStart}
          onPick={handlePick}
        />
      )}
      <div className={styles['foot']}>
        <Button variant="default" onClick={onCancel}>
          {t('kit:cancel')}
        </Button>
        <Button ref={doneButton} onClick={handleDone}>
          {t('kit:done')}
        </Button>
      </div>
    </div>
  )
}
