import { ActionIcon, Button, Select, Switch, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CdsTimeSpan, cdsWeekdays, wellKnownPeriods } from '#contract/cds.ts'
import { getCurbSettings } from '#contract/curb-settings.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { TimeInput } from '#web/kit/time/time-input.tsx'
import { formatClock, type TimeOfDay } from '#web/kit/time/time-of-day.ts'
import { WeekdaysField } from '#web/filters/weekdays-field.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { getMidnight, getSpanDays, withField } from './regulation-draft.ts'
import styles from './regulations.module.css'
import {
  isoWeekday,
  formatMonthName,
  formatDesignatedPeriod,
  formatTimeSpan,
  type TextContext,
} from '../rule-text.ts'

const parseTime = (time: string | undefined): TimeOfDay | null =>
  time === undefined ? null : { hour: Number(time.slice(0, 2)), minute: Number(time.slice(3, 5)) }

/** Returns options for the numbers from 1 to `count`. */
const toNumberOptions = (count: number, format: (value: number) => string) =>
  Array.from({ length: count }, (_, index) => ({ value: String(index + 1), text: format(index + 1) }))

interface SpanProps {
  span: CdsTimeSpan
  context: TextContext
  periods: readonly string[]
  onChange: (span: CdsTimeSpan) => void
}

/** The days, times and periods in which the rules apply. */
function SpanForm({ span, context, periods, onChange }: SpanProps) {
  const { t } = useTranslation()
  const { language, timezone } = context
  const setSpanField = (field: string, value: unknown): void => onChange(withField(span, field, value))
  const { from, to } = getSpanDays(span, timezone)
  const [isDetailed, setIsDetailed] = useState(() =>
    [span.days_of_month, span.weeks_of_month].some((list) => (list?.length ?? 0) > 0),
  )
  const getNumbersProps = (field: 'months' | 'weeks_of_month' | 'days_of_month') => ({
    value: (span[field] ?? []).map(String),
    onChange: (values: string[]) =>
      setSpanField(
        field,
        values.map(Number).toSorted((a, b) => a - b),
      ),
  })
  return (
    <>
      <WeekdaysField
        label={t('curb:regulations.span.days')}
        value={(span.days_of_week ?? []).map(isoWeekday)}
        onChange={(days) =>
          setSpanField(
            'days_of_week',
            // CDS lists Sunday first.
            days.map((day) => cdsWeekdays[day % 7]),
          )
        }
      />
      <div className={styles['pair']}>
        <TimeInput
          label={t('curb:regulations.span.start')}
          value={parseTime(span.time_of_day_start)}
          onChange={(time) =>
            setSpanField('time_of_day_start', time && formatClock({ ...time, hour: time.hour % 24 }))
          }
        />
        <TimeInput
          label={t('curb:regulations.span.end')}
          value={parseTime(span.time_of_day_end)}
          onChange={(time) => setSpanField('time_of_day_end', time && formatClock(time))}
        />
      </div>
      <MultiDropdown
        label={t('curb:regulations.span.months')}
        placeholder={t('curb:regulations.span.allYear')}
        options={toNumberOptions(12, (month) => formatMonthName(month, language))}
        {...getNumbersProps('months')}
      />
      <div className={styles['pair']}>
        <TextInput
          type="date"
          max="9999-12-31"
          label={t('curb:regulations.span.firstDay')}
          value={from ?? ''}
          onChange={(event) =>
            setSpanField('start_date', getMidnight(event.currentTarget.value || null, timezone))
          }
        />
        <TextInput
          type="date"
          max="9999-12-31"
          label={t('curb:regulations.span.lastDay')}
          value={to ?? ''}
          onChange={(event) =>
            setSpanField('end_date', getMidnight(event.currentTarget.value || null, timezone, 1))
          }
        />
      </div>
      <DesignatedPeriodFields span={span} periods={periods} onChange={onChange} />
      {isDetailed ? (
        <div className={styles['pair']}>
          <MultiDropdown
            label={t('curb:regulations.span.weeksOfMonth')}
            options={toNumberOptions(5, String)}
            {...getNumbersProps('weeks_of_month')}
          />
          <MultiDropdown
            label={t('curb:regulations.span.monthDays')}
            options={toNumberOptions(31, String)}
            {...getNumbersProps('days_of_month')}
          />
        </div>
      ) : (
        <div>
          <Button variant="subtle" size="compact-sm" onClick={() => setIsDetailed(true)}>
            {t('curb:regulations.span.more')}
          </Button>
        </div>
      )}
    </>
  )
}

