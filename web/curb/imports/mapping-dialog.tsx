import { MultiSelect, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type CurbColumn,
  curbColumns,
  type CurbImportRow,
  type CurbMapping,
  getCurbImport,
  listCurbImports,
  listCurbInventories,
  previewCurbImport,
  startCurbImport,
} from '#contract/curb-imports.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { useRegion } from '#web/shell/region.tsx'
import { OutcomeBadge } from './import-row-details.tsx'
import styles from './imports.module.css'
import { MappingRules } from './mapping-rules.tsx'
import { formatCdsPolicy } from '../rule-text.ts'
import { useTextContext } from '../use-text-context.ts'

/** Assigns the columns of a table to fields, with a preview of the first ten rows. */
export function CurbMappingDialog({ importId, onClose }: { importId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId, import_id: importId }
  const [draft, setDraft] = useState<CurbMapping | null>(null)
  const preview = useEndpointQuery(
    previewCurbImport,
    { params, body: { mapping: draft } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const start = useEndpointMutation(startCurbImport, [getCurbImport, listCurbImports, listCurbInventories])
  const mapping = draft ?? preview.data?.mapping ?? null
  return (
    <FormDialog
      title={t('curb:imports.mapping.title')}
      size={1100}
      action={t('curb:imports.mapping.start')}
      isPending={start.isPending}
      isDisabled={mapping?.columns.id === undefined}
      error={start.error}
      errorTitle={t('curb:imports.mapping.failed')}
      onSubmit={() => {
        if (mapping) start.mutate({ params, body: { mapping } }, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('curb:imports.mapping.text')}
      </Text>
      <Loaded query={preview}>
        {({ header, rows, statuses, mapping: proposedMapping }) => (
          <>
            <MappingFields
              header={header}
              statuses={statuses}
              mapping={draft ?? proposedMapping}
              onChange={setDraft}
            />
            <PreviewTable rows={rows} />
          </>
        )}
      </Loaded>
    </FormDialog>
  )
}

interface FieldProps {
  header: readonly string[]
  statuses: readonly string[]
  mapping: CurbMapping
  onChange: (mapping: CurbMapping) => void
}

/** The meaning of each column of a table of regulations. */
function MappingFields({ header, statuses, mapping, onChange }: FieldProps) {
  const { t } = useTranslation()
  const setColumn = (meaning: CurbColumn, column: string | null) => {
    const { [meaning]: _, ...others } = mapping.columns
    onChange({ ...mapping, columns: column === null ? others : { ...others, [meaning]: column } })
  }
  const renderUnit = <Key extends 'length_unit' | 'stay_unit' | 'rate_per'>(
    key: Key,
    values: readonly CurbMapping[Key][],
  ) => (
    <Select
      key={key}
      label={t(`curb:imports.mapping.${key}`)}
      data={values.map((value) => ({ value, label: t(`curb:imports.mapping.units.${value}`) }))}
      value={mapping[key]}
      allowDeselect={false}
      onChange={(value) => onChange({ ...mapping, [key]: value })}
    />
  )
  return (
    <>
      <div className={styles['grid']}>
        {curbColumns.map((meaning) => (
          <Select
            key={meaning}
            label={t(`curb:imports.column.${meaning}`)}
            placeholder={t('curb:imports.mapping.noColumn')}
            data={[...header]}
            value={mapping.columns[meaning] ?? null}
            clearable
            searchable
            clearButtonProps={{
              'aria-label': t('curb:imports.mapping.clear', { column: t(`curb:imports.column.${meaning}`) }),
            }}
            onChange={(column) => setColumn(meaning, column)}
          />
        ))}
        {renderUnit('length_unit', ['ft', 'm', 'cm'])}
        {renderUnit('stay_unit', ['minute', 'hour'])}
        {renderUnit('rate_per', ['hour', 'max_stay'])}
      </div>
      {statuses.length ? (
        <MultiSelect
          label={t('curb:imports.mapping.excluded')}
          data={[...statuses]}
          value={mapping.excluded_statuses.filter((status) => statuses.includes(status))}
          searchable
          onChange={(values) => onChange({ ...mapping, excluded_statuses: values })}
        />
      ) : null}
      <MappingRules header={header} mapping={mapping} onChange={onChange} />
    </>
  )
}

function PreviewTable({ rows }: { rows: readonly CurbImportRow[] }) {
  const { t } = useTranslation()
  const context = useTextContext()
  const formatRules = ({ staged }: CurbImportRow): string =>
    ((staged as { policies?: Parameters<typeof formatCdsPolicy>[0][] } | null)?.policies ?? [])
      .map((policy) => formatCdsPolicy(policy, context))
      .join(' · ')
  const columns: TableColumn<CurbImportRow>[] = [
    column('id', t('curb:imports.id'), (row) => row.record_id, { width: 140 }),
    column('outcome', t('curb:imports.outcomeTitle'), ({ outcome }) => outcome, {
      width: 130,
      renderCell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
    }),
    column('rules', t('curb:imports.rules'), formatRules),
    column('findings', t('curb:imports.findings'), ({ findings }) =>
      findings.map(({ message }) => message).join(' '),
    ),
  ]
  return (
    <Table
      label={t('curb:imports.mapping.preview')}
      rows={rows}
      columns={columns}
      rowKey={({ row }) => String(row)}
      hasTools={false}
      isWrapped
    />
  )
}
