import '@mantine/dates/styles.css'
import { InputBase, Popover } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCalendar } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { useSmallScreen } from '../use-small-screen.ts'
import { isoSunday } from '../weekdays.ts'
import type { RangeRules } from './check-range.ts'
import { type DateRange, formatDateRange } from './date-range.ts'
import styles from './date-range.module.css'
import type { DraftSettings } from './range-draft.ts'
import { rangeModes, type RangeMode } from './range-mode.ts'
import { RangePanel, type NamedRange } from './range-panel.tsx'

/** Screens that are hardly higher than the panel. */
const lowScreenQuery = '(max-height: 700px)'

interface Props extends RangeRules {
  label: string
  range: DateRange
  /** Today in the region. */
  today: LocalDay
  onChange: (range: DateRange) => void
  /** Hides the list of modes. */
  disableDropdown?: boolean
  /** The initial mode, and the modes to choose from. */
  dropdownDefault?: RangeMode
  dropdownOptions?: readonly RangeMode[]
  /** Presets in addition to months and quarters. */
  morePresets?: readonly NamedRange[]
  /** First ISO weekday of the calendar. */
  weekStart?: number
  description?: string
  error?: string | null
  disabled?: boolean
}

const noPresets: readonly NamedRange[] = []

/** A field for a range of days, chosen by mode, preset, calendar or typed dates, and applied with Done. */
export function DateRangePicker({
  label,
  range,
  today,
  onChange,
  disableDropdown = false,
  dropdownDefault = 'custom',
  dropdownOptions = rangeModes,
  morePresets = noPresets,
  weekStart = isoSunday,
  description,
  error,
  disabled,
  ...rules
}: Props) {
  const { t, i18n } = useTranslation()
  const id = useId()
  const isSmall = useSmallScreen()
  const isLowScreen = useMediaQuery(lowScreenQuery, undefined, { getInitialValueInEffect: false }) ?? false
  const [isOpen, setIsOpen] = useState(false)
  const [mode, setMode] = useState(dropdownDefault)
  const settings: DraftSettings = { ...rules, today, language: i18n.language, offeredModes: dropdownOptions }
  const handleDone = (nextRange: DateRange, nextMode: RangeMode): void => {
    setMode(nextMode)
    setIsOpen(false)
    onChange(nextRange)
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      // Opens beside the field if there is no room below, so that the label remains visible. On small and low
      // screens it covers the field, so that the entire panel is visible.
      middlewares={{
        flip: { crossAxis: false, fallbackPlacements: ['right-start', 'top-start', 'left-start'] },
        shift: { padding: 8, crossAxis: isSmall || isLowScreen },
      }}
    >
      <Popover.Target>
        <InputBase
          component="button"
          type="button"
          pointer
          label={label}
          labelProps={{ id: `${id}-label` }}
          description={description}
          error={error}
          disabled={disabled}
          leftSection={<IconCalendar size={18} />}
          aria-labelledby={`${id}-label ${id}-value`}
          onClick={() => setIsOpen((open) => !open)}
        >
          <span id={`${id}-value`} className={styles['value']}>
            {formatDateRange(t, range, i18n.language)}
          </span>
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} aria-labelledby={undefined} className={styles['dropdown'] ?? ''}>
        <RangePanel
          applied={range}
          mode={mode}
          settings={settings}
          disableDropdown={disableDropdown}
          morePresets={morePresets}
          weekStart={weekStart}
          onCancel={() => setIsOpen(false)}
          onDone={handleDone}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
