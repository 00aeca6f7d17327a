import { ActionIcon, Button, Input, NativeSelect } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { displayEndTime, displayStartTime } from '#contract/policy-types/policy-times.ts'
import type { FeeProperties, PriceBand, PriceDay } from '#contract/policy.ts'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { TimeInput } from '#web/kit/time/time-input.tsx'
import { clockOfTime, timeOfClock } from './clock-text.ts'
import styles from './editor.module.css'
import type { FieldProps } from './field-props.ts'
import { addBand, changeBand, dayOrder, daysOf, mayRemoveBand, moveDay, removeBand } from './price-table.ts'

/** `$` of USD. */
export const currencySign = (currency: string, language: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** Prices an hour by days of the week and the time of day. The table always keeps a row. */
export function ScheduleTable({ draft, change, faultOf, currency }: FieldProps) {
  const { t, i18n } = useTranslation()
  const { prices } = draft.fee_properties
  const days = daysOf(prices)
  const free = dayOrder.filter((day) => !days.includes(day))
  const error = faultOf('prices')
  const set = (next: FeeProperties['prices']): void =>
    change({ fee_properties: { ...draft.fee_properties, prices: next } })
  const dayText = (day: PriceDay): string => t(`policies:day.${day}`)
  const row = (day: PriceDay, band: PriceBand, at: number) => {
    return (
      <div
        key={at}
        role="group"
        aria-label={t('policies:price.rowOf', { row: at + 1, day: dayText(day) })}
        className={styles['row']}
      >
        <TimeInput
          label={t('policies:price.from')}
          value={timeOfClock(displayStartTime(band.start_time))}
          onChange={(time) => set(changeBand(prices, day, at, { start_time: clockOfTime(time) }))}
        />
        <TimeInput
          label={t('policies:price.until')}
          value={timeOfClock(displayEndTime(band.end_time))}
          onChange={(time) => set(changeBand(prices, day, at, { end_time: clockOfTime(time) }))}
        />
        <MoneyInput
          label={t('policies:price.amount')}
          currency={currency}
          value={band.price}
          error={error && band.price === null ? '\u00a0' : null}
          onChange={(price) => set(changeBand(prices, day, at, { price }))}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          disabled={!mayRemoveBand(prices)}
          aria-label={t('policies:price.removeRowOf', { row: at + 1, day: dayText(day) })}
          onClick={() => set(removeBand(prices, day, at))}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </div>
    )
  }
  return (
    <div role="group" aria-label={t('policies:field.prices')} data-prices>
      <Input.Label component="div">{t('policies:field.prices')}</Input.Label>
      <p className={styles['hint']}>
        {t('policies:price.hourly', { sign: currencySign(currency, i18n.language) })} ·{' '}
        {t('policies:when.hours')}
      </p>
      {days.map((day) => (
        <div key={day} className={styles['table']}>
          <NativeSelect
            label={t('policies:price.day')}
            value={day}
            data={dayOrder
              .filter((each) => each === day || free.includes(each))
              .map((each) => ({ value: each, label: dayText(each) }))}
            onChange={(event) =>
              set(moveDay(prices, day, dayOrder.find((each) => each === event.currentTarget.value) ?? day))
            }
          />
          {(prices[day] ?? []).map((band, at) => row(day, band, at))}
          <div>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPlus size={16} />}
              onClick={() => set(addBand(prices, day))}
            >
              {t('policies:price.addRow')}
            </Button>
          </div>
        </div>
      ))}
      {error ? <Input.Error>{error}</Input.Error> : null}
      {free[0] ? (
        <Button mt="sm" variant="default" size="xs" onClick={() => free[0] && set(addBand(prices, free[0]))}>
          {t('policies:price.addDay')}
        </Button>
      ) : null}
    </div>
  )
}
