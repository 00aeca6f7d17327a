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
import { getCurrencyDecimals, formatDateTime, formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import styles from '../../imports/imports.module.css'

type Preview = EndpointOutput<typeof previewPaymentImport>

/** Assigns the columns of a payment file to fields; later files of the vendor use the mapping, too. */
export function PaymentMappingDialog({ importId, onClose }: { importId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId, import_id: importId }
  const [draft, setDraft] = useState<PaymentMapping | null>(null)
  const preview = useEndpointQuery(
    previewPaymentImport,
    { params, body: { mapping: draft } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const start = useEndpointMutation(startPaymentImport, [getPaymentImport, listPaymentImports])
  const mapping = draft ?? preview.data?.mapping ?? null
  const isComplete =
    mapping?.columns.amount !== undefined &&
    (mapping.columns.paid_time !== undefined || mapping.columns.start_time !== undefined)
  return (
    <FormDialog
      title={t('curb:imports.mapping.title')}
      size={1100}
      action={t('curb:imports.mapping.start')}
      isPending={start.isPending}
      isDisabled={!isComplete}
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
            <MappingFields preview={data} mapping={draft ?? data.mapping} onChange={setDraft} />
            <PreviewTable rows={data.rows} />
          </>
        )}
      </Loaded>
    </FormDialog>
  )
}

/** Samples below the field of a column; longer texts are cut. */
const maxSamples = 2
const maxSampleLength = 60

interface FieldProps {
  preview: Preview
  mapping: PaymentMapping
  onChange: (mapping: PaymentMapping) => void
}

function MappingFields({ preview: { header, samples, words }, mapping, onChange }: FieldProps) {
  const { t } = useTranslation()
  const setColumn = (meaning: PaymentColumn, column: string | null) => {
    const { [meaning]: _, ...others } = mapping.columns
    onChange({ ...mapping, columns: column === null ? others : { ...others, [meaning]: column } })
  }
  const renderChoice = <
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
                column === undefined
                  ? undefined
                  : samples[column]?.slice(0, maxSamples).join(' · ').slice(0, maxSampleLength)
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
              onChange={(selected) => setColumn(meaning, selected)}
            />
          )
        })}
        {renderChoice('place_kind', paymentLocationKinds)}
        {renderChoice('amount_unit', ['major', 'minor'])}
        {renderChoice('duration_unit', ['minute', 'second', 'hour'])}
        {renderChoice('date_order', ['ymd', 'mdy', 'dmy'])}
        {renderChoice('clock', ['24', '12'])}
        {renderChoice('extensions', ['own', 'cumulative'])}
        {renderChoice('repeated_rows', ['duplicate', 'payment'])}
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
  const minorPerMajor = 10 ** getCurrencyDecimals(currencyCode)
  const formatTime = (value: string | null): string => (value === null ? '' : formatDateTime(value, timezone))
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
          value: (row) => formatTime(row.paid_time),
          width: 180,
        },
        {
          key: 'end',
          title: t('curb:payments.column.end'),
          value: (row) => formatTime(row.end_time),
          width: 180,
        },
        {
          key: 'amount',
          title: t('curb:payments.column.amount'),
          isNumber: true,
          width: 100,
          value: ({ amount }) => (amount === null ? null : amount / minorPerMajor),
          renderCell: ({ amount }) =>
            amount === null ? '' : formatMoney(amount / minorPerMajor, currencyCode),
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
