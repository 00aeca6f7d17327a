import { Input, SegmentedControl, Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import {
  comparedPeriod,
  type ComparisonState,
  type DataDays,
  getDataCoverage,
  periodBefore,
  countFullMonths,
  yearBefore,
} from './comparison.ts'
import { type Period, formatPeriod } from './period.ts'

const formatSingleDay = (day: LocalDay, language: string): string =>
  formatPeriod({ start_date: day, end_date: day }, language)

interface Props {
  search: ComparisonState
  /** The first period. */
  period: Period
  today: LocalDay
  /** Days with data; null while loading. */
  dataDays?: DataDays | null | undefined
  isMap?: boolean | undefined
  change: (changes: ComparisonState) => void
}

/** Chooses a second period; on maps also whether to show the difference or both periods side by side. */
export function CompareField({ search, period, today, dataDays, isMap, change }: Props) {
  const { t, i18n } = useTranslation()
  const comparedTo = comparedPeriod(search)
  const setComparedPeriod = (days: Period | null): void =>
    change({ compare_start_date: days?.start_date, compare_end_date: days?.end_date })
  const coverage = comparedTo && dataDays ? getDataCoverage(comparedTo, dataDays) : 'all'
  const missingDataText =
    coverage === 'all'
      ? null
      : t(`filters:compare.missing.${coverage}`, {
          day: dataDays?.first_day ? formatSingleDay(dataDays.first_day, i18n.language) : '',
        })
  const months = countFullMonths(period)
  const previousText = months
    ? t('filters:compare.previousMonths', { count: months })
    : t('filters:compare.previousDays', {
        count: dayNumber(period.end_date) - dayNumber(period.start_date) + 1,
      })
  const presets = (
    [
      [previousText, periodBefore(period)],
      [t('filters:compare.year'), yearBefore(period)],
    ] as const
  ).map(([name, days]) => ({
    label: `${name} (${formatPeriod(days, i18n.language)})`,
    range: { from: days.start_date, to: days.end_date },
  }))
  return (
    <Stack gap={8}>
      <Switch
        label={t('filters:compare.label')}
        checked={comparedTo !== null}
        onChange={(event) => setComparedPeriod(event.currentTarget.checked ? periodBefore(period) : null)}
      />
      {comparedTo ? (
        <>
          <DateRangePicker
            label={t('filters:compare.period')}
            range={{ from: comparedTo.start_date, to: comparedTo.end_date }}
            today={today}
            maxDate={today}
            requireDates
            error={missingDataText}
            dropdownOptions={['custom', 'singleDay', 'lastMonth']}
            morePresets={presets}
            onChange={({ from, to }) => {
              if (from !== null && to !== null) setComparedPeriod({ start_date: from, end_date: to })
            }}
          />
          {isMap ? (
            <>
              <Choice
                label={t('filters:compare.show')}
                values={['difference', 'side']}
                value={search.side_by_side ? 'side' : 'difference'}
                onChange={(selected) => change({ side_by_side: selected === 'side' ? true : undefined })}
              />
              {search.side_by_side ? null : (
                <Choice
                  label={t('filters:compare.in')}
                  values={['number', 'percent']}
                  value={search.percent ? 'percent' : 'number'}
                  onChange={(selected) => change({ percent: selected === 'percent' ? true : undefined })}
                />
              )}
            </>
          ) : null}
        </>
      ) : null}
    </Stack>
  )
}

interface ChoiceProps {
  label: string
  values: readonly ('difference' | 'side' | 'number' | 'percent')[]
  value: string
  onChange: (value: string) => void
}

function Choice({ label, values, value, onChange }: ChoiceProps) {
  const { t } = useTranslation()
  return (
    <div role="group" aria-label={label}>
      <Input.Label component="div" aria-hidden="true">
        {label}
      </Input.Label>
      <SegmentedControl
        fullWidth
        mt={4}
        size="sm"
        aria-label={label}
        value={value}
        data={values.map((option) => ({ value: option, label: t(`filters:compare.${option}`) }))}
        onChange={onChange}
      />
    </div>
  )
}
