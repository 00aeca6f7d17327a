import { Button, Input, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { displayEndTime, displayStartTime } from '#contract/policy-types/policy-times.ts'
import type { FeeProperties, PriceBand, PriceDay } from '#contract/policy.ts'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { EditableRows } from '#web/kit/table/editable-rows.tsx'
import { TimeInput } from '#web/kit/time/time-input.tsx'
import { toClock, parseOptionalClock } from './clock-text.ts'
import styles from './editor.module.css'
import type { FieldProps } from './field-props.ts'
import { canRemoveBand, dayOrder, pricedDays, moveDay, nextBand, setBands } from './price-table.ts'

/** Returns the symbol of a currency, such as `$` for USD. */
export const currencySign = (currency: string, language: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** Prices per hour by day of the week and time of day. The table always has at least one row. */
export function ScheduleTable({ draft, change, errorFor, currency }: FieldProps) {
  const { t, i18n } = useTranslation()
  const { prices } = draft.fee_properties
  const days = pricedDays(prices)
  const unusedDays = dayOrder.filter((day) => !days.includes(day))
  const error = errorFor('prices')
  const setPrices = (next: FeeProperties['prices']): void =>
    change({ fee_properties: { ...draft.fee_properties, prices: next } })
  const formatPriceDay = (day: PriceDay): string => t(`policies:day.${day}`)
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
              .filter((candidate) => candidate === day || unusedDays.includes(candidate))
              .map((candidate) => ({ value: candidate, label: formatPriceDay(candidate) }))}
            onChange={(event) =>
              setPrices(
                moveDay(
                  prices,
                  day,
                  dayOrder.find((candidate) => candidate === event.currentTarget.value) ?? day,
                ),
              )
            }
          />
          <EditableRows<PriceBand>
            rows={prices[day] ?? []}
            createRow={nextBand}
            canRemove={canRemoveBand(prices)}
            rowLabel={(row) => t('policies:price.rowOf', { row, day: formatPriceDay(day) })}
            removeLabel={(row) => t('policies:price.removeRowOf', { row, day: formatPriceDay(day) })}
            addLabel={t('policies:price.addRow')}
            onChange={(bands) => setPrices(setBands(prices, day, bands))}
            renderFields={(band, changeBand) => (
              <>
                <TimeInput
                  label={t('policies:price.from')}
                  value={parseOptionalClock(displayStartTime(band.start_time))}
                  onChange={(time) => changeBand({ start_time: toClock(time) })}
                />
                <TimeInput
                  label={t('policies:price.until')}
                  value={parseOptionalClock(displayEndTime(band.end_time))}
                  onChange={(time) => changeBand({ end_time: toClock(time) })}
                />
                <MoneyInput
                  label={t('policies:price.amount')}
                  currency={currency}
                  value={band.price}
                  error={error && band.price === null ? '\u00a0' : null}
                  onChange={(price) => changeBand({ price })}
                />
              </>
            )}
          />
        </div>
      ))}
      {error ? <Input.Error>{error}</Input.Error> : null}
      {unusedDays[0] ? (
        <Button
          mt="sm"
          variant="default"
          size="xs"
          onClick={() => unusedDays[0] && setPrices(setBands(prices, unusedDays[0], [nextBand([])]))}
        >
          {t('policies:price.addDay')}
        </Button>
      ) : null}
    </div>
  )
}
