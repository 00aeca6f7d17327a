import { Select, Switch, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  getPaymentImport,
  listPaymentImports,
  previewPaymentImport,
  startPaymentImport,
} from '#contract/curb-payment-imports.ts'
import {
  type PaymentColumn,
  paymentColumns,
  type PaymentMapping,
  paymentMeanings,
  paymentLocationKinds,
} from '#contract/curb-payments.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { currencyDecimals, formatDateTime, formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import styles from '../../imports/imports.module.css'

type Preview = EndpointOutput<typeof previewPaymentImport>

/**
 * Assigns the columns of a payment file to fields, with a preview of the first rows. Later files of the
 * vendor use the same mapping.
 */
export function PaymentMappingDialog({ importId, onClose }: { importId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId, import_id: importId }
  const [changed, setChanged] = useState<PaymentMapping | null>(null)
  const preview = useEndpointQuery(
    previewPaymentImport,
    { params, body: { mapping: changed } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const start = useEndpointMutation(startPaymentImport, [getPaymentImport, listPaymentImports])
  const mapping = changed ?? preview.data?.mapping ?? null
  const isReady =
    mapping?.columns.amount !== undefined &&
    (mapping.columns.paid_time !== undefined || mapping.columns.start_time !== undefined)
  return (
    <FormDialog
      title={t('curb:imports.mapping.title')}
      size={1100}
      action={t('curb:imports.mapping.start')}
      isPending={start.isPending}
      isIdle={!isReady}
      error={start.error}
      errorTitle={t('curb:imports.mapping.failed')}
      onSubmit={() => {
        if (mapping) start.mutate({ params, body: { mapping } }, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('curb:payments.mapping.text')}
      </Text>
      <Loaded query={preview}>
        {(data) => (
          <>
            <MappingFields preview={data} mapping={changed ?? data.mapping} onChange={setChanged} />
            <PreviewTable rows={data.rows} />
          </>
        )}
      </Loaded>
    </FormDialog>
  )
}

interface FieldProps {
  preview: Preview
  mapping: PaymentMapping
  onChange: (mapping: PaymentMapping) => void
}

function MappingFields({ preview: { header, samples, words }, mapping, onChange }: FieldProps) {
  const { t } = useTranslation()
  const choose = (meaning: PaymentColumn, column: string | null) => {
    const { [meaning]: _, ...others } = mapping.columns
    onChange({ ...mapping, columns: column === null ? others : { ...others, [meaning]: column } })
  }
  const choice = <
    Key extends
      | 'place_kind'
      | 'amount_unit'
      | 'duration_unit'
      | 'date_order'
      | 'clock'
      | 'extensions'
      | 'repeated_rows',
  >(
    key: Key,
    values: readonly PaymentMapping[Key][],
  ) => (
    <Select
      key={key}
      label={t(`curb:payments.mapping.${key}.label`)}
      data={values.map((value) => ({ value, label: t(`curb:payments.mapping.${key}.${value}`) }))}
      value={mapping[key]}
      allowDeselect={false}
      onChange={(value) => onChange({ ...mapping, [key]: value as PaymentMapping[Key] })}
    />
  )
  return (
    <>
      <div className={styles['grid']}>
        {paymentColumns.map((meaning) => {
          const column = mapping.columns[meaning]
          return (
            <Select
              key={meaning}
              label={t(`curb:payments.meaning.${meaning}`)}
              description={
                column === undefined ? undefined : samples[column]?.slice(0, 2).join(' · ').slice(0, 60)
              }
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder={t('curb:imports.mapping.noColumn')}
              data={[...header]}
              value={column ?? null}
              clearable
              searchable
              clearButtonProps={{
                'aria-label': t('curb:imports.mapping.clear', {
                  column: t(`curb:payments.meaning.${meaning}`),
                }),
              }}
              onChange={(selected) => choose(meaning, selected)}
            />
          )
        })}
        {choice('place_kind', paymentLocationKinds)}
        {choice('amount_unit', ['major', 'minor'])}
        {choice('duration_unit', ['minute', 'second', 'hour'])}
        {choice('date_order', ['ymd', 'mdy', 'dmy'])}
        {choice('clock', ['24', '12'])}
        {choice('extensions', ['own', 'cumulative'])}
        {choice('repeated_rows', ['duplicate', 'payment'])}
      </div>
      <Switch
        label={t('curb:payments.mapping.ignoresOffsets')}
        checked={mapping.ignores_offsets}
        onChange={(event) => onChange({ ...mapping, ignores_offsets: event.currentTarget.checked })}
      />
      {words.length ? (
        <>
          <Text size="sm" fw={600}>
            {t('curb:payments.mapping.words')}
          </Text>
          <div className={styles['grid']}>
            {words.map(({ column, value }) => (
              <Select
                key={`${column} ${value}`}
                label={`${t(`curb:payments.meaning.${column}`)}: ${value}`}
                placeholder={t('curb:payments.mapping.plain')}
                data={paymentMeanings.map((meaning) => ({
                  value: meaning,
                  label: t(`curb:payments.word.${meaning}`),
                }))}
                value={
                  mapping.words.find((word) => word.column === column && word.value === value)?.meaning ??
                  null
                }
                clearable
                clearButtonProps={{ 'aria-label': t('curb:imports.mapping.clear', { column: value }) }}
                onChange={(meaning) => {
                  const others = mapping.words.filter(
                    (word) => word.column !== column || word.value !== value,
                  )
                  const selected = paymentMeanings.find((candidate) => candidate === meaning)
                  onChange({
                    ...mapping,
                    words: selected ? [...others, { column, value, meaning: selected }] : others,
                  })
                }}
              />
            ))}
          </div>
        </>
      ) : null}
    </>
  )
}

function PreviewTable({ rows }: { rows: Preview['rows'] }) {
  const { t } = useTranslation()
  const { currencyCode, timezone } = useRegion()
  const digits = 10 ** currencyDecimals(currencyCode)
  const time = (value: string | null): string => (value === null ? '' : formatDateTime(value, timezone))
  return (
    <Table
      label={t('curb:imports.mapping.preview')}
      rows={rows}
      rowKey={({ row }) => String(row)}
      hasTools={false}
      isWrapped
      columns={[
        {
          key: 'kind',
          title: t('curb:payments.column.kind'),
          value: ({ kind }) =>
            kind === null ? t('curb:payments.effect.set_aside') : t(`curb:payments.kind.${kind}`),
          width: 120,
        },
        {
          key: 'location',
          title: t('curb:payments.column.location'),
          value: ({ location }) => location,
          width: 130,
        },
        {
          key: 'paid',
          title: t('curb:payments.column.paid_time'),
          value: ({ paid_time: at }) => time(at),
          width: 180,
        },
        {
          key: 'end',
          title: t('curb:payments.column.end'),
          value: ({ end_time: at }) => time(at),
          width: 180,
        },
        {
          key: 'amount',
          title: t('curb:payments.column.amount'),
          isNumber: true,
          width: 100,
          value: ({ amount }) => (amount === null ? null : amount / digits),
          renderCell: ({ amount }) => (amount === null ? '' : formatMoney(amount / digits, currencyCode)),
        },
        {
          key: 'findings',
          title: t('curb:imports.findings'),
          value: ({ findings }) => findings.map(({ message }) => message).join(' '),
        },
      ]}
    />
  )
}