interface Props {
  spans: readonly CdsTimeSpan[]
  context: TextContext
  /** Returns the findings of a part such as `time_spans.0`. */
  getFindings: (path: string) => readonly string[]
  onChange: (spans: CdsTimeSpan[]) => void
}

const defaultSpan: CdsTimeSpan = {
  days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri'],
  time_of_day_start: '08:00',
  time_of_day_end: '18:00',
}

/** When a regulation applies: in any of its time spans, or always if there are none. */
export function SpanFields({ spans, context, getFindings, onChange }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const settings = useEndpointQuery(getCurbSettings, { params: { region_id: regionId } }).data?.settings
  const periods = [...new Set([...wellKnownPeriods, ...Object.keys(settings?.designatedPeriods ?? {})])]
  return (
    <>
      <p className={styles['hint']}>
        {t(spans.length ? 'curb:regulations.span.hint' : 'curb:regulations.span.alwaysHint')}
      </p>
      {spans.map((span, index) => {
        const label = t('curb:regulations.span.row', { row: index + 1 })
        return (
          <section
            key={index}
            className={styles['card']}
            aria-label={label}
            data-part={`time_spans.${index}`}
          >
            <div className={styles['cardHead']}>
              <div>
                <h3>{label}</h3>
                <p className={styles['hint']}>{formatTimeSpan(context, span)}</p>
              </div>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('curb:regulations.span.remove', { row: index + 1 })}
                onClick={() => onChange(spans.toSpliced(index, 1))}
              >
                <IconTrash size={18} />
              </ActionIcon>
            </div>
            <SpanForm
              span={span}
              context={context}
              periods={periods}
              onChange={(changed) => onChange(spans.with(index, changed))}
            />
            {getFindings(`time_spans.${index}`).map((text) => (
              <p key={text} className={styles['finding']}>
                {text}
              </p>
            ))}
          </section>
        )
      })}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} />}
          onClick={() => onChange([...spans, defaultSpan])}
        >
          {t('curb:regulations.span.add')}
        </Button>
      </div>
    </>
  )
}

/** Limits the span to a designated period, such as school days, or to all other days. */
function DesignatedPeriodFields({ span, periods, onChange }: Omit<SpanProps, 'context'>) {
  const { t } = useTranslation()
  return (
    <div className={styles['pair']}>
      <Select
        label={t('curb:regulations.span.period')}
        placeholder={t('curb:regulations.span.noPeriod')}
        searchable
        clearable
        clearButtonProps={{
          'aria-label': t('kit:dropdown.clear', { label: t('curb:regulations.span.period') }),
        }}
        data={[...new Set([...periods, ...(span.designated_period ? [span.designated_period] : [])])].map(
          (value) => ({ value, label: formatDesignatedPeriod(t, value) }),
        )}
        value={span.designated_period ?? null}
        onChange={(period) =>
          onChange(
            withField(
              period === null ? withField(span, 'designated_period_except', null) : span,
              'designated_period',
              period,
            ),
          )
        }
      />
      {span.designated_period === undefined ? null : (
        <Switch
          className={styles['switch'] ?? ''}
          label={t('curb:regulations.span.except')}
          checked={span.designated_period_except ?? false}
          onChange={(event) =>
            onChange(withField(span, 'designated_period_except', event.currentTarget.checked || null))
          }
        />
      )}
    </div>
  )
}
