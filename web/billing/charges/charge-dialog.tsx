import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  changeCharge,
  type Charge,
  findChargeFaults,
  chargeFrequencies,
  ChargeFields,
  chargeKinds,
  createCharge,
  listCharges,
  listReportedQuantities,
} from '#contract/charges.ts'
import { getBillingSettings } from '#contract/billing-settings.ts'
import { getFees } from '#contract/fees.ts'
import { type LocalDay, startOfNextMonth } from '#contract/period.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { parseTypedNumber } from '#web/kit/typed-number.ts'
import { Warning } from '#web/kit/warning.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { usePayers } from '../use-payers.ts'

interface Props {
  /** Null to create a charge. */
  charge: Charge | null
  today: LocalDay
  onClose: () => void
}

const everybody = ''
/** Value of the option to tax as fees are. */
const asFees = ''
const priceDigits = 6

const newCharge = (today: LocalDay): ChargeFields => ({
  name: '',
  operator: null,
  kind: 'fixed',
  start_date: startOfNextMonth(today),
  end_date: null,
  frequency: 'yearly',
  amount: null,
  percent: null,
  above: 0,
  permitted_quantity: null,
  quantity: null,
  tax_code: null,
  account_code: null,
})

const toFields = (charge: Charge): ChargeFields => ChargeFields.parse(charge)

/** Returns the charge with fields that its kind does not use reset to their defaults. */
function toSentCharge(charge: ChargeFields): ChargeFields {
  const { kind, amount } = charge
  const isShare = kind === 'revenue' || (kind === 'discount' && charge.percent !== null)
  const hasQuantity = kind === 'revenue' || (kind === 'device' && charge.permitted_quantity === null)
  return {
    ...charge,
    name: charge.name.trim(),
    amount: isShare ? null : amount,
    percent: isShare ? charge.percent : null,
    above: kind === 'revenue' ? charge.above : 0,
    permitted_quantity: kind === 'device' ? charge.permitted_quantity : null,
    quantity: hasQuantity ? charge.quantity?.trim() || null : null,
    frequency:
      kind === 'fixed' || kind === 'device' || (kind === 'discount' && !isShare)
        ? charge.frequency
        : 'monthly',
  }
}

