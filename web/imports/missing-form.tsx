import { Autocomplete, Checkbox, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type DateOrder,
  DateOrder as orders,
  type Import,
  listImports,
  startImport,
} from '#contract/imports.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, LocalDay } from '#contract/period.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { OrderSelect } from './order-select.tsx'
import { toSlug } from './slug.ts'

/** A local day, hour, minute and optional second. */
const localTimePattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?/

/** Converts a local time such as `2026-08-08T08:51` to ISO 8601 in UTC; null if it is invalid. */
export function parseLocalTime(text: string, timezone: string): string | null {
  const match = localTimePattern.exec(text)
  const day = LocalDay.safeParse(match?.[1])
  if (!match || !day.success) return null
  return new Date(
    civilClock(timezone).instant(
      dayNumber(day.data),
      Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0),
    ).ms,
  ).toISOString()
}

interface Props {
  imported: Pick<Import, 'import_uuid' | 'asks'>
  onDone: () => void
}

/** Asks for what a file does not contain, such as its operator or order of dates. */
export function MissingForm({ imported, onDone }: Props) {
  const { t } = useTranslation()
  const { regionId, text: region, timezone } = useRegion()
  const operators = useOperators(regionId)
  const start = useEndpointMutation(startImport, [listImports])
  const [time, setTime] = useState('')
  const [operator, setOperator] = useState('')
  const [order, setOrder] = useState<DateOrder | null>(null)
  const [isAccepted, setIsAccepted] = useState(false)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const asks = {
    time: imported.asks.includes('snapshot_time'),
    operator: imported.asks.includes('operator'),
    order: imported.asks.includes('date_order'),
    outside: imported.asks.includes('outside_region'),
  }
  const snapshotTime = parseLocalTime(time, timezone)
  const slug = toSlug(operator)
  // What the form asks for and the user has not answered.
  const lacks = {
    time: asks.time && snapshotTime === null,
    operator: asks.operator && slug === '',
    order: asks.order && order === null,
    outside: asks.outside && !isAccepted,
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setIsSubmitted(true)
        if (Object.values(lacks).includes(true)) return
        const body = {
          ...(snapshotTime ? { snapshot_time: snapshotTime } : {}),
          ...(slug ? { operator: slug } : {}),
          ...(order ? { date_order: order } : {}),
          ...(isAccepted ? { accept_outside: true } : {}),
        }
        start.mutate(
          { params: { region_id: regionId, import_uuid: imported.import_uuid }, body },
          { onSuccess: onDone },
        )
      }}
    >
      <Stack>
        {asks.time ? (
          <TextInput
            type="datetime-local"
            required
            data-autofocus
            label={t('imports:missing.time')}
            description={t('imports:missing.timeHelp', { region })}
            value={time}
            onChange={(event) => setTime(event.currentTarget.value)}
            error={isSubmitted && lacks.time ? t('imports:missing.noTime') : null}
          />
        ) : null}
        {asks.operator ? (
          <Autocomplete
            required
            label={t('imports:missing.operator')}
            data={operators.data?.items.map((item) => item.slug) ?? []}
            value={operator}
            onChange={setOperator}
            error={isSubmitted && lacks.operator ? t('imports:missing.noOperator') : operators.error?.message}
          />
        ) : null}
        {asks.order ? (
          <OrderSelect
            orders={orders.options}
            value={order}
            onChange={setOrder}
            error={isSubmitted && lacks.order ? t('imports:order.choose') : null}
          />
        ) : null}
        {asks.outside ? (
          <Checkbox
            required
            label={t('imports:outside.accept')}
            checked={isAccepted}
            onChange={(event) => setIsAccepted(event.currentTarget.checked)}
            error={isSubmitted && lacks.outside ? t('imports:outside.decide') : null}
          />
        ) : null}
        {start.error ? <FailedState error={start.error} title={t('imports:mapping.failed')} /> : null}
      </Stack>
      <DialogFoot action={t('imports:mapping.start')} isPending={start.isPending} onCancel={onDone} />
    </form>
  )
}
