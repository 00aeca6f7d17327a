import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { DateRangePicker } from '../dates/date-range-picker.tsx'
import type { DateRange } from '../dates/date-range.ts'
import { MonthRangePicker } from '../dates/month-range-picker.tsx'
import { getPresetRange } from '../dates/preset-range.ts'
import { GalleryPart } from './samples.tsx'

const none: DateRange = { from: null, to: null }

/** Date pickers in their states. */
export function DateSamples({ today }: { today: LocalDay }) {
  const { t } = useTranslation()
  const [emptyRange, setEmptyRange] = useState(none)
  const [filledRange, setFilledRange] = useState<DateRange>(getPresetRange('lastMonth', today))
  const [limitedRange, setLimitedRange] = useState(none)
  const [day, setDay] = useState<DateRange>({ from: today, to: today })
  const [months, setMonths] = useState(getPresetRange('lastQuarter', today))
  const year = today.slice(0, 4)
  return (
    <>
      <GalleryPart title={t('kit:gallery.dates')}>
        <DateRangePicker
          label={t('kit:gallery.empty')}
          range={emptyRange}
          today={today}
          onChange={setEmptyRange}
        />
        <DateRangePicker
          label={t('kit:gallery.filled')}
          range={filledRange}
          today={today}
          onChange={setFilledRange}
        />
        <DateRangePicker
          label={t('kit:gallery.required')}
          range={limitedRange}
          today={today}
          onChange={setLimitedRange}
          requireDates
          rangeLimit={31}
          minDate={`${year}-01-01`}
          maxDate={`${year}-12-31`}
        />
        <DateRangePicker
          label={t('kit:gallery.singleDay')}
          range={day}
          today={today}
          onChange={setDay}
          disableDropdown
          dropdownDefault="singleDay"
        />
        <DateRangePicker
          label={t('kit:gallery.error')}
          range={none}
          today={today}
          onChange={setEmptyRange}
          error={t('kit:gallery.wrong')}
        />
        <DateRangePicker
          label={t('kit:gallery.disabled')}
          range={filledRange}
          today={today}
          onChange={setFilledRange}
          disabled
        />
      </GalleryPart>
      <GalleryPart title={t('kit:gallery.months')}>
        <MonthRangePicker label={t('kit:gallery.filled')} value={months} today={today} onChange={setMonths} />
        <MonthRangePicker
          label={t('kit:gallery.error')}
          value={months}
          today={today}
          onChange={setMonths}
          error={t('kit:gallery.wrong')}
        />
        <MonthRangePicker
          label={t('kit:gallery.disabled')}
          value={months}
          today={today}
          onChange={setMonths}
          disabled
        />
      </GalleryPart>
    </>
  )
}
