import { useEffect, useMemo, useReducer } from 'react'
import type { DateRange } from './date-range.ts'
import {
  changeDraft,
  startDraft,
  type DraftAction,
  type DraftSettings,
  type RangeDraft,
} from './range-draft.ts'
import type { RangeMode } from './range-mode.ts'

/** Milliseconds between the click on the last day and the calendar's going. */
const hideDelay = 100

/** A range while it is chosen. `onHide` is called just before the calendar goes. */
export function useRangeDraft(
  applied: DateRange,
  mode: RangeMode,
  settings: DraftSettings,
  onHide: () => void,
) {
  const [draft, dispatch] = useReducer(
    (now: RangeDraft, action: DraftAction) => changeDraft(now, action, settings),
    null,
    () => startDraft(applied, mode, settings),
  )
  const { isComplete } = draft
  useEffect(() => {
    if (!isComplete) return undefined
    const timer = setTimeout(() => {
      onHide()
      dispatch({ type: 'hide' })
    }, hideDelay)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- a new onHide must not start the time anew
  }, [isComplete])
  return useMemo(() => ({ draft, dispatch }), [draft])
}
