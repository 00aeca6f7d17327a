import '@mantine/dates/styles.css'
import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { defaultPeriod, type LocalDay } from '#contract/period.ts'
import { periodPresets } from '../period-preset.ts'
import { presetPeriod, type Period } from '../period-presets.ts'

interface Props {
  value: Period
  today: LocalDay
  onChange: (value: Period) => void
}

type Pair = [LocalDay | null, LocalDay | null]
const pairOf = ({ start_date, end_date }: Period): Pair => [start_date, end_date]

/** First and last day. A period counts once both are chosen, in either order. */
export function PeriodField({ value, today, onChange }: Props) {
  const { t } = useTranslation()
  const [half, setHalf] = useState<LocalDay | null>(null)
  const presets = [{ value: pairOf(defaultPeriod(today)), label: t('evaluation:period.usual') }, ...periodPresets.map((preset) => ({ value: pairOf(presetPeriod(preset, today)), label: t(`evaluation:period.${preset}`) }))]
  const choose = ([a, b]: Pair): void => {
    if (a !== null && b !== null) {
      setHalf(null)
      onChange(a <= b ? { start_date: a, end_date: b } : { start_date: b, end_date: a })
    } else setHalf(a)
  }
  return (
    <DatePickerInput
      type="range" label={t('evaluation:period.label')} value={half === null ? pairOf(value) : [half, null]} presets={presets} onChange={choose} onDropdownClose={() => setHalf(null)}
      valueFormat="MMM D, YYYY" allowSingleDateInRange leftSection={<IconCalendar size={18} />} weekendDays={[]} hideOutsideDates maxDate={today} defaultDate={value.end_date}
      ariaLabels={{ previousMonth: t('evaluation:period.previousMonth'), nextMonth: t('evaluation:period.nextMonth'), monthLevelControl: t('evaluation:period.chooseMonth'), yearLevelControl: t('evaluation:period.chooseYear'), previousYear: t('evaluation:period.previousYear'), nextYear: t('evaluation:period.nextYear'), previousDecade: t('evaluation:period.previousDecade'), nextDecade: t('evaluation:period.nextDecade') }}
      popoverProps={{ position: 'bottom-start', withinPortal: true }}
    />
  )
}
