import { TextInput } from '@mantine/core'
import type { KeyboardEvent, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { RangeFault } from './check-range.ts'
import { rangeEnds, type RangeEnd } from './date-range.ts'
import { getDayPattern, maxDayTextLength } from './day-text.ts'
import { reduceDraft, type DraftAction, type DraftSettings, type RangeDraft } from './range-draft.ts'
import styles from './date-range.module.css'
import { isEndDisabled } from './range-mode.ts'

export type InputRefs = Record<RangeEnd, RefObject<HTMLInputElement | null>>

interface Props {
  draft: RangeDraft
  dispatch: (action: DraftAction) => void
  settings: DraftSettings
  refs: InputRefs
  onEnter: () => void
  /** Called when the down arrow moves the focus to the calendar. */
  onCalendar: () => void
}

/** The two dates as text inputs, in the short format of the language. */
export function RangeInputs({ draft, dispatch, settings, refs, onEnter, onCalendar }: Props) {
  const { t } = useTranslation()
  const { order, separator } = getDayPattern(settings.language)
  const format = order.map((part) => t(`kit:dates.letters.${part}`)).join(separator)
  const formatFault = (fault: RangeFault | undefined): string | null =>
    fault ? t(`kit:dates.faults.${fault}`, { rangeLimit: settings.rangeLimit }) : null
  const handleKeyUp = (end: RangeEnd, event: KeyboardEvent<HTMLInputElement>): void => {
    const next = reduceDraft(draft, { type: 'keyUp', end }, settings)
    dispatch({ type: 'keyUp', end })
    // Moves to the other input after the last digit, but not after a correction in the middle.
    const isAtEnd = event.currentTarget.selectionStart === event.currentTarget.value.length
    if (next.range !== draft.range && next.activeEnd !== null && next.activeEnd !== end && isAtEnd)
      refs[next.activeEnd].current?.focus()
  }
  const handleKeyDown = (end: RangeEnd, event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') onEnter()
    else if (event.key === 'ArrowDown') {
      dispatch({ type: 'focus', end })
      onCalendar()
    } else return
    event.preventDefault()
  }
  return (
    <div className={styles['inputs']}>
      {rangeEnds.map((end) => (
        <TextInput
          key={end}
          ref={refs[end]}
          label={t(`kit:dates.${end}`)}
          description={
            <>
              {format}
              <span className="visually-hidden">. {t('kit:dates.goesOn')}</span>
            </>
          }
          value={draft.texts[end]}
          error={formatFault(draft.faults[end])}
          disabled={isEndDisabled(draft.mode, end)}
          withAsterisk={settings.requireDates ?? false}
          aria-required={settings.requireDates}
          maxLength={maxDayTextLength}
          autoComplete="off"
          data-active={draft.activeEnd === end || undefined}
          data-mantine-stop-propagation
          data-autofocus={end === (isEndDisabled(draft.mode, 'from') ? 'to' : 'from') || undefined}
          classNames={{ input: styles['input'] ?? '' }}
          onFocus={() => dispatch({ type: 'focus', end })}
          onClick={() => dispatch({ type: 'focus', end })}
          onChange={(event) => dispatch({ type: 'text', end, text: event.currentTarget.value })}
          onKeyDown={(event) => handleKeyDown(end, event)}
          onKeyUp={(event) => handleKeyUp(end, event)}
          onBlur={() => dispatch({ type: 'blur', end })}
        />
      ))}
    </div>
  )
}
