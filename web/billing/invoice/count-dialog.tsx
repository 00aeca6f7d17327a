import type { TFunction } from 'i18next'
import { Anchor, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addOperatorCount,
  importOperatorCount,
  listOperatorCounts,
  maxCountFileBytes,
} from '#contract/invoice-counts.ts'
import { csvLine } from '#contract/csv.ts'
import type { Invoice, InvoiceLine } from '#contract/invoices.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { downloadFile } from '#web/kit/download-file.ts'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { Warning } from '#web/kit/warning.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount, formatFileLimit, formatPrice, formatQuantity } from '../amounts.ts'
import styles from '../billing.module.css'
import { formatLine, formatStoredLine, formatUnit } from './line-text.ts'

/** Maximum number of lines to type; longer invoices are compared with a file. */
const maxTypedLines = 60

const scrollIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

type Field = 'quantity' | 'amount'
/** Typed figures by line number. */
type Figures = Readonly<Record<number, Partial<Record<Field, string>>>>

/** Enters the operator's own figures, line by line or from a CSV file. */
export function CountDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const { lines } = invoice
  const canType = lines.length <= maxTypedLines
  const [isTyping, setIsTyping] = useState(canType)
  const [figures, setFigures] = useState<Figures>({})
  const [file, setFile] = useState<File | null>(null)
  const addCount = useEndpointMutation(addOperatorCount, [listOperatorCounts])
  const importFile = useEndpointMutation(importOperatorCount, [listOperatorCounts])
  const params = { region_id: regionId, invoice_id: invoice.invoice_id }
  const rows = lines.flatMap(({ line }) => {
    const { quantity = '', amount = '' } = figures[line] ?? {}
    return quantity.trim() || amount.trim() ? [{ fee: String(line), quantity, amount }] : []
  })
  const error = isTyping ? addCount.error : importFile.error
  const onSuccess = (): void => {
    showToast(t('billing:count.saved'))
    onClose()
  }
  const submit = (): void => {
    if (isTyping) addCount.mutate({ params, body: { rows } }, { onSuccess })
    else if (file)
      importFile.mutate({ params, query: { file_name: file.name.slice(0, 120) }, body: file }, { onSuccess })
  }
  const setFigure = (line: number, field: Field, text: string): void =>
    setFigures({ ...figures, [line]: { ...figures[line], [field]: text } })
  const getProblem = (line: number, field: Field): string | undefined => {
    const index = rows.findIndex(({ fee }) => fee === String(line))
    const issue = addCount.error?.problem?.issues?.find(({ path }) => path === `body.rows.${index}.${field}`)
    return issue && index >= 0 ? splitRow(issue.message).reason : undefined
  }
  return (
    <FormDialog
      title={t('billing:count.title')}
      size={680}
      action={t('billing:count.action')}
      isPending={addCount.isPending || importFile.isPending}
      isDisabled={isTyping ? rows.length === 0 : file === null}
      error={error?.problem?.issues?.length ? null : error}
      errorTitle={t('billing:count.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('billing:count.text')}
      </Text>
      {canType ? (
        <SegmentedControl
          aria-label={t('billing:count.how')}
          value={isTyping ? 'typed' : 'file'}
          data={[
            { value: 'typed', label: t('billing:count.typed') },
            { value: 'file', label: t('billing:count.file') },
          ]}
          onChange={(value) => setIsTyping(value === 'typed')}
        />
      ) : null}
      {error ? (
        <RefusedRows
          key={error.id}
          error={error}
          getLine={isTyping ? (index) => rows[index]?.fee ?? '' : undefined}
        />
      ) : null}
      {isTyping ? (
        <TypedFigures invoice={invoice} figures={figures} getProblem={getProblem} onChange={setFigure} />
      ) : (
        <FileField
          invoice={invoice}
          file={file}
          isDisabled={importFile.isPending}
          onFile={(selected) => {
            importFile.reset()
            setFile(selected)
          }}
        />
      )}
    </FormDialog>
  )
}

interface TypedFiguresProps {
  invoice: Invoice
  figures: Figures
  getProblem: (line: number, field: Field) => string | undefined
  onChange: (line: number, field: Field, text: string) => void
}

/** A quantity and an amount for each line. */
function TypedFigures({ invoice: { lines, currency }, figures, getProblem, onChange }: TypedFiguresProps) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <Text size="sm">{t('billing:count.typeHint')}</Text>
      {lines.map((line) => (
        <fieldset key={line.line} className={styles['figure']}>
          <legend>
            {line.line}. {formatLine(t, line)}
          </legend>
          <TextInput
            label={t('billing:field.quantity')}
            description={formatLineQuantity(t, line, currency)}
            inputMode="decimal"
            value={figures[line.line]?.quantity ?? ''}
            error={getProblem(line.line, 'quantity')}
            onChange={(event) => onChange(line.line, 'quantity', event.currentTarget.value)}
          />
          <TextInput
            label={t('billing:field.amount')}
            description={formatAmount(line.amount, currency)}
            inputMode="decimal"
            value={figures[line.line]?.amount ?? ''}
            error={getProblem(line.line, 'amount')}
            onChange={(event) => onChange(line.line, 'amount', event.currentTarget.value)}
          />
        </fieldset>
      ))}
    </Stack>
  )
}