/** Creates or edits a charge. A charge on an issued invoice can only be ended. */
export function ChargeDialog({ charge, today, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [draft, setDraft] = useState<ChargeFields>(charge ? toFields(charge) : newCharge(today))
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const affectedQueries = [listCharges, listReportedQuantities, getFees]
  const create = useEndpointMutation(createCharge, affectedQueries)
  const change = useEndpointMutation(changeCharge, affectedQueries)
  const { error, isPending } = charge ? change : create
  const isFinal = charge !== null && charge.invoiced_until !== null
  const sentCharge = toSentCharge(draft)
  const faults = new Map(
    wasSubmitted ? findChargeFaults(sentCharge).map(({ path }) => [path as string, path]) : [],
  )
  const issues = getFieldIssues(error)
  const getError = (field: string): string | undefined =>
    faults.has(field) ? t(`billing:charges.fault.${field}`) : issues.get(field)
  const updateDraft = (changes: Partial<ChargeFields>): void => setDraft({ ...draft, ...changes })
  const fields = { draft, isFinal, getError, set: updateDraft }
  const handlers = {
    onSuccess: () => {
      showToast(t('billing:charges.saved', { name: sentCharge.name }))
      onClose()
    },
  }
  return (
    <FormDialog
      title={t(
        charge ? (isFinal ? 'billing:charges.endTitle' : 'billing:charges.editTitle') : 'billing:charges.add',
      )}
      size={620}
      action={t('billing:charges.save')}
      isPending={isPending}
      isDisabled={!sentCharge.name || !draft.start_date}
      error={error}
      errorTitle={t('billing:charges.failed')}
      onSubmit={() => {
        setWasSubmitted(true)
        if (findChargeFaults(sentCharge).length) return
        const params = { region_id: regionId }
        if (charge)
          change.mutate({ params: { ...params, charge_id: charge.charge_id }, body: sentCharge }, handlers)
        else create.mutate({ params, body: sentCharge }, handlers)
      }}
      onClose={onClose}
    >
      {isFinal ? (
        <Warning title={t('billing:charges.final')}>{t('billing:charges.finalText')}</Warning>
      ) : null}
      <TextInput
        label={t('billing:charges.field.name')}
        description={t('billing:charges.nameHint')}
        required
        maxLength={200}
        disabled={isFinal}
        value={draft.name}
        error={getError('name')}
        onChange={(event) => updateDraft({ name: event.currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PricingFields {...fields} />
        <BookkeepingFields {...fields} />
      </SimpleGrid>
    </FormDialog>
  )
}

interface FieldsProps {
  draft: ChargeFields
  /** Whether the charge is on an issued invoice. */
  isFinal: boolean
  getError: (field: string) => string | undefined
  set: (changes: Partial<ChargeFields>) => void
}

/** What is charged, to whom, and how the amount is determined. */
function PricingFields(fields: FieldsProps) {
  const { t } = useTranslation()
  const { currencyCode } = useRegion()
  const { payers } = usePayers()
  const { draft, isFinal, getError, set } = fields
  const { kind } = draft
  const isAmount = kind !== 'revenue' && (kind !== 'discount' || draft.percent === null)
  return (
    <>
      <Select
        label={t('billing:charges.field.kind')}
        allowDeselect={false}
        disabled={isFinal}
        data={chargeKinds.map((value) => ({ value, label: t(`billing:charges.kind.${value}`) }))}
        value={kind}
        onChange={(value) => {
          const selected = chargeKinds.find((chargeKind) => chargeKind === value)
          if (selected) set({ kind: selected, percent: null })
        }}
      />
      <Select
        label={t('billing:field.operator')}
        allowDeselect={false}
        disabled={isFinal}
        data={[
          { value: everybody, label: t('billing:charges.all') },
          ...(payers ?? []).map(({ slug: value, name: label }) => ({ value, label })),
        ]}
        value={draft.operator ?? everybody}
        error={getError('operator')}
        onChange={(value) => set({ operator: value || null })}
      />
      {isAmount ? (
        <ChargeNumber {...fields} field="amount" digits={priceDigits} suffix={` ${currencyCode}`} />
      ) : null}
      {kind === 'revenue' || kind === 'discount' ? (
        <ChargeNumber {...fields} field="percent" digits={4} suffix={' %'} />
      ) : null}
      {kind === 'fixed' || kind === 'device' || (kind === 'discount' && isAmount) ? (
        <Select
          label={t('billing:charges.field.frequency')}
          allowDeselect={false}
          disabled={isFinal}
          data={chargeFrequencies.map((value) => ({ value, label: t(`billing:charges.frequency.${value}`) }))}
          value={draft.frequency}
          onChange={(value) => {
            const selected = chargeFrequencies.find((chargeFrequency) => chargeFrequency === value)
            if (selected) set({ frequency: selected })
          }}
        />
      ) : null}
      {kind === 'device' ? <ChargeNumber {...fields} field="permitted_quantity" digits={0} /> : null}
      {kind === 'revenue' ? (
        <ChargeNumber {...fields} field="above" digits={priceDigits} suffix={` ${currencyCode}`} />
      ) : null}
      {kind === 'revenue' || (kind === 'device' && draft.permitted_quantity === null) ? (
        <TextInput
          label={t('billing:charges.field.quantity')}
          description={t('billing:charges.quantityHint')}
          maxLength={60}
          disabled={isFinal}
          value={draft.quantity ?? ''}
          error={getError('quantity')}
          onChange={(event) => set({ quantity: event.currentTarget.value || null })}
        />
      ) : null}
    </>
  )
}

/** Tax, account, and the days of the charge. */
function BookkeepingFields({ draft, isFinal, getError, set }: FieldsProps) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const settings = useEndpointQuery(getBillingSettings, { params: { region_id: regionId } })
  return (
    <>
      <Select
        label={t('billing:charges.field.tax_code')}
        allowDeselect={false}
        disabled={isFinal}
        data={[
          { value: asFees, label: t('billing:charges.asFees') },
          ...(settings.data?.tax_rates ?? []).map(({ code, name }) => ({
            value: code,
            label: `${code} ${name}`,
          })),
        ]}
        value={draft.tax_code ?? asFees}
        error={getError('tax_code') ?? settings.error?.message}
        onChange={(value) => set({ tax_code: value || null })}
      />
      <TextInput
        label={t('billing:charges.field.account_code')}
        placeholder={t('billing:charges.asFees')}
        maxLength={20}
        disabled={isFinal}
        value={draft.account_code ?? ''}
        error={getError('account_code')}
        onChange={(event) => set({ account_code: event.currentTarget.value.trim() || null })}
      />
      <TextInput
        type="date"
        label={t('billing:charges.field.start_date')}
        required
        max="9999-12-31"
        disabled={isFinal}
        value={draft.start_date}
        error={getError('start_date')}
        onChange={(event) => set({ start_date: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('billing:charges.field.end_date')}
        description={t('billing:charges.endHint')}
        max="9999-12-31"
        value={draft.end_date ?? ''}
        error={getError('end_date')}
        onChange={(event) => set({ end_date: event.currentTarget.value || null })}
      />
    </>
  )
}

interface ChargeNumberProps extends FieldsProps {
  field: 'amount' | 'percent' | 'above' | 'permitted_quantity'
  /** Maximum number of decimals. */
  digits: number
  suffix?: string
}

function ChargeNumber({ draft, isFinal, getError, set, field, digits, suffix }: ChargeNumberProps) {
  const { t } = useTranslation()
  return (
    <NumberInput
      label={t(`billing:charges.field.${field}`)}
      {...(field === 'permitted_quantity' ? { description: t('billing:charges.permittedHint') } : {})}
      min={0}
      decimalScale={digits}
      thousandSeparator
      disabled={isFinal}
      value={draft[field] ?? ''}
      error={getError(field)}
      {...(suffix === undefined ? {} : { suffix })}
      onChange={(value) => set({ [field]: parseTypedNumber(value) ?? (field === 'above' ? 0 : null) })}
    />
  )
}