interface FileFieldProps {
  invoice: Invoice
  file: File | null
  isDisabled: boolean
  onFile: (file: File | null) => void
}

/** A CSV file, and its template. */
function FileField({ invoice, file, isDisabled, onFile }: FileFieldProps) {
  const { t } = useTranslation()
  return (
    <>
      <FileDrop
        title={t('billing:count.drop')}
        button={t('billing:count.choose')}
        accept=".csv"
        isDisabled={isDisabled}
        onFiles={([selected]) => onFile(selected ?? null)}
      >
        {file ? file.name : t('billing:count.fileText', { size: formatFileLimit(maxCountFileBytes) })}
      </FileDrop>
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="left"
        onClick={() =>
          downloadFile(`${invoice.number ?? 'invoice'}-count.csv`, makeTemplate(invoice), 'text/csv')
        }
      >
        {t('billing:count.template')}
      </Anchor>
    </>
  )
}

/** Returns the lines of an invoice as a CSV file with a column for the operator's figures. */
const makeTemplate = ({ lines }: Invoice): string =>
  [
    csvLine(['line', 'fee', 'unit', 'quantity', 'amount']),
    ...lines.map((line) => csvLine([line.line, formatStoredLine(line), line.unit, '', ''])),
  ]
    .map((text) => `${text}\r\n`)
    .join('')

const formatLineQuantity = (t: TFunction, line: InvoiceLine, currency: string): string => {
  const quantity = `${formatQuantity(line.quantity)} ${formatUnit(t, line.unit)}`
  return line.unit_price === null
    ? quantity
    : t('billing:count.priced', {
        quantity,
        price: formatPrice(line.unit_price, currency),
        interpolation: { escapeValue: false },
      })
}

/** Splits the server's "Row 3: reason" into row and reason. */
function splitRow(message: string): { row: string; reason: string } {
  const [, row = '', reason = message] = /^Row (\d+): (.*)$/s.exec(message) ?? []
  return { row, reason }
}

interface RefusedRowsProps {
  error: ApiError
  getLine: ((index: number) => string) | undefined
}

/** Errors by row: of typed figures by their line, of a file by its row. */
function RefusedRows({ error, getLine }: RefusedRowsProps) {
  const { t } = useTranslation()
  const issues = (error.problem?.issues ?? []).map(({ path, message }) => {
    const { row, reason } = splitRow(message)
    return { path, row: getLine?.(Number(path.split('.')[2])) ?? row, reason }
  })
  if (!issues.length) return null
  return (
    <Stack gap="sm" ref={scrollIntoView}>
      <Warning title={t('billing:count.refused', { count: issues.length })}>
        {t('billing:count.refusedText')}
      </Warning>
      <Table
        label={t('billing:count.refusedRows')}
        rows={issues}
        rowKey={({ path }) => path}
        maxHeight={240}
        isWrapped
        hasTools={false}
        columns={[
          {
            key: 'row',
            title: t(getLine ? 'billing:count.line' : 'billing:count.row'),
            width: 80,
            value: ({ row }) => row,
          },
          { key: 'reason', title: t('billing:count.reason'), value: ({ reason }) => reason },
        ]}
      />
    </Stack>
  )
}
